//! Engines: each finds bounds or schedules of an instance in its own way, and none judges another.
//!
//! [`portfolio`] is the one place that holds two of them side by side.

pub mod beam;
pub mod ilp;
pub mod phase;
pub mod policy;
pub mod portfolio;
pub mod program;
pub mod simulate;
pub mod states;
