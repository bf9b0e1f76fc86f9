//! Flags of `prem`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{Format, LimitArgs};
use warpspan_prem::{Jitter, Mode, OffsetRange, Rule, Runs};

#[derive(Debug, Args)]
pub(crate) struct PremArgs {
    /// Kernels cut into tiles (TOML), `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How the image of [plan] is cut into tiles
    ///
    /// Also says what the phases of the tiles move; this needs no durations.
    #[arg(long, conflicts_with_all = ["search", "jitter", "schedule", "offsets"])]
    pub(crate) plan: bool,
    /// What waits for a start time of its own [default: of the file, else tile-kernel]
    #[arg(long, value_enum)]
    pub(crate) mode: Option<Mode>,
    /// The rule that the least offsets satisfy
    #[arg(long, value_enum, default_value = "relaxed")]
    pub(crate) rule: Rule,
    /// ns between the prefetches of one kernel or block and the next [default: of the file, else the least]
    #[arg(long, value_name = "NS")]
    pub(crate) prefetch_offset: Option<u64>,
    /// ns between the writebacks, where these are scheduled [default: of the file, else the least]
    #[arg(long, value_name = "NS")]
    pub(crate) writeback_offset: Option<u64>,
    /// Granularity of the timer in ns [default: of the file, else 1000]
    #[arg(long, value_name = "NS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timer: Option<u64>,
    /// Search for the least hyperperiod
    ///
    /// Each kernel or block has an offset of its own. For different kernels without offsets this is done in any case.
    #[arg(long, conflicts_with_all = ["prefetch_offset", "writeback_offset"])]
    pub(crate) search: bool,
    /// Go through offsets between prefetches: 0..3000:100
    #[arg(long, value_name = "A..B:STEP", value_parser = offsets, conflicts_with_all = ["prefetch_offset", "search", "schedule"])]
    pub(crate) offsets: Option<OffsetRange>,
    /// Write what --offsets finds to a file: .svg (time and jitter, as Kr19 Fig. 4.9), .csv or .json; repeatable
    #[arg(long, value_name = "FILE", requires = "offsets")]
    pub(crate) chart: Vec<PathBuf>,
    /// Simulate phases of LOW to HIGH percent: 80..105
    ///
    /// The phases of these runs take so much of their durations, and overruns are reported.
    #[arg(long, value_name = "LOW..HIGH", value_parser = jitter)]
    pub(crate) jitter: Option<Jitter>,
    /// Simulated runs
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) runs: u64,
    /// Of the simulation
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
    /// Write the schedule: .csv, .json, .svg or .h; repeatable
    ///
    /// The .h is a header for C and CUDA.
    #[arg(long, value_name = "FILE")]
    pub(crate) schedule: Vec<PathBuf>,
    /// Write the tiled convolution of [plan] as CUDA to a folder, with a harness that measures its phases
    #[arg(long, value_name = "DIR", conflicts_with_all = ["plan", "offsets", "measured"])]
    pub(crate) emit_cuda: Option<PathBuf>,
    /// Compare measured times (JSON) with the schedule and its bound
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plan", "offsets", "jitter"])]
    pub(crate) measured: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

impl PremArgs {
    /// How runs are drawn; without --jitter a single one, of phases that take just their durations.
    pub(crate) fn runs(&self) -> Runs {
        match self.jitter {
            Some(jitter) => Runs { jitter, count: self.runs, seed: self.seed },
            None => Runs { jitter: Jitter { low: 100, high: 100 }, count: 1, seed: self.seed },
        }
    }
}

/// The most offsets of a sweep.
const MOST_OFFSETS: u64 = 100_000;

fn offsets(text: &str) -> Result<OffsetRange, String> {
    let parts = text.split_once("..").and_then(|(from, rest)| Some((from, rest.split_once(':')?)));
    let range = parts.and_then(|(from, (to, step))| {
        Some(OffsetRange { from: from.parse().ok()?, to: to.parse().ok()?, step: step.parse().ok()? })
    });
    match range {
        Some(range @ OffsetRange { from, to, step })
            if from <= to && step > 0 && (to - from) / step < MOST_OFFSETS =>
        {
            Ok(range)
        }
        _ => Err(format!("want A..B:STEP in ns, {MOST_OFFSETS} offsets or fewer: 0..3000:100")),
    }
}

fn jitter(text: &str) -> Result<Jitter, String> {
    let range = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match range {
        Some((low, high)) if low <= high && high <= 1000 => Ok(Jitter { low, high }),
        _ => Err("want LOW..HIGH in percent, up to 1000".into()),
    }
}
