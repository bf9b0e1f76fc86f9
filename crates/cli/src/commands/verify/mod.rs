//! `warpspan verify`.

mod args;
mod run;
mod text;

pub(crate) use args::VerifyArgs;
pub(crate) use run::run;
