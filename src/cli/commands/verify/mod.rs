//! `warpspan verify`.

mod args;
mod run;
mod text;

pub(in crate::cli) use args::VerifyArgs;
pub(in crate::cli) use run::run;
