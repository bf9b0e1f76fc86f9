//! Joint fixed points, and how much of other jobs a window of time holds.

use crate::processes::Scheduling;
use crate::processes::{TaskSet, preemptive, slices};
use warpspan_model::time::Duration;

/// Why a task has no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBound {
    /// It is a best-effort task.
    BestEffort,
    /// The bound has reached this, which is more than the period, so a job may find the one before it incomplete.
    Period(Duration),
    /// This more urgent task of the same core has no bound, so nothing is known of how its jobs follow one another.
    Above(usize),
    /// Times are too large to be multiplied.
    TooLarge,
    /// The iteration did not settle.
    Unsettled,
}

/// What the iteration has reached for a task.
pub(super) type Found = Result<u128, NoBound>;

/// The rounds of the iteration. In each, some bound grows by the time of a job or more, so it ends by itself unless
/// periods are very much longer than jobs.
const ROUNDS: usize = 100_000;

/// A number of jobs or a time, unless it is too large.
pub(super) fn times(a: u128, b: u128) -> Found {
    a.checked_mul(b).ok_or(NoBound::TooLarge)
}

/// A sum of such times.
pub(super) fn sum(parts: impl IntoIterator<Item = Found>) -> Found {
    parts.into_iter().try_fold(0_u128, |all, part| all.checked_add(part?).ok_or(NoBound::TooLarge))
}

/// The most jobs of a task that arrive in a window, which holds its beginning but not its end. Of a best-effort task any
/// number may.
pub(super) fn arriving(set: &TaskSet, task: usize, window: u128) -> Found {
    let every = set.tasks()[task].recurring.ok_or(NoBound::BestEffort)?;
    Ok(window.div_ceil(every.period.0.into()))
}

/// The most jobs of a task of which a moment is in the window, if none takes longer than its bound: they arrive in
/// an open interval as long as both.
pub(super) fn meeting(set: &TaskSet, task: usize, window: u128, found: &[Found]) -> Found {
    arriving(set, task, window + found[task]?)
}

/// The most time of a task within any window, if a job takes at most `cost` of what is counted, all of it between
/// its arrival and its bound R.
///
/// That is `ceil((window + R - cost) / T) cost`. *Proof.* Let a be the arrival of the first job that counts, at
/// `cost - d` after the window begins less R, so that at most `cost - d` of it is inside. (If d is negative, all of
/// it may be, and there are no more jobs than the formula has.) The jobs number `ceil((window + R - cost + d) / T)`
/// at most. If that is one more than the formula has, the last of them arrives at most d before the window ends, so
/// at most d of it is inside, and both ends together count for one job. ∎
pub(super) fn within(set: &TaskSet, task: usize, window: u128, cost: u128, found: &[Found]) -> Found {
    // A best-effort task takes what it likes: a time that its file leaves out is not a time of 0.
    if set.tasks()[task].recurring.is_some() && cost == 0 {
        return Ok(0);
    }
    let longest = found[task]?.saturating_sub(cost);
    times(arriving(set, task, window + longest)?, cost)
}

/// Bounds on the response times of all tasks.
pub(super) fn settle(set: &TaskSet) -> Vec<Found> {
    let tasks = set.tasks();
    let start = |task: &crate::processes::Task| match task.recurring {
        Some(_) => Ok(task.on_core() + task.on_gpu()),
        None => Err(NoBound::BestEffort),
    };
    let mut found: Vec<Found> = tasks.iter().map(start).collect();
    for _ in 0..ROUNDS {
        let mut settled = true;
        for (task, every) in tasks.iter().enumerate().filter_map(|(task, of)| Some((task, of.recurring?))) {
            let Ok(now) = found[task] else { continue };
            let next = match set.scheduling() {
                Scheduling::TimeSlices { slice, switch } => {
                    slices::next(set, [slice, switch].map(|time| time.0.into()), task, &found)
                }
                Scheduling::Preemptive { update } => preemptive::next(set, update.0.into(), task, &found),
            };
            // The right-hand side never falls where a bound grows or goes, so the first value beyond the period decides.
            let next = next.and_then(|next| match u64::try_from(next.max(now)) {
                Ok(value) if value <= every.period.0 => Ok(value.into()),
                Ok(value) => Err(NoBound::Period(Duration(value))),
                Err(_) => Err(NoBound::TooLarge),
            });
            settled &= next == found[task];
            found[task] = next;
        }
        if settled {
            return found;
        }
    }
    found.into_iter().map(|of| of.and(Err(NoBound::Unsettled))).collect()
}
