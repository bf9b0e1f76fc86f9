//! What simulated runs of a schedule have shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::prem::Phase;
use warpspan_prem as prem;

/// What was seen in simulated runs; an estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Simulation {
    /// Always `estimate`: what was seen is no bound.
    pub side: String,
    /// Whether durations grow where memory phases overlap; they never do.
    pub contention: bool,
    /// Durations are at least so many percent of those planned.
    pub low_percent: u64,
    /// Durations are at most so many percent of those planned.
    pub high_percent: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// How many runs there were.
    pub runs: u64,
    /// Phases that ended later than planned.
    pub overruns: Overruns,
    /// The longest time by which a phase ended later than planned.
    pub longest_overrun_ns: u64,
    /// Phases that started later than planned because the phase before ended late.
    pub late_starts: u64,
    /// Pairs of memory phases of different kernels that overlapped.
    pub memory_overlaps: u64,
    /// The shortest run.
    pub shortest_ns: u64,
    /// The longest run.
    pub longest_ns: u64,
    /// The range of the times of the runs over their mean, in percent.
    pub jitter_percent: f64,
}

/// Phases that ended later than planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Overruns {
    /// How many prefetches did.
    pub prefetch: u64,
    /// How many computations did.
    pub compute: u64,
    /// How many writebacks did.
    pub writeback: u64,
    /// The first of them.
    pub first: Vec<Overrun>,
}

/// A phase that ended later than planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Overrun {
    /// In which run, from 1.
    pub run: u64,
    /// Of which kernel, from 1.
    pub kernel: usize,
    /// Of which block, from 1.
    pub block: u64,
    /// Of which tile, from 1.
    pub tile: u64,
    /// Which phase.
    pub phase: Phase,
    /// By how much.
    pub by_ns: u64,
}

impl From<&prem::Overrun> for Overrun {
    fn from(overrun: &prem::Overrun) -> Self {
        Self {
            run: overrun.run + 1,
            kernel: overrun.kernel + 1,
            block: overrun.block + 1,
            tile: overrun.tile + 1,
            phase: overrun.phase,
            by_ns: overrun.by.0,
        }
    }
}
