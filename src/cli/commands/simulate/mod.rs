//! `warpspan simulate`.

mod args;
mod chart;
mod job;
mod run;
mod text;

pub(in crate::cli) use args::SimulateArgs;
pub(in crate::cli) use run::run;
