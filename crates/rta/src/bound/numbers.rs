//! Numbers that bounds are made of, which may be too large.

use crate::bound::NoBound;

pub(super) fn sum(a: u128, b: u128) -> Result<u128, NoBound> {
    a.checked_add(b).ok_or(NoBound::TooLarge)
}

pub(super) fn product(a: u128, b: u128) -> Result<u128, NoBound> {
    a.checked_mul(b).ok_or(NoBound::TooLarge)
}

/// The value that a kernel's bound has reached, in grains from the release, or the reason why there is none.
pub(super) type Found = Result<u64, NoBound>;
