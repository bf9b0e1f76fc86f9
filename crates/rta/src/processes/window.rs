//! How much of other jobs a window of time holds.

use crate::processes::TaskSet;
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

/// What is taken of a task, with the reason that belongs to another one whose bound it needs.
pub(super) fn no_bound_above(task: usize, taken: Found) -> Found {
    taken.map_err(|why| match why {
        NoBound::TooLarge => why,
        _ => NoBound::Above(task),
    })
}
