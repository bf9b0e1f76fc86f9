//! The record of `prem`: a time-triggered schedule of tiles. All times are in nanoseconds.

mod measured;
mod offsets;
mod plan;
mod search;
mod simulation;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Assumption;
use crate::Body;
use crate::number::wide;
use crate::verify::Found;
pub use measured::{MeasuredOverlaps, MeasuredPhase, PremMeasured};
pub use offsets::{OffsetRow, PremOffsets, SharedRuns};
pub use plan::{PhaseWork, PremPlan, Size};
pub use search::{Search, SearchEnd};
pub use simulation::{Overrun, Overruns, Simulation};
use warpspan_prem as prem;
pub use warpspan_prem::{Contention, Mode, Phase, Rule};

/// A schedule of tiles in prefetch, compute and writeback phases, and how long it takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prem {
    /// What waits for start times: tiles or phases, of kernels or of blocks.
    pub mode: Mode,
    /// Which memory phases may not overlap.
    pub rule: Rule,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The granularity of the timer.
    pub timer_ns: u64,
    /// When the schedule starts.
    pub start_ns: u64,
    /// From the start of the schedule to the first tile.
    pub warm_up_ns: u64,
    /// The time of a kernel outside its tiles; null where the file does not say, and then 0 is assumed.
    pub prologue_ns: Option<u64>,
    /// The offsets between slots; null where each slot has its own.
    pub offsets: Option<Offsets>,
    /// When the slots of a hyperperiod start.
    pub slots: Vec<Slot>,
    /// The length of a hyperperiod, after which the slots start again.
    pub hyperperiod_ns: u64,
    /// The end of the last writeback by plan, from the start of the schedule; this is no bound.
    pub planned_ns: u64,
    /// An upper bound under the `assumption`, from the launch of the kernels, prologue and warm-up included;
    /// null where there is none.
    pub execution_ns: Option<u64>,
    /// What the bound assumes; null where there is no bound.
    pub assumption: Option<Contention>,
    /// What the numbers rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// Why there is no bound; null where there is one.
    pub no_bound: Option<String>,
    /// Tiles times the sum of the durations, the largest of all kernels: a bound on the time without a
    /// schedule only if the durations are worst cases under contention.
    pub composed_ns: u64,
    /// The same with the durations of kernels that run alone.
    pub isolated_ns: u64,
    /// What the kernels take one after the other, each alone and without a schedule.
    pub one_after_other_ns: u64,
    /// `composed_ns` over `execution_ns`, a whole number or a ratio such as `7/2`; null where there is no
    /// bound.
    pub composed_over_execution: Option<String>,
    /// Pairs of memory phases of different kernels that overlap by plan.
    pub memory_overlaps: u64,
    /// Pairs of memory phases of different blocks of a kernel that overlap by plan.
    pub memory_overlaps_within_kernels: u64,
    /// Whether a slot starts several blocks together, which then overlap phase by phase.
    pub blocks_together: bool,
    /// Whether the planned durations satisfy the strict rule.
    pub strict: bool,
    /// Whether the planned durations satisfy the relaxed rule.
    pub relaxed: bool,
    /// Whether the relaxed rule is satisfied by all durations up to those planned.
    pub relaxed_if_early: bool,
    /// The least offset between prefetches that satisfies the rule; null where there is none.
    pub minimal_offset_ns: Option<u64>,
    /// The least offset between writebacks that satisfies the rule; null where there is none, or writebacks
    /// are not timed.
    pub minimal_writeback_offset_ns: Option<u64>,
    /// The most that rounding to the timer delays a start.
    pub largest_delay_ns: u64,
    /// Hyperperiods after which the overlaps repeat: 1 unless rounding to the timer differs from one to the
    /// next.
    pub pattern: u64,
    /// Which phases overlap by plan.
    pub overlaps: Vec<Overlap>,
    /// How a search for offsets ended; null where there was none.
    pub search: Option<Search>,
    /// The time if memory phases that overlap share the memory; null where the file does not say how.
    #[serde(default)]
    pub sharing: Option<Sharing>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
    /// What was seen in simulated runs; null where there were none.
    pub simulation: Option<Simulation>,
}

impl Body for Prem {
    const SCHEMA: &'static str = "warpspan/prem/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.prem(self))
    }
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its blocks.
    pub blocks: u64,
    /// The tiles of a block.
    pub tiles: u64,
    /// An upper bound on the prefetch of a tile.
    pub prefetch_ns: u64,
    /// An upper bound on the computation of a tile.
    pub compute_ns: u64,
    /// An upper bound on the writeback of a tile.
    pub writeback_ns: u64,
    /// The same while other kernels use memory; null where the file does not say.
    pub contended: Option<Durations>,
    /// An upper bound on the time of this kernel, as `execution_ns` of the whole; null where there is none.
    pub execution_ns: Option<u64>,
}

/// Upper bounds on the phases of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Durations {
    /// On the prefetch.
    pub prefetch_ns: u64,
    /// On the computation.
    pub compute_ns: u64,
    /// On the writeback.
    pub writeback_ns: u64,
}

impl From<prem::Phases> for Durations {
    fn from(prem::Phases { prefetch, compute, writeback }: prem::Phases) -> Self {
        Self { prefetch_ns: prefetch.0, compute_ns: compute.0, writeback_ns: writeback.0 }
    }
}

/// The time if memory phases that overlap share the memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sharing {
    /// How many blocks the memory serves at full speed, a decimal number; null where nothing tells it.
    pub capacity: Option<String>,
    /// How many it is assumed to serve at least; null where the file assumes nothing.
    pub at_least: Option<u64>,
    /// Runs with that capacity, from the first prefetch to the last writeback; null where there are none.
    pub estimate: Option<SharedRuns>,
    /// An upper bound from the launch of the kernels, however the memory is shared; null where nothing is assumed.
    pub bound_ns: Option<u64>,
}

/// Offsets between one slot and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Offsets {
    /// Between prefetches.
    pub prefetch_ns: u64,
    /// Between writebacks; null where writebacks are not timed.
    pub writeback_ns: Option<u64>,
}

/// A slot of the hyperperiod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Slot {
    /// Which kernel, from 1.
    pub kernel: usize,
    /// Which block of the kernel, from 1; null for all of them.
    pub block: Option<u64>,
    /// From the start of a hyperperiod to the prefetch.
    pub prefetch_ns: u64,
    /// From the start of a hyperperiod to the writeback; only planned where whole tiles are scheduled.
    pub writeback_ns: u64,
}

impl From<&prem::Slot> for Slot {
    fn from(slot: &prem::Slot) -> Self {
        Self {
            kernel: slot.kernel + 1,
            block: slot.block.map(|block| block + 1),
            prefetch_ns: slot.prefetch.0,
            writeback_ns: slot.writeback.0,
        }
    }
}

/// Phases that overlap by plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Overlap {
    /// The two kernels, from 1; equal where blocks of one kernel overlap.
    pub kernels: [usize; 2],
    /// A phase of each of the two kernels.
    pub phases: [Phase; 2],
    /// Pairs that overlap in each repetition of the pattern.
    pub steady: u64,
    /// Pairs that overlap in the whole run.
    pub count: u64,
    /// How long a pair overlaps at most.
    pub longest_ns: u64,
    /// How long all pairs overlap together.
    #[serde(deserialize_with = "wide")]
    pub total_ns: u128,
}

impl From<&prem::Overlap> for Overlap {
    fn from(overlap: &prem::Overlap) -> Self {
        Self {
            kernels: [overlap.kernels.0 + 1, overlap.kernels.1 + 1],
            phases: [overlap.phases.0, overlap.phases.1],
            steady: overlap.steady,
            count: overlap.count,
            longest_ns: overlap.longest.0,
            total_ns: overlap.total,
        }
    }
}
