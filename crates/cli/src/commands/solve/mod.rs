//! `warpspan solve`.

mod args;
mod certificate;
mod engine;
mod run;
mod schedules;
mod text;

pub(crate) use args::SolveArgs;
pub(crate) use run::{run, takes};
