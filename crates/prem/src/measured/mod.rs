//! Measured times of kernels cut into tiles, compared with their schedule and bound.
//!
//! The files have the keys of those that Kr19's experiments wrote (CTU-IIG, *tt-gpu*, experiments
//! `prem-2dconvolution`): times of blocks for each run, and of the phases of each tile, on the global timer.

mod compare;
mod read;

pub use compare::{Compared, Crowd, Makespan, PhaseTimes, compare};
pub use read::{Measured, Recorded, read_measured};
