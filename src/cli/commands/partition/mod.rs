//! `warpspan partition`.

mod answer;
mod args;
mod classify;
mod co_located;
mod experiment;
mod generator_args;
mod run;
mod text;

pub(in crate::cli) use args::PartitionArgs;
pub(in crate::cli) use run::run;
