//! GCAPS: the most urgent process has the GPU, and updates of the runlist cost time.
//!
//! # The rules
//!
//! A GPU segment is: an update of the runlist; `G^m` on the core and `G^e` on the GPU; another update. From the end of the
//! first update to the end of the second one its task is *active*. The most urgent active task has the GPU to itself, also
//! while it has nothing for it. An update takes epsilon on the core of its task, and nothing interrupts it; one is made
//! at a time. A task takes the right to it when it is free, while it runs on its core, the most urgent of several first;
//! until then it leaves the core. An update that does not change who has the GPU does not stop the GPU.
//!
//! This is what GCAPS describes; its Algorithm 1 as printed does otherwise where a task that was preempted on the GPU ends
//! its segment (docs/errata.md).
//!
//! # The sets
//!
//! The *holders* of a task i are the more urgent tasks that use the GPU, if i uses it; if it does not, and jobs wait on
//! their cores, the tasks that use the GPU and are more urgent than p, the least urgent one of `hpp` that does. The tasks
//! Q that may delay i are `hpp`, the holders, and on the core of each holder all that are more urgent than it.
//! On another core the least urgent holder counts with `G^m + G^e + 2 epsilon eta`, every other task of Q there with all that
//! it does: `C + G^m + G^e + 2 epsilon eta`. On the core of i a task counts with all that it does, but for `G^e` where i
//! does not use the GPU and jobs suspend.
//!
//! # The claim
//!
//! At each moment of a job of i, the job does something, or a task of Q does some of what counts of it, or an update of
//! another task is under way and *blocks*. For let the job do nothing, with waiting on the core not followed. If it is
//! ready, its core runs a task of `hpp`, or an update blocks. If it waits for the right to an update, somebody updates.
//! If it waits for the GPU, the most urgent active task h is a holder. Either h is on the GPU or the core; or its core runs
//! a more urgent task, which is in Q (and does not merely wait for the GPU on the core, since it would be active and more
//! urgent); or an update of another task is in its way, on the core or before its own second update.
//! Where jobs wait on the core, the same holds of the most urgent of `hpp` and i that is under way, in the window of
//! [`slices`](super::slices), with all holders among those of i.
//!
//! GCAPS counts `G^e + 2 epsilon eta` of a holder on another core alone (Eq. 10, 11, 13), but it has the GPU also during its `G^m`,
//! and while a more urgent task keeps it from its core before its second update.
//!
//! # How often updates block
//!
//! Two updates that block overlap nowhere, and the task x of one is less urgent than all that use the GPU among Q and i. So
//! when x took the right, none of these was running and wanted it. In epsilon from there one of these must happen, each of
//! which counts for one update: i or a holder asks for the right; it arrives or comes back from the GPU, and x has its core;
//! or it wants the right, and a more urgent task leaves its core to it. So there are at most, each times epsilon:
//!
//! | of | suspended | on the core |
//! |---|---|---|
//! | the job of i | 1 + 3 eta | 1 + 2 eta |
//! | a job of a holder | 2 eta | eta, or 2 eta on the core of i |
//! | a job of a task of Q that leaves a core where another one may wait for the right | 1 + 3 eta | 1 + 2 eta |
//!
//! and no more than 2 eta times the jobs of the tasks that may block, where all of these have bounds. GCAPS has 1 + eta for
//! the job of i and nothing for the others (Eq. 9), although a segment has two updates that may have to wait.

use crate::processes::window::{Found, arriving, meeting, no_bound_above, sum, times, within};
use crate::processes::{TaskSet, Waiting};

/// What of a task in Q counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// Nothing: it is not in Q.
    Nothing,
    /// What it does on its core.
    Core,
    /// What it does in its GPU segments.
    Segments,
    /// All that it does.
    All,
}

/// The right-hand side for a task.
pub(super) fn next(set: &TaskSet, update: u128, task: usize, found: &[Found]) -> Found {
    let tasks = set.tasks();
    let busy = set.waiting() == Waiting::Busy;
    let window = found[task]?;
    let on_core = |other: usize| tasks[other].core == tasks[task].core;
    let segments = |other: usize| tasks[other].segments.len() as u128;
    let updates = |other: usize| times(2 * segments(other), update);
    // The least urgent task whose waiting for the GPU can delay this one.
    let waits = if tasks[task].uses_gpu() {
        Some(task)
    } else if busy {
        let above = set.above_on_core(task).filter(|&other| tasks[other].uses_gpu());
        above.min_by_key(|&other| tasks[other].priority)
    } else {
        None
    };
    let holds = |other: usize| tasks[other].uses_gpu() && waits.is_some_and(|least| set.above(other, least));
    let counts = |other: usize| {
        let above = |holder: usize| tasks[holder].core == tasks[other].core && set.above(other, holder);
        match () {
            () if other == task => Counts::Nothing,
            () if on_core(other) && !set.above(other, task) => Counts::Nothing,
            () if on_core(other) && (waits.is_some() || busy) => Counts::All,
            () if on_core(other) => Counts::Core,
            () if (0..tasks.len()).any(|holder| holds(holder) && above(holder)) => Counts::All,
            () if holds(other) => Counts::Segments,
            () => Counts::Nothing,
        }
    };
    let cost = |other: usize, what: Counts| {
        let of = &tasks[other];
        let misc = of.on_core() - u128::from(of.cpu.0);
        match what {
            Counts::Nothing => Ok(0),
            Counts::Core => sum([Ok(of.on_core()), updates(other)]),
            Counts::Segments => sum([Ok(misc), Ok(of.on_gpu()), updates(other)]),
            Counts::All => sum([Ok(of.on_core()), Ok(of.on_gpu()), updates(other)]),
        }
    };
    let all = || (0..tasks.len()).map(|other| (other, counts(other)));
    let there = || all().filter(|(_, what)| *what != Counts::Nothing);
    // Where jobs wait on the core, the window begins when none of the more urgent tasks of the core is under way.
    let arrives = |other: usize| busy && on_core(other);
    let missing = |other: usize, taken: Found| no_bound_above(other, taken);
    let others = sum(there().map(|(other, what)| {
        let cost = cost(other, what)?;
        if arrives(other) {
            return times(arriving(set, other, window)?, cost);
        }
        missing(other, within(set, other, window, cost, found))
    }));
    let own = sum([Ok(tasks[task].on_core()), Ok(tasks[task].on_gpu()), updates(task)]);

    // The updates that block.
    let may_block =
        |other: &usize| *other != task && counts(*other) == Counts::Nothing && tasks[*other].uses_gpu();
    let blocking: Vec<usize> = (0..tasks.len()).filter(may_block).collect();
    let on_own_core = blocking.iter().any(|&other| on_core(other));
    if blocking.is_empty() || waits.is_none() && !on_own_core {
        return sum([own, others]);
    }
    let suspended = u128::from(!busy);
    if waits.is_none() {
        return sum([own, others, Ok(update)]);
    }
    let events = sum(there().map(|(other, _)| {
        let eta = segments(other);
        let jobs = if arrives(other) {
            arriving(set, other, window)?
        } else {
            missing(other, meeting(set, other, window, found))?
        };
        let of_holder = if holds(other) { eta * if busy && !on_core(other) { 1 } else { 2 } } else { 0 };
        let leaves = 1 + eta * (2 + suspended);
        times(jobs, of_holder + leaves)
    }));
    let events = sum([events, Ok(1 + segments(task) * (2 + suspended))])?;
    let made =
        sum(blocking.iter().map(|&other| times(meeting(set, other, window, found)?, 2 * segments(other))));
    let blocks = made.map_or(events, |made| made.min(events));
    sum([own, others, times(blocks, update)])
}
