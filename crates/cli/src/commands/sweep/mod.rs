//! `warpspan sweep`.

mod args;
mod grid;
mod run;

pub(crate) use args::SweepArgs;
pub(crate) use run::run;
