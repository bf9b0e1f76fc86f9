//! `warpspan explain`.

mod args;
mod run;
mod text;

pub(crate) use args::ExplainArgs;
pub(crate) use run::run;
