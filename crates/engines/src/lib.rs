//! Engines. Each finds bounds or schedules of an instance in its own way, and none verifies another.
//!
//! The binary ILP is the crate `warpspan-ilp`, since it needs HiGHS; the crate `warpspan-solver` runs several engines
//! together.

// Layers: a module uses only those of the groups above its own.
mod crossing;
pub mod grid;
pub mod own;
pub mod phase;
pub mod positions;
pub mod simulate;
pub mod states;

pub mod beam;
pub mod program;

pub mod latency;
pub mod relay;

pub mod certificate;
