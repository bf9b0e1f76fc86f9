//! `warpspan compare`.

mod args;
mod markdown;
mod run;
mod text;

pub(crate) use args::CompareArgs;
pub(crate) use run::run;
#[cfg(feature = "figures")]
pub(super) use text::{change, cycles, in_percent, lines_of, number, signed};
