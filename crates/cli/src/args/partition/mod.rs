//! Flags of `partition`.

mod classify;
mod generator;

use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Args, ValueEnum};

use crate::args::limits;
use crate::args::partition::classify::ClassifyArgs;
use crate::args::partition::generator::GeneratorArgs;
use warpspan_model::limits::Limits;
use warpspan_partition::{Figure, Mechanism, Order, Pairs, Slicing, TaskSet, Test};
use warpspan_solver::policy::Reading;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartitionFormat {
    /// For a person
    Text,
    /// One object
    Json,
    /// A line a task
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct PartitionArgs {
    /// A file of tasks (TOML), `-` for standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["experiment", "classify"], conflicts_with = "experiment")]
    pub(crate) file: Option<PathBuf>,
    /// Which candidates for a merge come first
    #[arg(long, value_enum, default_value = "sms", conflicts_with = "experiment")]
    pub(crate) order: Order,
    /// Whether pairs of tasks are tested beforehand
    #[arg(long, value_enum, default_value = "ina", conflicts_with = "experiment")]
    pub(crate) pairs: Pairs,
    /// One partition of all tasks on all multiprocessors (1G of Si21)
    #[arg(long, conflicts_with_all = ["order", "pairs", "experiment"])]
    pub(crate) baseline: bool,
    /// The fewest multiprocessors; up to 16 tasks
    #[arg(long, conflicts_with_all = ["order", "pairs", "baseline", "experiment"])]
    pub(crate) exact: bool,
    /// All kernels together in one partition
    ///
    /// Their warps run in any work-conserving order such as RT-PAWS.
    #[arg(long, conflicts_with_all = ["order", "pairs", "baseline", "exact", "test", "slices", "chart", "experiment", "classify"])]
    pub(crate) co_located: bool,
    /// Which group of warps goes first in the simulated run under RT-PAWS [default: text]
    #[arg(long, value_enum, requires = "co_located")]
    pub(crate) reading: Option<Reading>,
    /// The policy within a partition and its test
    ///
    /// By default it is that of the file, or np-edf; of experiments edf, as in Si21.
    #[arg(long, value_enum)]
    pub(crate) test: Option<Test>,
    /// Partitions of whole slices, as with MIG: 7, or 7x14 for slices of 14 multiprocessors
    #[arg(long, value_name = "N[xM]", conflicts_with = "classify")]
    pub(crate) slices: Option<Slicing>,
    /// What sets partitions up
    ///
    /// They have sizes that it can give on the GPU, and the answer has its masks, calls or commands. By default it is that of the file; without one, partitions have any number of multiprocessors.
    #[arg(long, value_enum, value_name = "NAME", conflicts_with_all = ["slices", "co_located", "experiment", "classify"])]
    pub(crate) mechanism: Option<Mechanism>,
    /// Say how far each number that the answer rests on may be wrong with these partitions, or which would do
    #[arg(long, conflicts_with_all = ["co_located", "experiment", "classify"])]
    pub(crate) margins: bool,
    /// Draw partitions or measured times to a file (.svg)
    #[arg(long, value_name = "FILE", conflicts_with = "experiment")]
    pub(crate) chart: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text", conflicts_with = "experiment")]
    pub(crate) format: PartitionFormat,
    /// Stop after so long: 30s, 5m, 1h
    #[arg(long, help_heading = "Limits", value_name = "TIME", value_parser = humantime::parse_duration)]
    time_limit: Option<Duration>,
    /// Memory that bounds of kernel strings may use: 500M, 2G [default: half of what is available]
    #[arg(long, help_heading = "Limits", value_name = "SIZE")]
    memory_limit: Option<ByteSize>,
    /// Threads; task sets of an experiment side by side [default: all cores]
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) classify: ClassifyArgs,
    #[command(flatten)]
    pub(crate) experiment: ExperimentArgs,
}

impl PartitionArgs {
    pub(crate) fn limits(&self) -> std::io::Result<Limits> {
        limits(self.time_limit, self.memory_limit, self.jobs)
    }

    /// Whether the partitions that a file gives are judged, and no others are looked for.
    pub(crate) fn judges(&self, set: &TaskSet) -> bool {
        !set.given().is_empty() && !self.baseline && !self.exact
    }

    /// The limits on time and memory, as far as they are given.
    pub(crate) fn limits_given(&self) -> (Option<Duration>, Option<u64>) {
        (self.time_limit, self.memory_limit.map(|size| size.as_u64()))
    }
}

/// Schedulability and analysis time of random task sets (Si21 section 3.6).
#[derive(Debug, Args)]
#[command(next_help_heading = "Experiments")]
pub(crate) struct ExperimentArgs {
    /// A figure of Si21
    #[arg(long = "experiment", value_enum, value_name = "FIGURE", group = "writes")]
    pub(crate) experiment: Option<Figure>,
    /// Few sets at few utilisations
    #[arg(long, requires = "experiment", conflicts_with = "file")]
    pub(crate) quick: bool,
    /// The table (.csv) [default: standard output]; of measured times, the file of tasks (.toml)
    #[arg(short, long, value_name = "FILE", requires = "writes", conflicts_with = "file")]
    pub(crate) output: Option<PathBuf>,
    /// Resume an interrupted table
    #[arg(long, requires_all = ["experiment", "output"], conflicts_with = "file")]
    pub(crate) resume: bool,
    /// Of the random numbers
    #[arg(long, value_name = "N", default_value = "1", requires = "experiment", conflicts_with = "file")]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
}
