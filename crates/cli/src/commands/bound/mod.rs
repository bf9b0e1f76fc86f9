//! `warpspan bound`.

mod args;
mod run;
mod text;

pub(crate) use args::BoundArgs;
pub(crate) use run::run;
