//! The test for preemptive earliest deadline first: processor demand, walked backwards.
//!
//! Let dbf(t) = sum over tasks of (floor((t - D)/T) + 1) C, for t >= D, be the most execution that must be
//! done within any interval of length t. A set of sporadic tasks with D <= T meets all deadlines if and only
//! if U <= 1 and dbf(t) <= t for every t > 0 (S. Baruah, A. Mok, L. Rosier, RTSS 1990), however ties between
//! equal deadlines are broken. Where D = T for all tasks, this is U <= 1 (C. Liu, J. Layland, JACM 20(1),
//! 1973). The walk is QPA (F. Zhang, A. Burns, *Schedulability analysis for real-time systems with EDF
//! scheduling*, IEEE Transactions on Computers 58(9), 2009): from the far end, t jumps down to dbf(t), since
//! dbf(t') <= dbf(t) <= t' for all t' between.

use crate::effort::Effort;
use crate::interval::interval;
use crate::{Sporadic, Undecided};

/// Whether all deadlines are met; it is known that U <= 1 and C <= D.
pub(super) fn accepts(tasks: &[Sporadic], effort: &mut Effort) -> Result<bool, Undecided> {
    if tasks.iter().all(|task| task.deadline == task.period) {
        return Ok(true);
    }
    match interval(tasks, effort) {
        Ok(length) => holds_below(tasks, 0, length + 1, effort),
        // A deadline that is missed early is found even where the whole interval is too long.
        Err(Undecided::TooLong) if !holds_below(tasks, 0, 2 * longest_period(tasks), effort)? => Ok(false),
        Err(why) => Err(why),
    }
}

fn longest_period(tasks: &[Sporadic]) -> u64 {
    tasks.iter().map(|task| task.period).max().unwrap_or(0)
}

/// Whether blocking + dbf(t) <= t for every t < end that is at least the shortest deadline.
pub(super) fn holds_below(
    tasks: &[Sporadic],
    blocking: u64,
    end: u64,
    effort: &mut Effort,
) -> Result<bool, Undecided> {
    let Some(first) = tasks.iter().map(|task| task.deadline).min() else { return Ok(true) };
    let mut at = last_before(tasks, end);
    while let Some(t) = at.filter(|&t| t >= first) {
        effort.take(tasks.len())?;
        let demand = blocking + demand(tasks, t);
        if demand > t {
            return Ok(false);
        }
        if demand <= first {
            return Ok(true);
        }
        at = if demand < t { Some(demand) } else { last_before(tasks, t) };
    }
    Ok(true)
}

/// dbf(t), which is below 2^62 where U <= 1 and t is below 2^62.
fn demand(tasks: &[Sporadic], t: u64) -> u64 {
    let jobs = |task: &Sporadic| match t.checked_sub(task.deadline) {
        Some(after) => after / task.period + 1,
        None => 0,
    };
    tasks.iter().map(|task| jobs(task) * task.execution).sum()
}

/// The last absolute deadline before `end` if all tasks arrive at 0.
fn last_before(tasks: &[Sporadic], end: u64) -> Option<u64> {
    let last = |task: &Sporadic| {
        let after = end.checked_sub(task.deadline + 1)?;
        Some(after / task.period * task.period + task.deadline)
    };
    tasks.iter().filter_map(last).max()
}
