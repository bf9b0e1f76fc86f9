//! `warpspan extract`.

mod args;
mod costs;
mod run;
mod text;

pub(in crate::cli) use args::ExtractArgs;
pub(in crate::cli) use run::run;
#[cfg(feature = "figures")]
pub(in crate::cli) use text::facts;
pub(in crate::cli) use text::shortened;
