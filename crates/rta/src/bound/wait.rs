//! How long blocks can wait for the launches of all streams together.

use std::cmp::Ordering;

use crate::bound::NoBound;
use crate::bound::numbers::{product, sum};

/// The launches of one stream within a window of time, where every C is measured.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stream {
    /// The loads of their blocks, in parts of a multiprocessor's time.
    pub(super) load: u128,
    /// How much of the multiprocessors the blocks of one launch take at once.
    pub(super) fill: u128,
    /// A kernel of which there may be any number of launches, if there is one.
    pub(super) unlimited: Option<usize>,
}

impl Stream {
    /// The most that the stream contributes while others wait for so long.
    pub(super) fn taken(&self, wait: u128) -> u128 {
        let filled = self.fill.saturating_mul(wait);
        if self.unlimited.is_some() { filled } else { filled.min(self.load) }
    }
}

/// The largest W, rounded up, for which `capacity` W is at most what the streams contribute while blocks wait
/// for W.
///
/// The contribution less `capacity` W is a concave function of W that is zero at zero. The search comes from
/// above: a tangent of the function meets zero no sooner than the function itself.
pub(super) fn longest_wait(capacity: u128, streams: &[Stream]) -> Result<u128, NoBound> {
    // The W at which the tangent at a wait, or the function without limits on loads, meets zero.
    let tangent = |wait: Option<u128>| -> Result<Option<u128>, NoBound> {
        let (mut fills, mut loads) = (0, 0);
        for stream in streams {
            let fills_up = match wait {
                Some(wait) if stream.unlimited.is_none() => stream.fill.saturating_mul(wait) < stream.load,
                _ => stream.unlimited.is_some(),
            };
            if fills_up {
                fills = sum(fills, stream.fill)?;
            } else {
                loads = sum(loads, stream.load)?;
            }
        }
        Ok(capacity.checked_sub(fills).filter(|&rest| rest > 0).map(|rest| loads.div_ceil(rest)))
    };
    let held = || streams.iter().find_map(|stream| stream.unlimited).map_or(NoBound::TooLarge, NoBound::Held);
    let mut wait = tangent(None)?.ok_or_else(held)?;
    // Streams that together cannot fill the multiprocessors make no block wait. Those that just fill them
    // make blocks wait until one of the streams has no more load.
    let busy = || streams.iter().filter(|stream| stream.unlimited.is_some() || stream.load > 0);
    let fills = busy().try_fold(0_u128, |all, stream| all.checked_add(stream.fill));
    match fills.map(|fills| fills.cmp(&capacity)) {
        Some(Ordering::Less) => return Ok(0),
        Some(Ordering::Equal) => {
            let limited = busy().filter(|stream| stream.unlimited.is_none());
            let until = limited
                .filter(|stream| stream.fill > 0)
                .map(|stream| stream.load.div_ceil(stream.fill))
                .min();
            return until.ok_or_else(held);
        }
        _ => {}
    }
    // Compares what the streams contribute within a wait with the capacity of that wait.
    let compare = |wait: u128| -> Result<Ordering, NoBound> {
        let all = streams.iter().map(|stream| stream.taken(wait)).fold(0, u128::saturating_add);
        Ok(all.cmp(&product(capacity, wait)?))
    };
    while wait > 0 {
        let sooner = tangent(Some(wait))?.map_or(wait, |sooner| sooner.min(wait));
        if sooner < wait {
            wait = sooner;
        } else if compare(wait - 1)?.is_lt() {
            wait -= 1; // The function has a corner within this unit of time.
        } else {
            break;
        }
    }
    // The wait is rounded up only where it has to be.
    Ok(if wait > 1 && compare(wait)?.is_lt() && compare(wait - 1)?.is_eq() { wait - 1 } else { wait })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compares with the function itself at all sixtieths: loads and fills are so small that the function
        /// meets zero and bends only at sixtieths.
        #[test]
        fn the_longest_wait_is_where_the_function_last_meets_zero(
            capacity in 1..7_u128,
            parts in prop::collection::vec((0..12_u128, 1..5_u128), 1..5),
        ) {
            let stream = |&(load, fill): &(u128, u128)| {
                Stream { load, fill, unlimited: None }
            };
            let streams: Vec<Stream> = parts.iter().map(stream).collect();
            let taken = |sixtieths: u128| -> u128 {
                parts.iter().map(|&(load, fill)| (60 * load).min(fill * sixtieths)).sum()
            };
            let last = (0..60 * 60).rev().find(|&sixtieths| capacity * sixtieths <= taken(sixtieths)).unwrap();
            prop_assert_eq!(longest_wait(capacity, &streams).ok(), Some(last.div_ceil(60)));
        }
    }

    #[test]
    fn streams_without_limit_take_their_fill() {
        let without = |fill| Stream { load: 0, fill, unlimited: Some(7) };
        let load = Stream { load: 10, fill: 4, unlimited: None };
        // 4 W <= 10 + 2 W
        assert_eq!(longest_wait(4, &[load, without(2)]).ok(), Some(5));
        assert_eq!(longest_wait(4, &[load, without(4)]).err(), Some(NoBound::Held(7)));
    }
}
