//! `warpspan check`.

mod args;
mod run;
mod text;

pub(in crate::cli) use args::CheckArgs;
pub(in crate::cli) use run::run;
