//! `warpspan report`.

#[cfg(feature = "figures")]
mod answers;
mod args;
#[cfg(feature = "figures")]
mod run;

pub(crate) use args::ReportArgs;
#[cfg(feature = "figures")]
pub(crate) use run::{of_lines, run};
