//! Flags of `sweep`.

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::Args;

use crate::args::{ListingArgs, limits};
use warpspan_model::limits::Limits;
use warpspan_sweep::KEYS;

/// Flags win over the grid file, key by key; the file's keys are the long flags of the grid.
#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    /// A grid file (TOML)
    #[arg(value_name = "GRID")]
    pub(crate) file: Option<PathBuf>,
    /// The table: .csv, or .jsonl for an object a line
    #[arg(short, long, value_name = "FILE", required_unless_present = "dry_run")]
    pub(crate) output: Option<PathBuf>,
    /// Resume an interrupted table
    #[arg(long)]
    pub(crate) resume: bool,
    /// Only the k-th of n parts of the cells: 2/5
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<(u64, u64)>,
    /// Cells side by side [default: all cores]
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Memory of the whole sweep: 500M, 2G [default: half of what is available]
    #[arg(long, help_heading = "Limits", value_name = "SIZE")]
    memory_limit: Option<ByteSize>,
    /// Start even a sweep of more than 100,000 cells or, by the prediction, 24 hours
    #[arg(long)]
    pub(crate) yes: bool,
    /// Only say how many cells there are and what they may take
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) grid: GridArgs,
    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

impl SweepArgs {
    /// Limits of the whole sweep, but for the time, which is for each cell.
    pub(crate) fn limits(&self) -> std::io::Result<Limits> {
        limits(None, self.memory_limit, self.jobs)
    }

    pub(crate) fn memory_limit_given(&self) -> Option<u64> {
        self.memory_limit.map(|size| size.as_u64())
    }
}

/// The grid: lists between commas, ranges A..B and A..B/STEP.
#[derive(Debug, Args)]
#[command(next_help_heading = "Grid")]
pub(crate) struct GridArgs {
    /// Kernel strings
    #[arg(long, value_name = "A,B")]
    pub(crate) kernels: Option<String>,
    /// A file of kernel strings, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) kernels_file: Option<String>,
    /// All strings of these lengths: 1..6
    #[arg(long, value_name = "LENGTHS")]
    pub(crate) all_strings: Option<String>,
    /// Random strings: length=8,count=100,share=0.5,seed=7 (share: of L's); several lists between semicolons
    #[arg(long, value_name = "LIST")]
    pub(crate) random: Option<String>,
    /// Numbers of warps: 1..64,128
    #[arg(long, value_name = "NUMBERS")]
    pub(crate) warps: Option<String>,
    /// sigma_L: 1,1/2 [default: 1]
    #[arg(long, value_name = "R,R")]
    pub(crate) sigma_l: Option<String>,
    /// sigma_C: 1,2 [default: 1]
    #[arg(long, value_name = "R,R")]
    pub(crate) sigma_c: Option<String>,
    /// Instead of sigmas: 2.0,3.5
    #[arg(long, value_name = "X.Y")]
    pub(crate) compute_capabilities: Option<String>,
    /// auto, states, phase, ilp-short, ilp-long, ilp-aggregated (each also -plain: as published, with its horizon), bounds [default: auto]
    #[arg(long, value_name = "NAMES")]
    pub(crate) engines: Option<String>,
    /// The x of the estimate (Be12 Eq. 42) [default: 4 where the closed form gives T(y), else no estimate]
    #[arg(long, value_name = "NUMBERS")]
    pub(crate) up_to: Option<String>,
    /// For each cell, and again for its estimate: 30s, 5m [default: 1m]
    #[arg(long, value_name = "TIME")]
    pub(crate) time_limit: Option<String>,
    /// Also simulate warp-scheduling policies: lrr, gto, oldest, rt-paws, random, cggty [default: none]
    #[arg(long, value_name = "NAMES")]
    pub(crate) policies: Option<String>,
}

impl GridArgs {
    /// The flags that are given, by the keys of a grid file.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let values = [
            &self.kernels,
            &self.kernels_file,
            &self.all_strings,
            &self.random,
            &self.warps,
            &self.sigma_l,
            &self.sigma_c,
            &self.compute_capabilities,
            &self.engines,
            &self.up_to,
            &self.time_limit,
            &self.policies,
        ];
        KEYS.into_iter().zip(values).filter_map(|(key, value)| Some((key, value.as_ref()?)))
    }
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    parts.filter(|&(k, n)| 1 <= k && k <= n).ok_or_else(|| "want K/N with 1 <= K <= N".to_owned())
}
