//! Times in parts of a grain, without rounding: what does not fit is an error.

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};

use crate::graph::Unbounded;

/// A time in grains.
pub(super) type Time = Ratio<i128>;

pub(super) fn grains(grains: u64) -> Time {
    Time::from(i128::from(grains))
}

pub(super) fn sum(a: Time, b: Time) -> Result<Time, Unbounded> {
    a.checked_add(&b).ok_or(Unbounded::TooLarge)
}

pub(super) fn less(a: Time, b: Time) -> Result<Time, Unbounded> {
    a.checked_sub(&b).ok_or(Unbounded::TooLarge)
}

pub(super) fn times(a: Time, number: u64) -> Result<Time, Unbounded> {
    a.checked_mul(&grains(number)).ok_or(Unbounded::TooLarge)
}

pub(super) fn parts(a: Time, number: u64) -> Result<Time, Unbounded> {
    a.checked_div(&grains(number)).ok_or(Unbounded::TooLarge)
}

/// Whole grains, rounded up.
pub(super) fn up(time: Time) -> Result<u64, Unbounded> {
    u64::try_from(time.ceil().to_integer()).map_err(|_| Unbounded::TooLarge)
}
