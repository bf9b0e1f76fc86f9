//! `warpspan extract`.

mod args;
mod costs;
mod declare;
mod run;
mod shares;
mod text;

pub(crate) use args::ExtractArgs;
pub(crate) use run::run;
#[cfg(feature = "figures")]
pub(crate) use text::facts;
pub(crate) use text::shortened;
