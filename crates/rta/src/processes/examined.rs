//! What is known of each task, and the verdict on all of them.

use crate::processes::published::published;
use crate::processes::{NoBound, Scheduling, TaskSet, Waiting, bounds};
use crate::shared::of_slices;
use crate::{DeadlineMet, Verdict};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::time::Duration;

/// What is known of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// No job takes longer from its arrival.
    pub bound: Result<Duration, NoBound>,
    /// A job may take so long: all its times, alone. None of a best-effort task, whose times are not known.
    pub least: Option<Duration>,
    /// What the equations of GCAPS give, which may be too low.
    pub published: Option<Duration>,
    /// Whether all jobs meet the deadline; a best-effort task has none.
    pub meets: Option<DeadlineMet>,
}

/// What is known of a set of tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// Whether all jobs of all tasks with a period meet their deadlines.
    pub verdict: Verdict,
    /// Each task.
    pub tasks: Vec<Outcome>,
}

/// Bounds, estimates and verdicts of all tasks.
pub fn examine(set: &TaskSet) -> Examined {
    let outcome = |((task, bound), published): ((&crate::processes::Task, _), _)| {
        let least = task.recurring.map(|_| Duration(u64::try_from(task.least()).unwrap_or(u64::MAX)));
        let meets = task.recurring.map(|every| match bound {
            Ok(bound) if bound <= every.deadline => DeadlineMet::Yes,
            _ if least > Some(every.deadline) => DeadlineMet::No,
            _ => DeadlineMet::Unknown,
        });
        Outcome { bound, least, published, meets }
    };
    let tasks: Vec<Outcome> = set.tasks().iter().zip(bounds(set)).zip(published(set)).map(outcome).collect();
    let any = |what| tasks.iter().any(|task| task.meets == Some(what));
    let verdict = if any(DeadlineMet::No) {
        Verdict::Refuted
    } else if any(DeadlineMet::Unknown) {
        Verdict::Undecided
    } else {
        Verdict::Proved
    };
    Examined { verdict, tasks }
}

/// That a task which waits for another's update of the runlist leaves its core.
const LOCK_SUSPENDS: &str =
    "leaves its core, as with a mutex and not as with a spinlock, and less urgent tasks run there";

/// Whether a task may wait for the update of another one and leave its core to a third one. A task that makes an update has its
/// core meanwhile, so that only tasks of other cores wait for it.
fn may_wait_for_an_update(set: &TaskSet) -> bool {
    let tasks = set.tasks();
    let users = || tasks.iter().filter(|task| task.uses_gpu());
    users().any(|waits| {
        users().any(|updates| updates.core != waits.core)
            && tasks.iter().filter(|task| task.core == waits.core).count() > 1
    })
}

/// That no process is missing.
pub(super) fn of_whole_file() -> Assumption {
    Assumption::declared(Id::ProcessWhole, "processes that use the GPU", "every one is in the file")
        .by("the file")
}

/// That processes take turns.
pub(super) fn of_turns() -> Assumption {
    let value = "has the GPU for a slice of work or until it has none, and all processes with work take turns in one ring";
    Assumption::modelled(Id::ProcessTurns, "a process whose turn it is", value)
}

/// What a refuted verdict rests on.
pub fn rests_on_least() -> Vec<Assumption> {
    let value = "may take all its times, alone";
    vec![Assumption::declared(Id::ExecutionLeast, "a job", value).by("times in the file")]
}

/// The times of the tasks of which all are known.
fn numbers(set: &TaskSet) -> Vec<Assumption> {
    let mut all = Vec::new();
    for task in set.tasks() {
        let Some(every) = task.recurring else { continue };
        let mut add = |id, subject: &str, [most, key]: [&str; 2], time: Duration| {
            let value = format!("{most}{} {}", set.unit().write(time), set.unit());
            all.push(Assumption::declared(id, format!("{}, {subject}", task.name), value).by(key));
        };
        add(Id::LaunchArrivals, "time between jobs", ["", "period"], every.period);
        add(Id::ExecutionGiven, "work on its core", ["at most ", "cpu"], task.cpu);
        for (number, segment) in (1..).zip(&task.segments) {
            let subject = format!("launches and calls of GPU segment {number}");
            add(Id::ExecutionGiven, &subject, ["at most ", "misc"], segment.misc);
            add(Id::ExecutionAlone, &format!("GPU segment {number}"), ["at most ", "pure"], segment.pure);
        }
    }
    all
}

/// What the bounds rest on.
pub fn rests_on(set: &TaskSet) -> Vec<Assumption> {
    let jobs = "at most its times, and jobs of a task arrive a period apart or more";
    let segments = "what a job asks of it between two works of its core is one GPU segment, whose pure time holds while nobody \
                    else is on the GPU";
    let cores = "runs the most urgent task that is ready, changes tasks in no time, and best-effort tasks are less urgent than all others";
    let mut all = vec![
        Assumption::declared(Id::ExecutionGiven, "a job", jobs).by("times and periods in the file"),
        Assumption::declared(Id::ExecutionAlone, "the GPU", segments).by("the file"),
        Assumption::modelled(Id::CoreScheduling, "a core", cores),
        of_whole_file(),
    ];
    all.extend(numbers(set));
    match set.scheduling() {
        Scheduling::TimeSlices { slice, switch } => {
            all.extend(of_slices(set.unit(), [slice, switch]));
            all.push(Assumption::modelled(Id::ProcessTurns, "each task", "is a process"));
            all.push(of_turns());
        }
        Scheduling::Preemptive { update } => {
            let value = format!("at most {} {}", set.unit().write(update), set.unit());
            all.push(
                Assumption::declared(Id::ProcessUpdate, "an update of the runlist takes", value).by("update"),
            );
            let asks = "asks for the GPU at the beginning and the end of each GPU segment";
            all.push(Assumption::modelled(Id::ProcessUpdate, "every process", asks));
            let updates = "the most urgent task that has asked has the GPU; one update is made at a time, and nothing interrupts it; when it \
                           is over, the most urgent task makes the next one that wants one and is the most urgent on its core that is ready; \
                           an update after which the same task has the GPU delays nobody";
            all.push(Assumption::modelled(Id::ProcessUpdate, "updates of the runlist", updates));
            if update > Duration::ZERO && may_wait_for_an_update(set) {
                all.push(Assumption::assumed(
                    Id::GcapsLockSuspends,
                    "a task that waits for the update of another one",
                    LOCK_SUSPENDS,
                ));
            }
        }
    }
    if set.waiting() == Waiting::Busy {
        let value = "holds its core while the GPU works for it, but for more urgent tasks";
        all.push(Assumption::modelled(Id::CoreScheduling, "a job", value));
    }
    all
}
