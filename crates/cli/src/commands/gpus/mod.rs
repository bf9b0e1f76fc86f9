//! `warpspan gpus`.

mod args;
mod run;
mod text;

pub(crate) use args::GpusArgs;
pub(crate) use run::run;
