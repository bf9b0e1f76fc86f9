//! A measured run compared with the scheduling rules: result logs of the CUDA scheduling examiner, as in Pa19
//! chapter 4.
//!
//! A [`Log`] says of each launch when the host called it, and of each block when and on which multiprocessor
//! it ran. A [`Measurement`] puts the launches of several logs into the order in which the host launched them,
//! as a [`System`](crate::System) in which each launch is a kernel that is launched once. So the
//! simulator and the bounds say what should have happened, and [`Measurement::findings`] says which scheduling
//! rule the measured blocks break.
//!
//! # Clocks
//!
//! Blocks are timed by the GPU, launches and copies by the host. The timer of a GPU advances in steps, and a
//! block takes a moment to be placed: the *tolerance* covers both. The examiner sets the two clocks equal once,
//! and multiplies what the GPU's timer counts from then on by a factor that it has measured before. So the clocks
//! drift apart. Wherever a time of the GPU is compared with one of another clock, which C is too, it may be off by
//! [`DRIFT`] millionths of the time in addition.

mod blocks;
mod comparison;
mod findings;
mod host;
mod kernels;
mod log;
mod queue;
mod resources;
mod room;
mod rules;
mod run;

pub use blocks::{Block, Launch};
pub use comparison::{Computed, Excess, computed};
pub use log::{Log, Logged, read_log};
pub use rules::{DRIFT, Finding, NOT_JUDGED, Rule, RuleBreach};
pub use run::Measurement;
