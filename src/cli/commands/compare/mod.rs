//! `warpspan compare`.

mod args;
mod run;
mod text;

pub(in crate::cli) use args::CompareArgs;
pub(in crate::cli) use run::run;
