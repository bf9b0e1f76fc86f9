//! `warpspan sweep`.

mod args;
mod grid;
mod run;

pub(in crate::cli) use args::SweepArgs;
pub(in crate::cli) use run::run;
