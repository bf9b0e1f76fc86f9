//! Every launch of every kernel, in the order of time and, at the same time, in the order of the file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use num_integer::Integer;

use crate::{System, Task};
use warpspan_model::time::Duration;

/// One launch of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Job {
    /// The time of the launch.
    pub release: Duration,
    /// The kernel, an index of [`System::tasks`].
    pub task: usize,
    /// The number of the launch among those of its kernel, from 0.
    pub number: u64,
}

/// All launches in order, without end.
#[derive(Debug, Clone)]
pub(super) struct Releases<'a> {
    system: &'a System,
    next: BinaryHeap<Reverse<Job>>,
}

impl<'a> Releases<'a> {
    /// All launches from time zero on.
    pub(super) fn new(system: &'a System) -> Self {
        let first =
            |(task, kernel): (usize, &Task)| Reverse(Job { release: kernel.release, task, number: 0 });
        Self { system, next: system.tasks().iter().enumerate().map(first).collect() }
    }

    /// The time of the next launch, if there is one.
    pub(super) fn peek(&self) -> Option<Duration> {
        self.next.peek().map(|Reverse(job)| job.release)
    }

    /// The next launch if it is before `end`.
    pub(super) fn before(&mut self, end: Duration) -> Option<Job> {
        self.peek().filter(|&release| release < end)?;
        self.next()
    }
}

impl Iterator for Releases<'_> {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let mut top = self.next.peek_mut()?;
        let job = top.0;
        let later = self.system.tasks()[job.task].period.map(|period| job.release + period);
        match later.filter(|&release| release <= Duration::MAX) {
            Some(release) => top.0 = Job { release, number: job.number + 1, ..job },
            None => drop(std::collections::binary_heap::PeekMut::pop(top)),
        }
        Some(job)
    }
}

/// The hyperperiod, which is the least common multiple of the periods; zero if nothing is periodic, `None` if
/// it is too long.
pub fn hyperperiod(system: &System) -> Option<Duration> {
    let mut periods = system.tasks().iter().filter_map(|task| task.period).peekable();
    if periods.peek().is_none() {
        return Some(Duration(0));
    }
    let multiple = periods.try_fold(1_u64, |multiple, Duration(period)| {
        (multiple / multiple.gcd(&period)).checked_mul(period).filter(|&time| time <= Duration::MAX.0)
    });
    multiple.map(Duration)
}

/// The number of launches from `from` on and before `to`.
pub fn count(system: &System, from: Duration, to: Duration) -> u128 {
    system.tasks().iter().map(|task| count_of(task, from, to)).sum()
}

/// The number of launches of one kernel from `from` on and before `to`.
pub(super) fn count_of(task: &Task, from: Duration, to: Duration) -> u128 {
    let before = |end: Duration| match (end.0.checked_sub(task.release.0), task.period) {
        (None | Some(0), _) => 0,
        (Some(_), None) => 1,
        (Some(length), Some(period)) => u128::from(length.div_ceil(period.0)),
    };
    before(to) - before(from)
}
