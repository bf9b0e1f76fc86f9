//! The known range of a worst case: a lower and an upper bound that agree.

use std::cmp::Reverse;

use thiserror::Error;

use crate::bound::{Lower, Upper};

/// An interval with lower bound <= worst case <= upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    lower: Lower,
    upper: Upper,
}

/// A lower bound is above an upper bound, so one of their sources is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "contradiction: the worst case is at least {} ({}) and at most {} ({}); one of the two is a bug, please report it",
    lower.cycles(), lower.theorem(), upper.cycles(), upper.theorem()
)]
pub struct Contradiction {
    /// The lower bound, which may be too high.
    pub lower: Lower,
    /// The upper bound, which may be too low.
    pub upper: Upper,
}

impl Interval {
    /// The interval of two bounds.
    ///
    /// # Errors
    /// If the lower is above the upper.
    pub fn new(lower: Lower, upper: Upper) -> Result<Self, Contradiction> {
        if lower.cycles() > upper.cycles() {
            return Err(Contradiction { lower, upper });
        }
        Ok(Self { lower, upper })
    }

    /// The interval that is left if this upper bound holds too. Of two equal bounds it keeps the one that is
    /// checked better.
    ///
    /// # Errors
    /// If it is below the lower bound.
    pub fn at_most(self, upper: Upper) -> Result<Self, Contradiction> {
        let strength = |bound: Upper| (Reverse(bound.cycles()), bound.theorem().checked());
        let tighter = if strength(upper) > strength(self.upper) { upper } else { self.upper };
        Self::new(self.lower, tighter)
    }

    /// The interval that is left if this lower bound holds too. Of two equal bounds it keeps the one that is
    /// checked better.
    ///
    /// # Errors
    /// If it is above the upper bound.
    pub fn at_least(self, lower: Lower) -> Result<Self, Contradiction> {
        let strength = |bound: Lower| (bound.cycles(), bound.theorem().checked());
        let tighter = if strength(lower) > strength(self.lower) { lower } else { self.lower };
        Self::new(tighter, self.upper)
    }

    /// The lower bound.
    pub fn lower(self) -> Lower {
        self.lower
    }

    /// The upper bound.
    pub fn upper(self) -> Upper {
        self.upper
    }

    /// Whether the bounds meet, so that the worst case is known.
    pub fn is_exact(self) -> bool {
        self.lower.cycles() == self.upper.cycles()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Theorem;
    use crate::seal::SEAL;
    use warpspan_model::Cycles;

    #[test]
    fn of_equal_bounds_the_one_that_is_checked_better_stays() {
        let upper = |theorem| Upper::proved(Cycles(7), theorem, SEAL);
        let lower = |theorem| Lower::proved(Cycles(5), theorem, SEAL);
        let (search, phases) = (upper(Theorem::Exhaustive { states: 9 }), upper(Theorem::Phase));
        let (unit, replayed) = (lower(Theorem::Bottleneck), lower(Theorem::Schedule));
        for (first, second) in [(search, phases), (phases, search)] {
            assert_eq!(Interval::new(unit, first).unwrap().at_most(second).unwrap().upper(), phases);
        }
        for (first, second) in [(unit, replayed), (replayed, unit)] {
            assert_eq!(Interval::new(first, search).unwrap().at_least(second).unwrap().lower(), replayed);
        }
    }

    #[test]
    fn bounds_that_cross_are_refused() {
        let lower = |n| Lower::proved(Cycles(n), Theorem::Bottleneck, SEAL);
        let upper = |n| Upper::proved(Cycles(n), Theorem::CriticalPath, SEAL);
        let interval = Interval::new(lower(3), upper(7)).unwrap();
        assert!(!interval.is_exact());
        assert!(interval.at_most(upper(3)).unwrap().is_exact());
        assert_eq!(interval.at_most(upper(9)).unwrap().upper(), upper(7));
        assert_eq!(interval.at_least(lower(1)).unwrap().lower(), lower(3));
        let message = interval.at_most(upper(2)).unwrap_err().to_string();
        assert!(message.starts_with(
            "contradiction: the worst case is at least 3 (bottleneck) and at most 2 (critical path)"
        ));
        assert!(interval.at_least(lower(8)).is_err());
    }
}
