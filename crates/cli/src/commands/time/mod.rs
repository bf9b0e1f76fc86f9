//! `warpspan time`.

mod args;
mod evt;
mod parse;
mod question;
mod run;

pub(crate) use args::TimeArgs;
pub(crate) use run::{answer, ending, run};
