//! `warpspan check`.

mod args;
mod run;
mod text;

pub(crate) use args::CheckArgs;
pub(crate) use run::run;
