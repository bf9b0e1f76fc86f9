//! `warpspan report`.

#[cfg(feature = "figures")]
mod answers;
mod args;
#[cfg(feature = "figures")]
mod run;

pub(in crate::cli) use args::ReportArgs;
#[cfg(feature = "figures")]
pub(in crate::cli) use run::{of_lines, run};
