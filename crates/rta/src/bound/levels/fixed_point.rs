//! Where what counts is no more than what fits.

/// The first v for which what counts until v is at most so much times v, found from below in so many steps.
pub(super) fn first_at_least(capacity: u128, steps: usize, counts: impl Fn(u64) -> u128) -> Option<u64> {
    let mut v = 0;
    for _ in 0..steps {
        let next = u64::try_from(counts(v).div_ceil(capacity)).ok()?;
        if next <= v {
            return Some(v);
        }
        v = next;
    }
    None
}
