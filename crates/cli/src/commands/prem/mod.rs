//! `warpspan prem`.

mod emit;
mod measured;
mod offsets;
mod plan;
mod record;
mod run;

pub(crate) use run::run;
