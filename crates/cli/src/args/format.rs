//! The flag that says in which form answers are printed.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person
    Text,
    /// One object an instance, one line each
    Json,
}
