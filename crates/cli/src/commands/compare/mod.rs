//! `warpspan compare`.

mod args;
mod run;
mod text;

pub(crate) use args::CompareArgs;
pub(crate) use run::run;
