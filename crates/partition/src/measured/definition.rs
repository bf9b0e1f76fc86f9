//! Si21 Definition 1: a kernel is memory-intensive if more multiprocessors do not make it faster from some
//! number of them on, and compute-intensive otherwise.
//!
//! Measured times never stay quite the same, and C(m) = a/m + b always falls a little. So this crate says
//! when a kernel "does not get faster": let N be the largest number of multiprocessors. A kernel is
//! memory-intensive if there is an m of at most 4/5 N from which it gains no more than the [`Tolerance`],
//! where a kernel that is shared evenly would gain a quarter or more. With a tolerance of 5 percent this is about
//! b N >= 4 a for C(m) = a/m + b. On the 68 multiprocessors of Si21, b = 0.1 a is then memory-intensive and b =
//! 0.02 a compute-intensive, as the text has it.
//!
//! Not every m is measured. A kernel is called compute-intensive only if that follows from the times and from two
//! assumptions of Si21: more multiprocessors never make it slower (section 3.4.1), and m multiprocessors are at most m
//! times as fast as one. With these, C(m) >= C(n) min(1, n/m) for each measured n. Where neither kind follows, the
//! answer is the number of multiprocessors to measure.

use std::str::FromStr;

use crate::Kind;
use warpspan_model::time::Millionths;

/// The most that a kernel gains where it counts as not getting faster, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tolerance(u32);

impl Tolerance {
    /// The most percent that it can be, so that it stays below the quarter that a kernel would gain that is
    /// shared evenly.
    pub const MOST: u32 = 20;

    /// So many percent; `None` above [`MOST`](Self::MOST).
    pub const fn from_percent(percent: u32) -> Option<Self> {
        if percent > Self::MOST { None } else { Some(Self(percent)) }
    }

    /// The number of percent.
    pub const fn percent(self) -> u32 {
        self.0
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Self(5)
    }
}

impl FromStr for Tolerance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = text.parse().ok().and_then(Self::from_percent);
        read.ok_or_else(|| format!("want whole percent from 0 to {}", Self::MOST))
    }
}

/// What the times of a kernel say of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Classified {
    /// It is memory-intensive.
    Memory {
        /// The smallest number of multiprocessors from which it gains no more than the tolerance.
        from: usize,
    },
    /// It is compute-intensive.
    Compute,
    /// The times do not tell.
    Unclear {
        /// The number of multiprocessors whose time would tell; `None` if there is no time on two or more.
        want: Option<usize>,
    },
}

impl Classified {
    /// The kind, if the times tell it.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::Memory { .. } => Some(Kind::Memory),
            Self::Compute => Some(Kind::Compute),
            Self::Unclear { .. } => None,
        }
    }
}

/// The kind of a kernel with these times alone, each on a number of multiprocessors, which increase.
pub fn definition_1(times: &[(usize, Millionths)], tolerance: Tolerance) -> Classified {
    let most = times.last().map_or(0, |&(m, _)| m);
    if most < 2 {
        return Classified::Unclear { want: None };
    }
    let room = most * 4 / 5; // The largest m that leaves room to gain a quarter; 1 or more.
    // Whether a time is above another one by more than the tolerance; both are multiples of 1/parts.
    let above = |(time, parts): (Millionths, usize), other: Millionths| {
        u128::from(time.0) * 100 > u128::from(other.0) * u128::from(100 + tolerance.0) * parts as u128
    };
    let stays = |place: &usize| {
        let (m, time) = times[*place];
        m <= room && times[place + 1..].iter().all(|&(_, later)| !above((time, 1), later))
    };
    if let Some(first) = (0..times.len()).find(stays) {
        return Classified::Memory { from: times[first].0 };
    }
    let shortest = times.iter().filter(|&&(m, _)| m > room).map(|&(_, time)| time).min();
    // On `room` multiprocessors it takes at least `time` min(1, m/room), and gains more than the tolerance.
    let gains = |&(m, time): &(usize, Millionths)| {
        let scaled = Millionths(time.0.saturating_mul(m.min(room) as u64));
        shortest.is_some_and(|shortest| above((scaled, room), shortest))
    };
    if times.iter().any(gains) { Classified::Compute } else { Classified::Unclear { want: Some(room) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: &[(usize, u64)]) -> Classified {
        let times: Vec<_> = times.iter().map(|&(m, time)| (m, Millionths(time))).collect();
        definition_1(&times, Tolerance::default())
    }

    #[test]
    fn the_shares_of_the_thesis_are_on_their_sides() {
        // C(m) = a/m + b on 68 multiprocessors, with the b of section 3.6.1. The largest m that leaves room is 54, and
        // a/54 + b = 1.05 (a/68 + b) for b = 0.06154 a.
        let curve = |share: u64| -> Vec<(usize, u64)> {
            (1..=68).map(|m| (m, 1_000_000_000 / m as u64 + share * 1_000_000)).collect()
        };
        assert_eq!(of(&curve(20)), Classified::Compute);
        assert_eq!(of(&curve(100)).kind(), Some(Kind::Memory));
        assert_eq!((of(&curve(61)).kind(), of(&curve(62)).kind()), (Some(Kind::Compute), Some(Kind::Memory)));
        // Linear up to 40 and flat from there: by hand, 40/39 is within 5 percent, 40/38 is not.
        let flat: Vec<_> = (1..=68).map(|m| (m, 40_000_000 / (m as u64).min(40))).collect();
        assert_eq!(of(&flat), Classified::Memory { from: 39 });
    }

    #[test]
    fn what_does_not_follow_is_unclear() {
        assert_eq!(of(&[]), Classified::Unclear { want: None });
        assert_eq!(of(&[(1, 5)]), Classified::Unclear { want: None });
        // It may be flat from anywhere between 1 and 68 on.
        assert_eq!(of(&[(1, 4000), (68, 100)]), Classified::Unclear { want: Some(54) });
        // 4000/54 = 74.1 is more than 1.05 times 70: not flat from 54 on.
        assert_eq!(of(&[(1, 4000), (68, 70)]), Classified::Compute);
        assert_eq!(of(&[(1, 4000), (54, 100), (68, 100)]), Classified::Memory { from: 54 });
        assert_eq!(of(&[(1, 4000), (60, 110), (68, 100)]), Classified::Compute);
        assert_eq!(of(&[(9, 100), (10, 99)]), Classified::Unclear { want: Some(8) });
        // A time that is short by chance in the middle does not make what follows count.
        assert_eq!(of(&[(1, 100), (2, 50), (3, 51), (4, 50)]), Classified::Memory { from: 2 });
    }
}
