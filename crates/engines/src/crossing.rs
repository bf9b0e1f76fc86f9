//! The largest of the smaller values of two functions, one of which never falls while the other never rises.
//!
//! Such a value bounds the makespan of N blocks in one queue before M multiprocessors. If x blocks were on the one that ends last,
//! it ends by P(x), which rises with x. One of the others had no more than `floor((N - x) / (M - 1))` blocks and was full until the
//! last block started, so that all end by a time that falls with x. Nobody knows x, so the largest of the smaller times counts.

/// The largest over x from 1 to `most` of the smaller one of `rises(x)`, which never falls, and `falls(x)`, which never rises,
/// compared by `size`; none if `most` is below 1. The functions are called some `2 log2(most)` times.
///
/// # Errors
/// Those of the functions.
pub(crate) fn largest_minimum<T, S: Ord, E>(
    most: i128,
    rises: impl Fn(i128) -> Result<T, E>,
    falls: impl Fn(i128) -> Result<T, E>,
    size: impl Fn(&T) -> S,
) -> Result<Option<T>, E> {
    // Up to `low` the first function is the smaller one, and from `high` on the second.
    let (mut low, mut high) = (0, most.saturating_add(1));
    while high - low > 1 {
        let x = low + (high - low) / 2;
        if size(&rises(x)?) < size(&falls(x)?) { low = x } else { high = x }
    }
    let below = if low >= 1 { Some(rises(low)?) } else { None };
    let above = if high <= most { Some(falls(high)?) } else { None };
    Ok(match (below, above) {
        (Some(below), Some(above)) if size(&below) < size(&above) => Some(above),
        (Some(below), _) => Some(below),
        (None, above) => above,
    })
}

#[cfg(test)]
mod tests {
    use super::largest_minimum;

    /// Against every x, for all pairs of functions with values below 4.
    #[test]
    fn every_small_pair() {
        /// The sequences of this length that never fall.
        fn rising(length: usize) -> Vec<Vec<u8>> {
            let Some(shorter) = length.checked_sub(1) else { return vec![vec![]] };
            let longer = |run: Vec<u8>| {
                (run.last().copied().unwrap_or(0)..4).map(move |next| [&run[..], &[next]].concat())
            };
            rising(shorter).into_iter().flat_map(longer).collect()
        }
        for most in 0..=5 {
            for rises in rising(most) {
                for mut falls in rising(most) {
                    falls.reverse();
                    let at = |run: &[u8], x: i128| Ok::<_, ()>(run[usize::try_from(x).unwrap() - 1]);
                    let want = rises.iter().zip(&falls).map(|(rise, fall)| *rise.min(fall)).max();
                    let most = i128::try_from(most).unwrap();
                    let found = largest_minimum(most, |x| at(&rises, x), |x| at(&falls, x), |&value| value);
                    assert_eq!(found.unwrap(), want, "{rises:?} {falls:?}");
                }
            }
        }
    }

    #[test]
    fn errors_come_through() {
        assert_eq!(largest_minimum(9, Ok, |_| Err("too large"), |&x: &i128| x), Err("too large"));
    }
}
