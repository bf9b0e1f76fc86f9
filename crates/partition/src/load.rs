//! The demand of the tasks of a partition: each task's execution time, by its conflict and the size of the
//! partition.

use crate::sporadic::Sporadic;
use crate::{Kind, TaskSet, Test, Undecided};
use warpspan_model::limits::{Limits, Stop};

/// Whether tasks of a kind are in conflict among these tasks: they are if there are two or more (Si21 section
/// 3.4.2).
pub(super) fn conflict(set: &TaskSet, tasks: &[usize], kind: Kind) -> bool {
    tasks.iter().filter(|&&task| set.tasks()[task].kind() == kind).nth(1).is_some()
}

/// The tasks as they run in a partition of this size, each with C by its conflict (Si21 section 3.4.2).
pub(super) fn load(set: &TaskSet, tasks: &[usize], multiprocessors: usize) -> Vec<Sporadic> {
    let [memory, compute] = Kind::ALL.map(|kind| conflict(set, tasks, kind));
    let one = |&task: &usize| {
        let task = &set.tasks()[task];
        let conflict = match task.kind() {
            Kind::Memory => memory,
            Kind::Compute => compute,
        };
        Sporadic {
            execution: task.execution().on(multiprocessors, conflict).0,
            period: task.period().0,
            deadline: task.deadline().0,
        }
    };
    tasks.iter().map(one).collect()
}

/// U of Si21 Definition 4, corrected: the sum of C/T, where the text has the sum of C.
pub(super) fn utilisation(set: &TaskSet, tasks: &[usize], multiprocessors: usize) -> f64 {
    load(set, tasks, multiprocessors).iter().map(Sporadic::utilisation).sum()
}

/// What is known about the smallest size at which tasks meet all deadlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Smallest {
    /// It is proved that no smaller size will do.
    pub(super) at_least: usize,
    /// The smallest size that was accepted; it equals `at_least` unless a test was undecided.
    pub(super) accepted: Option<usize>,
}

/// Finds the smallest of the set's sizes from `least` to `most` at which these tasks meet all deadlines.
/// Binary search is right, since C never grows with the size and longer execution times never help.
///
/// # Errors
/// If a limit stops it. A test that is undecided is not an error.
pub(super) fn smallest(
    set: &TaskSet,
    test: Test,
    tasks: &[usize],
    [least, most]: [usize; 2],
    limits: &Limits,
) -> Result<Smallest, Stop> {
    let sizes = set.sizes();
    // The sizes before `low` are too small; those from `end` on are accepted, or nothing is known of them.
    let mut low = sizes.partition_point(|&size| size < least);
    let mut end = sizes.partition_point(|&size| size <= most);
    let (mut at, mut accepted) = (end.saturating_sub(1), None);
    while low < end {
        match test.accepts(&load(set, tasks, sizes[at]), limits) {
            Ok(false) => low = at + 1,
            Ok(true) => (accepted, end) = (Some(sizes[at]), at),
            Err(Undecided::TooLong) => end = at,
            Err(Undecided::Stopped(stop)) => return Err(stop),
        }
        at = low.midpoint(end);
    }
    let at_least = sizes.get(low).copied().unwrap_or(set.multiprocessors() + 1);
    Ok(Smallest { at_least, accepted })
}
