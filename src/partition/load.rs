//! What the tasks of a partition demand: each task's execution time by its conflict and the size of the partition.

use crate::partition::{Kind, TaskSet, Test};

/// A task as a test on one processor sees it; all in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sporadic {
    /// C > 0.
    pub execution: u64,
    /// T, the least distance of jobs.
    pub period: u64,
    /// D, at most T.
    pub deadline: u64,
}

impl Sporadic {
    /// C/T, to the precision of a float: to compare partitions by, not to prove anything.
    pub fn utilisation(&self) -> f64 {
        real(self.execution) / real(self.period)
    }
}

/// Whether tasks of a kind are in conflict among these: there are two or more (Si21 section 3.4.2).
pub(super) fn conflict(set: &TaskSet, tasks: &[usize], kind: Kind) -> bool {
    tasks.iter().filter(|&&task| set.tasks()[task].kind() == kind).nth(1).is_some()
}

/// The tasks as they run in a partition of this size, C by conflict (Si21 section 3.4.2).
pub(super) fn load(set: &TaskSet, tasks: &[usize], multiprocessors: usize) -> Vec<Sporadic> {
    let [memory, compute] = Kind::ALL.map(|kind| conflict(set, tasks, kind));
    let one = |&task: &usize| {
        let task = &set.tasks()[task];
        let conflict = match task.kind() {
            Kind::Memory => memory,
            Kind::Compute => compute,
        };
        Sporadic {
            execution: task.execution().on(multiprocessors, conflict).ticks(),
            period: task.period().ticks(),
            deadline: task.deadline().ticks(),
        }
    };
    tasks.iter().map(one).collect()
}

/// U of Si21 Definition 4, mended: the sum of C/T, where the text has the sum of C.
pub(super) fn utilisation(set: &TaskSet, tasks: &[usize], multiprocessors: usize) -> f64 {
    load(set, tasks, multiprocessors).iter().map(Sporadic::utilisation).sum()
}

/// Whether all deadlines hold in a partition of these tasks and this size, by the test.
pub(super) fn fits(set: &TaskSet, test: Test, tasks: &[usize], multiprocessors: usize) -> bool {
    test.accepts(&load(set, tasks, multiprocessors))
}

/// The smallest size from `least` to `most` that fits, by binary search: C never grows with the size, and no test that
/// accepts refuses shorter execution times.
pub(super) fn smallest(
    set: &TaskSet,
    test: Test,
    tasks: &[usize],
    least: usize,
    most: usize,
) -> Option<usize> {
    if least > most || !fits(set, test, tasks, most) {
        return None;
    }
    let (mut low, mut high) = (least, most);
    while low < high {
        let middle = low.midpoint(high);
        if fits(set, test, tasks, middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(high)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a measure, compared with room for the error or not used as a proof"
)]
pub(super) fn real(value: u64) -> f64 {
    value as f64
}
