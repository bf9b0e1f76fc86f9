//! Flags of `init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The command that takes the file
    #[arg(value_name = "COMMAND", value_enum)]
    pub(crate) kind: Kind,
    /// Write it to a new file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// An instance, also for bound, check and simulate
    Solve,
    /// Kernels on a GPU
    Rta,
    /// GPU tasks that are to be partitioned
    Partition,
    /// Kernels cut into tiles
    Prem,
    /// A grid of kernels, sigmas, warps and engines
    Sweep,
}
