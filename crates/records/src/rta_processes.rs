//! The record of `rta` for several processes on one GPU: tasks with CPU and GPU segments, or kernels.

use crate::Assumption;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Body;
use crate::assumption::{listed, of_bounds};
use crate::number::{lower, number};
use crate::rta::{CheckedBounds, Gpu, Meets, Verdict};
use crate::verify::Found;
use warpspan_check::bound::statement;
use warpspan_kernel::input::key;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_model::words;
pub use warpspan_rta::processes::Waiting;
use warpspan_rta::processes::{self, Examined, Scheduling, TaskSet, kernels};
use warpspan_rta::{self as rta, Shared};

/// An analysis of several processes on one GPU. All times are in its `unit`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RtaProcesses {
    /// Whether all jobs, or all launches, meet their deadlines.
    pub verdict: Verdict,
    /// What the bounds follow from.
    pub checked: CheckedBounds,
    /// What the verdict rests on, and the numbers but for those of `bounds_rest_on`, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// What response bounds rest on, where the verdict is `refuted` and so rests on something else; else absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds_rest_on: Vec<Assumption>,
    /// What the file leaves out that would make bounds smaller, a sentence for each kernel; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mends: Vec<String>,
    /// Whether the verdict is `proved`.
    pub schedulable: bool,
    /// The unit of all times.
    pub unit: TimeUnit,
    /// Who has the GPU.
    pub scheduling: Sharing,
    /// What a job does on its core while the GPU works for it; null of kernels.
    pub waiting: Option<Waiting>,
    /// L: a turn ends after so long at the latest; null where processes take no turns.
    pub slice: Option<Number>,
    /// theta: how long it takes to change to another process; null where processes take no turns.
    pub switch: Option<Number>,
    /// epsilon: how long an update of the runlist takes; null where there are none.
    pub update: Option<Number>,
    /// The processes; of tasks, each of which is one, their names.
    pub processes: Vec<String>,
    /// The cores that tasks run on; empty of kernels.
    pub cores: Vec<String>,
    /// What kernels run on; null of tasks.
    pub gpu: Option<Gpu>,
    /// The tasks, each a process of its own; empty of kernels.
    pub tasks: Vec<Task>,
    /// The kernels; empty of tasks.
    pub kernels: Vec<Kernel>,
}

impl Body for RtaProcesses {
    const SCHEMA: &'static str = "warpspan/rta-processes/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.rta_processes(self))
    }
}

words! {
    /// Who has the GPU.
    Sharing {
        /// Processes with work take turns.
        TimeSlices = "time-slices",
        /// The most urgent process has it.
        Preemptive = "preemptive",
    }
}

/// What is known of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// Its core.
    pub core: String,
    /// A larger one is more urgent; null of a best-effort task.
    pub priority: Option<i64>,
    /// The least time between arrivals; null of a best-effort task.
    pub period: Option<Number>,
    /// Its deadline, from the arrival; null of a best-effort task.
    pub deadline: Option<Number>,
    /// A job that takes all its times takes no less; null of a best-effort task, whose times are not known.
    pub response_least: Option<Number>,
    /// No job takes longer from its arrival; null for the `reason`.
    pub response_bound: Option<Number>,
    /// What the equations of GCAPS give as they are printed, which may be too low; null where they give nothing.
    pub published_estimate: Option<Number>,
    /// Whether all jobs meet the deadline; null of a best-effort task.
    pub meets: Option<Meets>,
    /// Why `meets` is not `yes`; else null.
    pub reason: Option<String>,
}

/// What is known of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its process.
    pub process: String,
    /// The least time between launches; null where it is launched once.
    pub period: Option<Number>,
    /// Its deadline, from the arrival; null where it has none.
    pub deadline: Option<Number>,
    /// C, the most time of a block in the turns of its process.
    pub execution: Number,
    /// Blocks of a launch.
    pub blocks: u64,
    /// Threads of a block.
    pub threads_per_block: u64,
    /// No launch whose blocks take C is faster; null where C says nothing of that.
    pub response_least: Option<Number>,
    /// No launch takes longer from its arrival; null for the `reason`.
    pub response_bound: Option<Number>,
    /// Whether all launches meet the deadline; of a kernel without one, whether there is a bound.
    pub meets: Meets,
    /// Why `meets` is not `yes`; else null.
    pub reason: Option<String>,
}

impl RtaProcesses {
    /// The record of tasks, with the reason of each that is not proved.
    pub fn of_tasks(set: &TaskSet, examined: &Examined, reason: impl Fn(usize) -> Option<String>) -> Self {
        let write = |time: Duration| number(&set.unit().write(time));
        let task = |(index, (task, found)): (usize, (&processes::Task, &processes::Outcome))| Task {
            name: task.name.clone(),
            core: set.cores()[task.core].clone(),
            priority: task.recurring.map(|_| task.priority),
            period: task.recurring.map(|every| write(every.period)),
            deadline: task.recurring.map(|every| write(every.deadline)),
            response_least: found.least.map(|time| lower(&set.unit().write(time))),
            response_bound: found.bound.ok().map(write),
            published_estimate: found.published.map(write),
            meets: found.meets,
            reason: reason(index),
        };
        let (evidence, scheduling, slice, switch, update) = match set.scheduling() {
            Scheduling::TimeSlices { slice, switch } => {
                (&statement::TIME_SLICES, Sharing::TimeSlices, Some(slice), Some(switch), None)
            }
            Scheduling::Preemptive { update } => {
                (&statement::PREEMPTIVE_PROCESSES, Sharing::Preemptive, None, None, Some(update))
            }
        };
        Self {
            verdict: examined.verdict,
            checked: evidence.into(),
            assumptions: match examined.verdict {
                rta::Verdict::Refuted => listed(processes::rests_on_least(), key),
                rta::Verdict::Proved | rta::Verdict::Undecided => listed(processes::rests_on(set), key),
            },
            bounds_rest_on: of_bounds(
                (examined.verdict, examined.tasks.iter().any(|task| task.bound.is_ok())),
                || processes::rests_on(set),
            ),
            mends: Vec::new(),
            schedulable: examined.verdict == rta::Verdict::Proved,
            unit: set.unit(),
            scheduling,
            waiting: Some(set.waiting()),
            slice: slice.map(write),
            switch: switch.map(write),
            update: update.map(write),
            processes: set.tasks().iter().map(|task| task.name.clone()).collect(),
            cores: set.cores().to_vec(),
            gpu: None,
            tasks: set.tasks().iter().zip(&examined.tasks).enumerate().map(task).collect(),
            kernels: Vec::new(),
        }
    }

    /// The record of kernels, with the reason of each that is not proved.
    pub fn of_kernels(
        shared: &Shared,
        verdict: rta::Verdict,
        outcomes: &[kernels::Outcome],
        reason: impl Fn(usize) -> Option<String>,
    ) -> Self {
        let system = shared.system();
        let write = |time: Duration| number(&system.unit().write(time));
        let kernel = |(index, (task, found)): (usize, (&rta::Task, &kernels::Outcome))| Kernel {
            name: task.name.clone(),
            process: shared.processes()[shared.process()[index]].clone(),
            period: task.period.map(write),
            deadline: task.deadline.map(write),
            execution: write(kernels::given(task)),
            blocks: task.blocks,
            threads_per_block: task.threads,
            response_least: found.least.map(|time| lower(&system.unit().write(time))),
            response_bound: found.bound.ok().map(write),
            meets: found.meets,
            reason: reason(index),
        };
        Self {
            verdict,
            checked: (&statement::TIME_SLICES_OF_KERNELS).into(),
            assumptions: match verdict {
                rta::Verdict::Refuted => listed(kernels::rests_on_least(shared), key),
                rta::Verdict::Proved | rta::Verdict::Undecided => listed(kernels::rests_on(shared), key),
            },
            bounds_rest_on: of_bounds((verdict, outcomes.iter().any(|one| one.bound.is_ok())), || {
                kernels::rests_on(shared)
            }),
            mends: system.mends().to_vec(),
            schedulable: verdict == rta::Verdict::Proved,
            unit: system.unit(),
            scheduling: Sharing::TimeSlices,
            waiting: None,
            slice: Some(write(shared.slice())),
            switch: Some(write(shared.switch())),
            update: None,
            processes: shared.processes().to_vec(),
            cores: Vec::new(),
            gpu: Some(system.into()),
            tasks: Vec::new(),
            kernels: system.tasks().iter().zip(outcomes).enumerate().map(kernel).collect(),
        }
    }
}
