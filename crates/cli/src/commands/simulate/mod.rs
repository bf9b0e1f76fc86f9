//! `warpspan simulate`.

mod chart;
mod job;
mod run;

pub(crate) use run::run;
