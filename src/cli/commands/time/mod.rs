//! `warpspan time`.

mod answer;
mod args;
mod assumes;
mod company;
mod kernel;
mod parse;
mod run;
mod text;
mod traffic;

pub(in crate::cli) use args::TimeArgs;
pub(in crate::cli) use assumes::of_memory_of_file;
pub(in crate::cli) use run::run;
