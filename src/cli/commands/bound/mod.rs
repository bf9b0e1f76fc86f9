//! `warpspan bound`.

mod args;
mod machine;
mod run;
mod text;

pub(in crate::cli) use args::BoundArgs;
pub(in crate::cli) use run::run;
