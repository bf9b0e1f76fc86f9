//! `warpspan trace`.

mod args;
mod run;
mod text;

pub(crate) use args::TraceArgs;
pub(crate) use run::run;
