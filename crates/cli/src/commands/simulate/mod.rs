//! `warpspan simulate`.

mod args;
mod chart;
mod job;
mod run;

pub(crate) use args::SimulateArgs;
pub(crate) use run::run;
