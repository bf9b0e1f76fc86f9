//! Engines. Each finds bounds or schedules of an instance in its own way, and none judges another.
//!
//! [`portfolio`] is the only module that uses several of them together.

pub mod beam;
pub mod grid;
pub mod ilp;
pub mod latency;
pub mod phase;
pub mod policy;
pub mod portfolio;
pub mod program;
pub mod relay;
pub mod simulate;
pub mod states;
