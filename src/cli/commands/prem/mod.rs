//! `warpspan prem`.

mod args;
mod emit;
mod measured;
mod offsets;
mod plan;
mod record;
mod run;
mod text;

pub(in crate::cli) use args::PremArgs;
pub(in crate::cli) use run::run;
