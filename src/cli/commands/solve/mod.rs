//! `warpspan solve`.

mod args;
mod certificate;
mod machine;
mod run;
mod text;

pub(in crate::cli) use args::SolveArgs;
pub(in crate::cli) use run::{run, takes};
