//! `warpspan check`.

mod args;
mod run;

pub(crate) use args::CheckArgs;
pub(crate) use run::run;
