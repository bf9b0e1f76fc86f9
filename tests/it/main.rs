//! The tests of the library and of the command line, in one binary so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod architecture;
mod bounds;
mod brute;
mod cli;
mod common;
mod engines;
mod figures;
mod listing;
mod papers;
mod realtime;
mod sweep;
