//! The record of `partition` for kernels that run together.

use crate::Assumption;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Body;
use crate::assumption::listed;
use crate::number::number;
use crate::verify::Found;
use warpspan_kernel::input::key;
use warpspan_model::time::Millionths;
use warpspan_partition::{Beside, TaskSet, write_time};

/// Tasks whose kernels run together in one partition, in any work-conserving order of their warps, as under
/// RT-PAWS. Times are in the unit of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoLocated {
    /// Whether all deadlines are proved to hold.
    pub schedulable: bool,
    /// Why no deadline is claimed to hold; null where they hold.
    pub reason: Option<String>,
    /// What the numbers rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// The multiprocessors that there are.
    pub multiprocessors: usize,
    /// The fewest multiprocessors that are proved to suffice; null where none are.
    pub used: Option<usize>,
    /// The fewest multiprocessors that suffice if one kernel runs at a time, by deadline and not preempted; null
    /// where none of those that there are do.
    pub one_at_a_time: Option<usize>,
    /// The tasks; empty where no deadline is claimed to hold.
    pub tasks: Vec<CoLocatedTask>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
}

impl Body for CoLocated {
    const SCHEMA: &'static str = "warpspan/co-located/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.co_located(self))
    }
}

/// A task that co-runs with the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoLocatedTask {
    /// Its name.
    pub name: String,
    /// `memory` or `compute`.
    pub kind: String,
    /// The most blocks of a job on a multiprocessor.
    pub blocks: u64,
    /// The time from the release of a job by which it must be done.
    pub deadline: Number,
    /// The least time between two jobs.
    pub period: Number,
    /// A safe upper bound on the time from the release of a job to its end.
    pub response: Number,
    /// A safe upper bound on the time of a job that has the multiprocessors to itself.
    pub alone: Number,
    /// The time of a job in one simulated run under RT-PAWS, all released together: no bound, since other runs may
    /// take longer; null where the code cannot be simulated.
    pub rt_paws: Option<Number>,
}

impl CoLocatedTask {
    /// Whether the simulated run takes longer than the bound, which must never be.
    pub fn is_refuted(&self) -> bool {
        let real = |number: &Number| number.as_f64();
        self.rt_paws.as_ref().and_then(real) > real(&self.response)
    }
}

impl CoLocated {
    /// The tasks of a set on the fewest multiprocessors that suffice, if any do, with the times of a simulated run
    /// and what one kernel at a time takes.
    pub fn new(
        set: &TaskSet,
        fits: Option<(usize, Vec<Beside>)>,
        observed: Option<Vec<Millionths>>,
        one_at_a_time: Option<usize>,
        reason: Option<String>,
    ) -> Self {
        let time = |time: Millionths| number(&write_time(time));
        let used = fits.as_ref().map(|(used, _)| *used);
        let beside =
            fits.into_iter().flat_map(|(used, beside)| beside.into_iter().map(move |one| (used, one)));
        let task = |(at, (used, beside)): (usize, (usize, Beside))| {
            let task = &set.tasks()[at];
            CoLocatedTask {
                name: task.name().to_owned(),
                kind: task.kind().name().to_owned(),
                blocks: beside.blocks,
                deadline: time(task.deadline()),
                period: time(task.period()),
                response: time(beside.response),
                alone: time(task.execution().on(used, false)),
                rt_paws: observed.as_ref().and_then(|times| times.get(at)).map(|&one| time(one)),
            }
        };
        Self {
            schedulable: used.is_some(),
            reason,
            assumptions: listed(set.rests_on(None), key),
            multiprocessors: set.multiprocessors(),
            used,
            one_at_a_time,
            tasks: beside.enumerate().map(task).collect(),
            notes: set.notes().iter().map(|note| note.worded(key)).collect(),
        }
    }

    /// The same, with what else should be known.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }
}
