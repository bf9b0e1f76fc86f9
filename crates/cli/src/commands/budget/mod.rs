//! `warpspan budget`.

mod args;
mod github;
mod junit;
mod launch;
mod markdown;
mod run;
mod sarif;
mod text;
pub(super) mod words;

pub(crate) use args::BudgetArgs;
#[cfg(feature = "figures")]
pub(super) use run::found_source;
pub(crate) use run::run;
