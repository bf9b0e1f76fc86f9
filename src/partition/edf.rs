//! Preemptive earliest deadline first: the processor-demand test, walked backwards.
//!
//! With dbf(t) = sum over tasks of (floor((t - D)/T) + 1) C, for t >= D, the most execution that must be done within any
//! interval of length t, a set of sporadic tasks with D <= T meets all deadlines if and only if U <= 1 and dbf(t) <= t for
//! every t > 0 (S. Baruah, A. Mok, L. Rosier, RTSS 1990). The walk is QPA (F. Zhang, A. Burns, *Schedulability analysis for
//! real-time systems with EDF scheduling*, IEEE Transactions on Computers 58(9), 2009): from the far end, t jumps down to
//! dbf(t), since dbf(t') <= dbf(t) <= t' for all t' between.

use crate::partition::Sporadic;
use crate::partition::test::interval;

/// Whether all deadlines hold; U <= 1 and C <= D are known.
pub(super) fn accepts(tasks: &[Sporadic]) -> bool {
    interval(tasks).is_some_and(|length| holds_below(tasks, 0, length + 1))
}

/// Whether blocking + dbf(t) <= t for every t < end that is at least the shortest deadline.
pub(super) fn holds_below(tasks: &[Sporadic], blocking: u64, end: u64) -> bool {
    let Some(first) = tasks.iter().map(|task| task.deadline).min() else { return true };
    let mut at = last_before(tasks, end);
    while let Some(t) = at.filter(|&t| t >= first) {
        let demand = blocking + demand(tasks, t);
        if demand > t {
            return false;
        }
        if demand <= first {
            return true;
        }
        at = if demand < t { Some(demand) } else { last_before(tasks, t) };
    }
    true
}

/// dbf(t); below 2^62 where U <= 1 and t is.
fn demand(tasks: &[Sporadic], t: u64) -> u64 {
    let jobs = |task: &Sporadic| match t.checked_sub(task.deadline) {
        Some(after) => after / task.period + 1,
        None => 0,
    };
    tasks.iter().map(|task| jobs(task) * task.execution).sum()
}

/// The last absolute deadline before `end`, all tasks arriving at 0.
fn last_before(tasks: &[Sporadic], end: u64) -> Option<u64> {
    let last = |task: &Sporadic| {
        let after = end.checked_sub(task.deadline + 1)?;
        Some(after / task.period * task.period + task.deadline)
    };
    tasks.iter().filter_map(last).max()
}
