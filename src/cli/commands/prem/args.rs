//! Flags of `prem`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{Format, LimitArgs};
use crate::realtime::prem::{Jitter, Mode, Rule};

#[derive(Debug, Args)]
pub(in crate::cli) struct PremArgs {
    /// Kernels cut into tiles (TOML), `-` for standard input
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    /// What waits for a start time of its own
    #[arg(long, value_enum, default_value = "tile-kernel")]
    pub(in crate::cli) mode: Mode,
    /// The rule that the least offsets satisfy
    #[arg(long, value_enum, default_value = "relaxed")]
    pub(in crate::cli) rule: Rule,
    /// ns between the prefetches of one kernel or block and the next [default: of the file, else the least]
    #[arg(long, value_name = "NS")]
    pub(in crate::cli) prefetch_offset: Option<u64>,
    /// ns between the writebacks, where these are scheduled [default: of the file, else the least]
    #[arg(long, value_name = "NS")]
    pub(in crate::cli) writeback_offset: Option<u64>,
    /// Granularity of the timer in ns [default: of the file, else 1000]
    #[arg(long, value_name = "NS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) timer: Option<u64>,
    /// Search for the least hyperperiod, with an offset of its own for each kernel or block; done for different kernels
    /// without offsets in any case
    #[arg(long, conflicts_with_all = ["prefetch_offset", "writeback_offset"])]
    pub(in crate::cli) search: bool,
    /// Simulate runs whose phases take from LOW to HIGH percent of their durations, and report overruns: 80..105
    #[arg(long, value_name = "LOW..HIGH", value_parser = jitter)]
    pub(in crate::cli) jitter: Option<Jitter>,
    /// Simulated runs
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(in crate::cli) runs: u64,
    /// Of the simulation
    #[arg(long, value_name = "N", default_value = "0")]
    pub(in crate::cli) seed: u64,
    /// Write the schedule to a file: .csv, .json, .svg or .h (a header for C and CUDA); repeatable
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) schedule: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) limits: LimitArgs,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(in crate::cli) format: Format,
}

fn jitter(text: &str) -> Result<Jitter, String> {
    let range = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match range {
        Some((low, high)) if low <= high && high <= 1000 => Ok(Jitter { low, high }),
        _ => Err("want LOW..HIGH in percent, up to 1000".into()),
    }
}
