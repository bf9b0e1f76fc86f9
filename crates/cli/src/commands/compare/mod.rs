//! `warpspan compare`.

mod args;
mod run;

pub(crate) use args::CompareArgs;
pub(crate) use run::run;
