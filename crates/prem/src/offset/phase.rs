//! Offsets where prefetches and writebacks are scheduled.

use crate::Phases;
use warpspan_model::time::Nanoseconds;

/// The least distance at which phases of these durations do not overlap, where `distance(i)` slots lie between slot i
/// and the next slot that it must not overlap.
pub(super) fn apart(
    durations: impl Iterator<Item = Nanoseconds>,
    distance: impl Fn(usize) -> Option<u64>,
) -> Nanoseconds {
    let least = |(i, duration): (usize, Nanoseconds)| {
        distance(i).map(|slots| Nanoseconds(duration.0.div_ceil(slots)))
    };
    durations.enumerate().filter_map(least).max().unwrap_or_default()
}

/// The least prefetch offset with which the first slot has computed when its writeback is due; that is no
/// sooner than the end of all prefetches.
pub(crate) fn allowed_prefetch(all: &[Phases], timer: Nanoseconds) -> Nanoseconds {
    let Some((first, others)) = all.split_first() else { return Nanoseconds::ZERO };
    let computed = (first.prefetch + first.compute).round_up_to(timer);
    if others.is_empty() || first.prefetch.round_up_to(timer) >= computed {
        return Nanoseconds::ZERO;
    }
    let least = |(s, phases): (u64, &Phases)| {
        Nanoseconds(computed.0.saturating_sub(phases.prefetch.round_up_to(timer).0).div_ceil(s))
    };
    (1..).zip(others).map(least).min().unwrap_or_default()
}

/// The least writeback offset that goes with a prefetch offset, such that each slot has computed when its
/// writeback is due.
pub(crate) fn allowed_writeback(all: &[Phases], timer: Nanoseconds, prefetch: Nanoseconds) -> Nanoseconds {
    let base = writeback_base(all, timer, prefetch);
    let least = |(s, phases): (i128, &Phases)| {
        let computed = prefetch.signed() * s + (phases.prefetch + phases.compute).round_up_to(timer).signed();
        let wanted = (computed - base).max(0);
        Nanoseconds(u64::try_from((wanted + s - 1) / s).unwrap_or(u64::MAX))
    };
    (1..).zip(all.iter().skip(1)).map(least).max().unwrap_or_default()
}

/// Kr19's `T_WBoff`, with durations rounded up to the timer: the time from the start of a hyperperiod to the
/// first writeback.
pub(crate) fn writeback_base(all: &[Phases], timer: Nanoseconds, prefetch: Nanoseconds) -> i128 {
    if let [only] = all {
        return (only.prefetch + only.compute).round_up_to(timer).signed();
    }
    let end =
        |(s, phases): (i128, &Phases)| prefetch.signed() * s + phases.prefetch.round_up_to(timer).signed();
    (0..).zip(all).map(end).max().unwrap_or_default()
}
