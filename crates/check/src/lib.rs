//! Schedules with their verifier, bounds with their evidence, and the checker of records, which uses no engine.

// Layers: a module uses only those of the groups above its own.
pub mod schedule;
pub mod seal;

pub mod bound;

pub mod record;
