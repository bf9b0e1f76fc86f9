//! A warp scheduler: the issue unit of Si21 Algorithm 4, for any policy.

use crate::policy::pool::{NEVER, Pool};
use crate::policy::{Candidate, Last, SortWarps};

/// A scheduler and its warps that are present and not finished, ordered by age.
pub(super) struct Scheduler {
    number: usize,
    order: Box<dyn SortWarps>,
    pub(super) warps: Vec<Candidate>,
    last: Last,
    queue: Vec<u32>,
}

impl Scheduler {
    pub(super) fn new(number: usize, order: Box<dyn SortWarps>) -> Self {
        Self { number, order, warps: Vec::new(), last: Last::default(), queue: Vec::new() }
    }

    /// Issues instructions for which there is room, `width` at most, and tells the pool when to come again.
    pub(super) fn cycle(&mut self, cycle: u64, width: Option<u64>, pool: &mut Pool) {
        self.queue.clear();
        self.order.sort(self.last, &self.warps, &mut self.queue);
        let candidate = |pool: &Pool, warp: u32| Candidate { warp, priority: pool.warp(warp).priority };
        let (before, mut first, mut finished, mut slots) = (self.last, None, false, width);
        for &warp in &self.queue {
            if !pool.issue(warp, self.number, cycle) {
                continue;
            }
            first = first.or(Some(candidate(pool, warp)));
            finished |= pool.has_finished(warp);
            slots = slots.map(|slots| slots - 1);
            if slots == Some(0) || slots.is_none() && pool.is_full(self.number, cycle) {
                break;
            }
        }
        let head = self.queue.first().map(|&head| candidate(pool, head));
        if head != first {
            self.last.head = head; // line 14 of the algorithm stands after the exit of the loop
        }
        self.last.greedy = first.or(self.last.greedy);
        // A cycle like this one, in which nothing issues and nothing changes, is followed by others like it
        // until a warp can issue.
        let rests = first.is_none() && self.last == before && self.order.is_settled();
        let next = if rests { self.rests_until(cycle, pool) } else { cycle + 1 };
        pool.wakes[self.number] = next;
        if finished {
            self.warps.retain(|candidate| !pool.has_finished(candidate.warp));
        }
    }

    /// The first cycle in which a warp may issue.
    fn rests_until(&self, cycle: u64, pool: &mut Pool) -> u64 {
        let may_issue = self.warps.iter().map(|warp| pool.may_issue(warp.warp, self.number, cycle));
        may_issue.min().unwrap_or(NEVER)
    }
}
