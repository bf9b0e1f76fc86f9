//! What is computed for measured launches: the run by the rules, and the bounds.

use crate::measured::rules::{beyond, drift};
use crate::measured::{Launch, Measurement};
use crate::{Analysis, Event, Execution, Occupancy, Task, bound};
use warpspan_model::limits::Limits;
use warpspan_model::time::Duration;

/// A launch in the computed run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Computed {
    /// The start of its first block.
    pub start: Duration,
    /// The end of its last block.
    pub end: Duration,
    /// How many blocks are on each multiprocessor.
    pub spread: Vec<u64>,
}

/// Each launch in a run of the simulator, which is given by its events, and what a drawing shows of that run.
/// `None` stands for a launch of which no block was placed.
pub fn computed(
    run: &Measurement,
    executions: &[Execution],
    events: &[Event],
) -> (Vec<Option<Computed>>, Occupancy) {
    let times: Vec<Duration> = executions.iter().map(|execution| execution.time).collect();
    let occupancy = Occupancy::new(&run.system, &times, events);
    let mut computed: Vec<Option<Computed>> = vec![None; run.launches.len()];
    for stay in &occupancy.stays {
        let none =
            || Computed { start: stay.start, end: stay.end, spread: vec![0; occupancy.multiprocessors] };
        let launch = computed[stay.kernel].get_or_insert_with(none);
        launch.start = launch.start.min(stay.start);
        launch.end = launch.end.max(stay.end);
        launch.spread[stay.multiprocessor] += stay.blocks * stay.rounds;
    }
    (computed, run.named(occupancy))
}

/// How far a launch goes beyond what was computed for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excess {
    /// The launch, an index of the launches of the run.
    pub launch: usize,
    /// What was measured.
    pub measured: Duration,
    /// What was computed.
    pub computed: Duration,
    /// Whether it is certain: more than the tolerance and the drift of the clocks, whenever within their calls the
    /// launches were made.
    pub is_certain: bool,
}

impl Measurement {
    /// The launches with a block that takes longer than C.
    pub fn beyond_execution(&self, executions: &[Execution], tolerance: Duration) -> Vec<Excess> {
        let times = self.launches.iter().map(Launch::longest).zip(executions).enumerate();
        let excess = times.map(|(launch, (longest, execution))| {
            excess(launch, [longest, execution.time], longest, tolerance)
        });
        excess.flatten().collect()
    }

    /// The launches whose response time exceeds their bound, which is that of launches at the returns of their calls.
    pub fn beyond_bounds(
        &self,
        executions: &[Execution],
        analysis: &Analysis,
        tolerance: Duration,
    ) -> Vec<Excess> {
        let responses = self.launches.iter().zip(&analysis.kernels).enumerate();
        let found = responses.filter_map(|(number, (launch, kernel))| {
            excess(number, [launch.response(), kernel.bound?], launch.end(), tolerance)
        });
        let mut found: Vec<Excess> = found.collect();
        if found.iter().any(|one| one.is_certain) {
            let bounds = self.bounds_from_calls(executions);
            for one in found.iter_mut().filter(|one| one.is_certain) {
                let launch = &self.launches[one.launch];
                let since = beyond(launch.end(), launch.called);
                let over = bounds[one.launch]
                    .and_then(|limit| excess(one.launch, [since, limit], launch.end(), tolerance));
                one.is_certain = over.is_some_and(|over| over.is_certain);
            }
        }
        found
    }

    /// Bounds from the calls of launches, each of which may be made at any time until its call returns.
    fn bounds_from_calls(&self, executions: &[Execution]) -> Vec<Option<Duration>> {
        let tasks = self.system.tasks().iter().zip(&self.launches).map(|(task, launch)| {
            let jitter = beyond(launch.returned, launch.called);
            Task { release: launch.called, jitter, ..task.clone() }
        });
        let none = || vec![None; self.launches.len()];
        let Ok(system) = self.system.with_launches(self.system.streams().to_vec(), tasks.collect()) else {
            return none();
        };
        bound(&system, executions, &Limits::generous()).into_iter().map(|one| one.response.ok()).collect()
    }
}

/// The excess of a launch, if there is one; the clocks have drifted apart until the time `at`.
fn excess(
    launch: usize,
    [measured, computed]: [Duration; 2],
    at: Duration,
    tolerance: Duration,
) -> Option<Excess> {
    let open = tolerance.0.saturating_add(drift(at));
    let over = beyond(measured, computed);
    let is_certain = over.0 > open;
    (over > Duration::ZERO).then_some(Excess { launch, measured, computed, is_certain })
}
