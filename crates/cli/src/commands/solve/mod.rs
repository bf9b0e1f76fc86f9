//! `warpspan solve`.

mod args;
mod certificate;
mod machine;
mod run;
mod text;

pub(crate) use args::SolveArgs;
pub(crate) use run::{run, takes};
