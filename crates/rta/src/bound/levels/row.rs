//! When launches of a kernel enter their queue.

/// The launches of a kernel that enter their queue after some moment t0.
///
/// The arrivals are a period or more apart, and a launch enters up to `shift` after it arrives: the jitter, and the
/// time until the launch before it in its stream is complete and its copy is made. So launch i = 0, 1, .. after t0
/// enters no earlier than t0 + `a_i`, where `a_i` = max(0, first + i T - shift), and `first` is zero unless it is known
/// when the first one comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The index of the kernel.
    pub(super) kernel: usize,
    /// The index of its stream.
    pub(super) stream: usize,
    /// T; zero if there is one launch only.
    pub(super) period: u64,
    /// When the first launch after t0 comes at the earliest.
    pub(super) first: u64,
    /// The longest time from an arrival to the entry; `None` where it has no limit.
    pub(super) shift: Option<u64>,
    /// C.
    pub(super) time: u64,
}

/// What launches that have no limit are taken for, where they are not to be asked for.
const UNLIMITED: u128 = u128::MAX;

impl Row {
    /// The most launches with `a_i` <= v.
    pub(super) fn count(&self, v: u64) -> u128 {
        let Some(shift) = self.shift else { return if self.period == 0 { 1 } else { UNLIMITED } };
        let Some(all) = (u128::from(v) + u128::from(shift)).checked_sub(self.first.into()) else { return 0 };
        match (self.period, u64::try_from(all)) {
            (0, _) => 1,
            // A division of so many bits takes a fraction of the time.
            (period, Ok(all)) => u128::from(all / period) + 1,
            (period, Err(_)) => all / u128::from(period) + 1,
        }
    }

    /// `a_i`; nothing if there is no such launch, or only later than any time of a window.
    pub(super) fn entry(&self, launch: u128) -> Option<u64> {
        if launch > 0 && self.period == 0 {
            return None;
        }
        let arrival = launch.checked_mul(self.period.into())?.checked_add(self.first.into())?;
        u64::try_from(arrival.saturating_sub(self.shift?.into())).ok()
    }

    /// The sum over the first launches of min(C, v - `a_i`), of those with `a_i` < v: how long a block of each can have
    /// run by v.
    pub(super) fn run(&self, launches: u128, v: u64) -> u128 {
        let (at, time) = (u128::from(v), u128::from(self.time));
        let launches = launches.min(self.count(v));
        if launches == UNLIMITED {
            return UNLIMITED;
        }
        let (period, shift) = (u128::from(self.period), u128::from(self.shift.unwrap_or(0)));
        // Those that enter at once, those that have had the time of a whole block, and the others.
        let at_once = launches.min(self.count(0));
        let whole = v.checked_sub(self.time).map_or(at_once, |before| self.count(before));
        let whole = whole.clamp(at_once, launches);
        let others = launches - whole;
        // The sum of v + shift - first - i T over the others.
        let of_others = || {
            let numbers = (whole + launches).checked_sub(1)?.checked_mul(others)? / 2;
            let all = others.checked_mul((at + shift).checked_sub(self.first.into())?)?;
            all.checked_sub(numbers.checked_mul(period)?)
        };
        let of_others = if others == 0 { 0 } else { of_others().unwrap_or(UNLIMITED) };
        at_once
            .saturating_mul(time.min(at))
            .saturating_add((whole - at_once).saturating_mul(time))
            .saturating_add(of_others)
    }

    /// The first time after v at which [`run`](Self::run) of so many launches bends.
    pub(super) fn bend(&self, launches: u128, v: u64) -> Option<u64> {
        let enters = Some(self.count(v)).filter(|next| *next < launches).and_then(|next| self.entry(next));
        let ended = v.checked_sub(self.time).map_or(0, |before| self.count(before));
        let ends = Some(ended).filter(|next| *next < launches).and_then(|next| self.entry(next));
        let ends = ends.and_then(|entry| entry.checked_add(self.time)).filter(|end| *end > v);
        enters.into_iter().chain(ends).min()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against the launches one by one.
        #[test]
        fn runs_and_bends_are_those_of_the_launches(
            period in 0..9_u64, first in 0..15_u64, shift in 0..30_u64, time in 1..12_u64, launches in 0..9_u64, v in 0..60_u64,
        ) {
            let row = Row { kernel: 0, stream: 0, period, first, shift: Some(shift), time };
            let most = if period == 0 { launches.min(1) } else { launches };
            let entry = |i: u64| (first + i * period).saturating_sub(shift);
            let run = |v: u64| (0..most).map(|i| time.min(v.saturating_sub(entry(i)))).sum::<u64>();
            prop_assert_eq!(row.run(launches.into(), v), u128::from(run(v)));
            let every = if period == 0 { 1 } else { 200 };
            let entered = (0..every).filter(|&i| first + i * period <= v + shift).count();
            let all = u128::try_from(entered).unwrap();
            prop_assert_eq!(row.count(v), all);
            // Up to the next bend the run is a straight line.
            let bend = row.bend(launches.into(), v).unwrap_or(v + 40);
            prop_assert!(bend > v);
            let slope = run(v + 1) - run(v);
            for at in v..bend {
                prop_assert_eq!(run(at + 1) - run(at), slope, "at {}", at);
            }
        }
    }
}
