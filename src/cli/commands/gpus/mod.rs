//! `warpspan gpus`.

mod args;
mod run;
mod text;

pub(in crate::cli) use args::GpusArgs;
pub(in crate::cli) use run::run;
