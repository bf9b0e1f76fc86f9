//! The interval in which the first missed deadline must lie, if a deadline is missed.

use crate::effort::Effort;
use crate::sporadic::real;
use crate::{Sporadic, Undecided};

/// All times that the tests examine are below this.
pub(super) const END: u64 = 1 << 61;

/// An interval with at most so many deadlines is short enough.
const FEW: u64 = 10_000;

/// A length that the first t with dbf(t) > t does not exceed: the shorter of [`linear`] and of the
/// synchronous busy period (Baruah, Mok, Rosier 1990; Zhang, Burns 2009, Theorem 2). It is known that U <= 1.
///
/// # Errors
/// If neither of them can be determined.
pub(super) fn interval(tasks: &[Sporadic], effort: &mut Effort) -> Result<u64, Undecided> {
    let linear = linear(tasks, 0);
    let deadlines =
        |length: u64| tasks.iter().fold(0_u64, |sum, task| sum.saturating_add(length / task.period));
    // The linear bound costs nothing, and the busy period is only needed where the linear bound is long.
    if let Some(linear) = linear.filter(|&linear| deadlines(linear) <= FEW) {
        return Ok(linear);
    }
    match busy(tasks, linear.unwrap_or(END), &mut effort.half()) {
        Err(Undecided::TooLong) => linear.ok_or(Undecided::TooLong),
        known => known,
    }
}

/// The time from which blocking + U t + sum of (T - D) U stays below t: from there on the demand cannot
/// exceed the time. `None` if U is too near 1, or if that time is too far off.
pub(super) fn linear(tasks: &[Sporadic], blocking: u64) -> Option<u64> {
    let utilisation: f64 = tasks.iter().map(Sporadic::utilisation).sum();
    let backlog: f64 = tasks.iter().map(|task| real(task.period - task.deadline) * task.utilisation()).sum();
    // The result is rounded up by far more than the error of the sums.
    let left = 1.0 - utilisation - 1e-9;
    let length = (backlog + real(blocking)) * (1.0 + 1e-6) / left + 2.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 and 2^61")]
    (left > 1e-9 && length < real(END)).then_some(length as u64)
}

/// The shorter of the synchronous busy period and `most`: the least fixed point of the sum of ceil(t/T) C.
fn busy(tasks: &[Sporadic], most: u64, effort: &mut Effort) -> Result<u64, Undecided> {
    let mut length = tasks.iter().map(|task| task.execution).sum::<u64>();
    while length < most {
        effort.take(tasks.len())?;
        let more = tasks.iter().map(|task| task.execution * length.div_ceil(task.period)).sum();
        if more == length {
            return Ok(length);
        }
        length = more;
    }
    if most < END { Ok(most) } else { Err(Undecided::TooLong) }
}
