//! Flags of `partition --classify`.

use std::path::PathBuf;

use clap::Args;

use warpspan_partition::Tolerance;

/// Tasks from measured execution times (Si21 section 3.3).
#[derive(Debug, Args)]
#[command(next_help_heading = "Measured times")]
pub(crate) struct ClassifyArgs {
    /// Measured execution times (.csv): which tasks are memory-intensive, and a, b and k of each
    #[arg(long, value_name = "FILE", group = "writes", conflicts_with_all = ["file", "experiment", "order", "pairs", "baseline", "exact", "test", "time_limit", "memory_limit", "jobs"])]
    pub(crate) classify: Option<PathBuf>,
    /// Gain in percent that counts as none
    #[arg(long, value_name = "PERCENT", default_value = "5", requires = "classify")]
    pub(crate) tolerance: Tolerance,
}
