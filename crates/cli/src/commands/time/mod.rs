//! `warpspan time`.

mod answer;
mod args;
mod assumes;
mod co_running;
mod enough;
mod evt;
mod hints;
mod kept;
mod kernel;
mod parse;
mod run;
mod text;
mod totals;
mod traffic;
mod waits;

pub(crate) use args::TimeArgs;
pub(crate) use run::{answer, ending, run};
pub(crate) use text::time as in_words;
