//! `warpspan trace`.

mod args;
mod run;

pub(crate) use args::TraceArgs;
pub(crate) use run::run;
