//! The record of `prem --offsets`: time and jitter over a range of offsets. All times are in nanoseconds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Assumption;
use crate::Body;
use crate::prem::{Contention, Mode};
use crate::verify::Found;
use warpspan_prem as prem;

/// Time and jitter over a range of offsets between prefetches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PremOffsets {
    /// What waits for start times: tiles or phases, of kernels or of blocks.
    pub mode: Mode,
    /// The granularity of the timer that starts phases; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer_ns: Option<u64>,
    /// How many blocks the memory serves at full speed, a decimal number; null where nothing tells it, and then there are no
    /// estimates.
    pub capacity: Option<String>,
    /// How many it is assumed to serve at least; null where the file assumes nothing, and then there is no `shared_bound_ns`.
    pub at_least: Option<u64>,
    /// Phases take at least so many percent of their durations in the runs.
    pub low_percent: u64,
    /// Phases take at most so many percent of their durations in the runs.
    pub high_percent: u64,
    /// The runs for each offset.
    pub runs: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Runs without a schedule, all kernels starting at once; null where there are no estimates.
    pub unscheduled: Option<SharedRuns>,
    /// A row for each offset, as far as the sweep came.
    pub rows: Vec<OffsetRow>,
    /// What the numbers rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
}

impl Body for PremOffsets {
    const SCHEMA: &'static str = "warpspan/prem-offsets/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.prem_offsets(self))
    }
}

/// Times of runs in which memory phases that overlap share the memory; an estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedRuns {
    /// Always `estimate`: what a model with a fitted capacity says is no bound.
    pub side: String,
    /// The shortest run.
    pub shortest_ns: u64,
    /// The mean of the runs, rounded down.
    pub mean_ns: u64,
    /// The longest run.
    pub longest_ns: u64,
    /// The range of the runs over their mean, in percent.
    pub jitter_percent: f64,
}

impl From<prem::Seen> for SharedRuns {
    fn from(seen: prem::Seen) -> Self {
        Self {
            side: "estimate".to_owned(),
            shortest_ns: seen.shortest.0,
            mean_ns: seen.mean.0,
            longest_ns: seen.longest.0,
            jitter_percent: seen.jitter(),
        }
    }
}

/// What is known of an offset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OffsetRow {
    /// The offset between prefetches.
    pub prefetch_ns: u64,
    /// The offset between writebacks; null where writebacks are not timed.
    pub writeback_ns: Option<u64>,
    /// Why there is no schedule with this offset; null where there is one.
    pub refused: Option<String>,
    /// The length of a hyperperiod; null where there is no schedule.
    pub hyperperiod_ns: Option<u64>,
    /// The end of the last writeback by plan; this is no bound. Null where there is no schedule.
    pub planned_ns: Option<u64>,
    /// Runs with shared memory; null where there is no schedule or no capacity.
    pub estimate: Option<SharedRuns>,
    /// An upper bound from the launch of the kernels, however the memory is shared, if it serves `at_least` so many blocks;
    /// null where there is none.
    pub shared_bound_ns: Option<u64>,
    /// An upper bound from the launch of the kernels by the durations of phases; null where there is none.
    pub execution_ns: Option<u64>,
    /// What `execution_ns` assumes; null where it is.
    pub assumption: Option<Contention>,
}

impl From<&prem::At> for OffsetRow {
    fn from(at: &prem::At) -> Self {
        let schedule = at.schedule.as_ref().ok();
        let timed = schedule.filter(|schedule| schedule.mode().times_writebacks());
        Self {
            prefetch_ns: at.offset.0,
            writeback_ns: timed.and_then(|schedule| Some(schedule.offsets()?.writeback.0)),
            refused: at.schedule.as_ref().err().map(ToString::to_string),
            hyperperiod_ns: schedule.map(|schedule| schedule.hyperperiod().0),
            planned_ns: at.planned.map(|ns| ns.0),
            estimate: at.seen.map(Into::into),
            shared_bound_ns: at.shared.map(|ns| ns.0),
            execution_ns: at.execution.map(|execution| execution.time().0),
            assumption: at.execution.map(|execution| execution.assumption()),
        }
    }
}
