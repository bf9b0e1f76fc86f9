//! `warpspan partition`.

mod answer;
mod classify;
mod co_located;
mod experiment;
mod margins;
mod record;
mod run;
mod task_set;

pub(crate) use run::run;
