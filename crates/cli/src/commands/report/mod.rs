//! `warpspan report`.

#[cfg(feature = "figures")]
mod answers;
#[cfg(feature = "figures")]
mod run;

#[cfg(feature = "figures")]
pub(super) use answers::partitioned;
#[cfg(feature = "figures")]
pub(crate) use run::{of_lines, run};
