//! `warpspan bound`.

mod args;
mod run;

pub(crate) use args::BoundArgs;
pub(crate) use run::run;
