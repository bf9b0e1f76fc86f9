//! `warpspan time`.

mod args;
mod evt;
mod parse;
mod question;
mod run;
mod text;

pub(crate) use args::TimeArgs;
pub(crate) use run::{answer, ending, run};
#[cfg(feature = "figures")]
pub(super) use text::{checked, launch, rounded_up};
pub(super) use text::{in_numbers, kind};
pub(crate) use warpspan_launch::words::time as in_words;
