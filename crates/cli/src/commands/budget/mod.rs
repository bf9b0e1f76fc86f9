//! `warpspan budget`.

mod args;
mod github;
mod junit;
mod launch;
mod run;
mod sarif;

pub(crate) use args::BudgetArgs;
#[cfg(feature = "figures")]
pub(super) use run::found_source;
pub(crate) use run::run;
use warpspan_document::budget as words;
