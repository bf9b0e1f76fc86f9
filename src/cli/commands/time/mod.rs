//! `warpspan time`.

mod answer;
mod args;
mod assumes;
mod company;
mod kernel;
mod parse;
mod run;
mod text;
mod totals;
mod waits;

pub(in crate::cli) use args::TimeArgs;
pub(in crate::cli) use run::run;
