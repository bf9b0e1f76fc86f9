//! `warpspan solve`.

mod args;
mod certificate;
mod engine;
mod run;
mod schedules;

pub(crate) use args::SolveArgs;
pub(crate) use run::{run, takes};
