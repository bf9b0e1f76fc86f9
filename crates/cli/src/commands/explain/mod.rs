//! `warpspan explain`.

mod args;
mod run;

pub(crate) use args::ExplainArgs;
pub(crate) use run::run;
