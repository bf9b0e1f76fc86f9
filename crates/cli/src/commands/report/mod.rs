//! `warpspan report`.

#[cfg(feature = "figures")]
mod answers;
mod args;
#[cfg(feature = "figures")]
mod run;

#[cfg(feature = "figures")]
pub(super) use answers::partitioned;
pub(crate) use args::ReportArgs;
#[cfg(feature = "figures")]
pub(crate) use run::{of_lines, run};
