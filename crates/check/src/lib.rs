//! Schedules with their verifier, bounds with their evidence, and the checker of records, which uses no engine.

pub mod bound;
pub mod record;
pub mod schedule;
pub mod seal;
