//! `warpspan explain`.

mod args;
mod run;
mod text;

pub(in crate::cli) use args::ExplainArgs;
pub(in crate::cli) use run::run;
