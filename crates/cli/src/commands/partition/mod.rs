//! `warpspan partition`.

mod answer;
mod args;
mod classify;
mod classify_args;
mod co_located;
mod experiment;
mod generator_args;
mod margins;
mod record;
mod run;
mod table;
mod task_set;

pub(crate) use args::PartitionArgs;
pub(crate) use run::run;
