//! The tests of the library and of the command line, in one binary so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod architecture;
mod book;
mod bounds;
mod brute;
mod certificate;
mod cli;
mod common;
mod engines;
#[cfg(feature = "figures")]
mod figures;
mod interpreter;
mod listing;
mod machine;
mod messages;
mod papers;
mod realtime;
mod records;
mod relay;
mod simulator;
mod sweep;
