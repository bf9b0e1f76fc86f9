//! `warpspan bound`.

mod args;
mod run;
mod text;

pub(in crate::cli) use args::BoundArgs;
pub(in crate::cli) use run::run;
