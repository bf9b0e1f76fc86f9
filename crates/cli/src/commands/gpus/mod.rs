//! `warpspan gpus`.

mod args;
mod run;

pub(crate) use args::GpusArgs;
pub(crate) use run::run;
