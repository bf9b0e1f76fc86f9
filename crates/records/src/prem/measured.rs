//! The record of `prem --measured`: measured times compared with the schedule and its bound. All times are in
//! nanoseconds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Assumption;
use crate::Body;
use crate::assumption::listed;
use crate::prem::{Contention, Mode, Phase};
use crate::verify::Found;
use warpspan_kernel::input::key;
use warpspan_prem as prem;

/// Measured times, with the schedule and its bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PremMeasured {
    /// What waits for start times, by the file.
    pub mode: Mode,
    /// The granularity of the timer by which phases start and are measured; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer_ns: Option<u64>,
    /// How many runs were measured.
    pub runs: usize,
    /// The shortest run, from the first start of a block to the last end of one.
    pub shortest_ns: u64,
    /// The mean of the runs, rounded down.
    pub mean_ns: u64,
    /// The longest run.
    pub longest_ns: u64,
    /// The range of the runs over their mean, in percent.
    pub jitter_percent: f64,
    /// The end of the last writeback by plan; this is no bound.
    pub planned_ns: u64,
    /// The upper bound on a run; null where there is none.
    pub execution_ns: Option<u64>,
    /// What the bound assumes; null where there is no bound.
    pub assumption: Option<Contention>,
    /// What the numbers rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// Whether a run took longer than the bound for certain, which refutes what it assumes.
    pub exceeds: bool,
    /// The phases; empty where they were not recorded.
    pub phases: Vec<MeasuredPhase>,
    /// Whether a phase took longer than the bound assumes, for certain.
    pub breaks: bool,
    /// The memory phases that overlapped; null where their starts were not recorded.
    pub overlaps: Option<MeasuredOverlaps>,
}

impl Body for PremMeasured {
    const SCHEMA: &'static str = "warpspan/prem-measured/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.prem_measured(self))
    }
}

/// The measured times of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredPhase {
    /// The phase.
    pub phase: Phase,
    /// The shortest.
    pub shortest_ns: u64,
    /// The one in the middle; of two, the longer.
    pub median_ns: u64,
    /// The mean, rounded down.
    pub mean_ns: u64,
    /// The longest.
    pub longest_ns: u64,
    /// The longest after the first tile of each block; null where blocks have one tile.
    pub longest_later_ns: Option<u64>,
    /// The duration that the file gives.
    pub planned_ns: u64,
    /// The duration that the bound rests on; null where there is no bound.
    pub granted_ns: Option<u64>,
    /// How many took longer than that for certain.
    pub above: usize,
}

/// Memory phases that overlapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredOverlaps {
    /// Pairs of memory phases of different kernels.
    pub between_kernels: u64,
    /// Pairs of memory phases of different blocks of a kernel.
    pub within_kernels: u64,
    /// The most blocks in memory phases at one time.
    pub most_at_once: u64,
}

impl PremMeasured {
    /// The record of a comparison with this schedule.
    pub fn new(compared: &prem::Compared, schedule: &prem::Schedule) -> Self {
        let phase = |times: &prem::PhaseTimes| MeasuredPhase {
            phase: times.phase,
            shortest_ns: times.shortest.0,
            median_ns: times.median.0,
            mean_ns: times.mean.0,
            longest_ns: times.longest.0,
            longest_later_ns: times.longest_later.map(|ns| ns.0),
            planned_ns: times.planned.0,
            granted_ns: times.granted.map(|ns| ns.0),
            above: times.above,
        };
        let makespan = compared.makespan;
        Self {
            mode: schedule.mode(),
            timer_ns: Some(compared.timer.0),
            runs: makespan.runs,
            shortest_ns: makespan.shortest.0,
            mean_ns: makespan.mean.0,
            longest_ns: makespan.longest.0,
            jitter_percent: makespan.jitter(),
            planned_ns: prem::planned_end(schedule).0,
            execution_ns: compared.execution.map(|execution| execution.time().0),
            assumption: compared.execution.map(|execution| execution.assumption()),
            assumptions: {
                let phases = compared.execution.map(|execution| execution.assumption().rests_on());
                listed(phases.into_iter().chain(schedule.tile_set().rests_on()), key)
            },
            exceeds: compared.exceeds(),
            phases: compared.phases.iter().map(phase).collect(),
            breaks: compared.breaks(),
            overlaps: compared.crowd.map(|crowd| MeasuredOverlaps {
                between_kernels: crowd.between,
                within_kernels: crowd.within,
                most_at_once: crowd.most,
            }),
        }
    }
}
