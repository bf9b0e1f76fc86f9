//! `warpspan budget`.

mod github;
mod junit;
mod launch;
mod run;
mod sarif;

#[cfg(feature = "figures")]
pub(super) use run::found_source;
pub(crate) use run::run;
use warpspan_document::budget as words;
