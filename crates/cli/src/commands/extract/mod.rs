//! `warpspan extract`.

mod args;
mod declare;
mod run;

pub(crate) use args::ExtractArgs;
pub(crate) use run::run;
