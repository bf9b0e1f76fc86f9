//! Engines. Each finds bounds or schedules of an instance in its own way, and none verifies another.
//!
//! The binary ILP is the crate `warpspan-ilp`, since it needs HiGHS; the crate `warpspan-solver` runs several engines
//! together.

pub mod beam;
pub mod certificate;
mod crossing;
pub mod grid;
pub mod latency;
pub mod own;
pub mod phase;
pub mod positions;
pub mod program;
pub mod relay;
pub mod simulate;
pub mod states;
