//! `warpspan prem`.

mod args;
mod measured;
mod offsets;
mod plan;
mod record;
mod run;
mod text;

pub(in crate::cli) use args::PremArgs;
pub(in crate::cli) use run::run;
