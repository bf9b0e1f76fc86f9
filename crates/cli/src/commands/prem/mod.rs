//! `warpspan prem`.

mod args;
mod emit;
mod measured;
mod offsets;
mod plan;
mod record;
mod run;

pub(crate) use args::PremArgs;
pub(crate) use run::run;
