//! `warpspan verify`.

mod args;
mod run;

pub(crate) use args::VerifyArgs;
pub(crate) use run::run;
