//! Numbers that know which side of the worst case they are on, and why.
//!
//! Only code that holds the [`Seal`] of the engines can make one from a [`Theorem`].

use crate::bound::{Checked, Theorem};
use crate::schedule::Witness;
use crate::seal::Seal;
use warpspan_model::Cycles;

/// A number of cycles that the worst-case makespan is *at least*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lower {
    cycles: Cycles,
    theorem: Theorem,
}

/// A number of cycles that the worst-case makespan is *at most*: the only kind that may feed a response-time
/// analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upper {
    cycles: Cycles,
    theorem: Theorem,
}

impl Lower {
    /// The makespan of a schedule that exists.
    pub fn replayed(witness: &Witness) -> Self {
        Self { cycles: witness.makespan(), theorem: Theorem::Schedule }
    }

    /// A lower bound that follows from a theorem. The caller has evaluated it.
    #[doc(hidden)]
    pub fn proved(cycles: Cycles, theorem: Theorem, _: Seal) -> Self {
        debug_assert!(theorem.bounds_below(), "{theorem:?} says nothing from below");
        Self { cycles, theorem }
    }

    /// The number of cycles.
    pub fn cycles(self) -> Cycles {
        self.cycles
    }

    /// The theorem from which it follows.
    pub fn theorem(self) -> Theorem {
        self.theorem
    }
}

impl Upper {
    /// An upper bound that follows from a theorem. The caller has evaluated it.
    #[doc(hidden)]
    pub fn proved(cycles: Cycles, theorem: Theorem, _: Seal) -> Self {
        debug_assert!(theorem.bounds_above(), "{theorem:?} says nothing from above");
        Self { cycles, theorem }
    }

    /// The number of cycles.
    pub fn cycles(self) -> Cycles {
        self.cycles
    }

    /// The theorem from which it follows.
    pub fn theorem(self) -> Theorem {
        self.theorem
    }
}

impl Lower {
    /// The lower bound of segments that follow one another. Without any segment there is no bound, rather than
    /// a bound of 0.
    #[doc(hidden)]
    pub fn of_segments(parts: impl Iterator<Item = Self>, _: Seal) -> Option<Self> {
        let add = |sum: Option<Self>, part: Self| {
            let (cycles, theorem) =
                segments(sum.map(|sum| (sum.cycles, sum.theorem)), part.cycles, part.theorem);
            Some(Self { cycles, theorem })
        };
        parts.fold(None, add)
    }
}

impl Upper {
    /// The upper bound of segments that follow one another. Without any segment there is no bound, rather than
    /// a bound of 0.
    #[doc(hidden)]
    pub fn of_segments(parts: impl Iterator<Item = Self>, _: Seal) -> Option<Self> {
        let add = |sum: Option<Self>, part: Self| {
            let (cycles, theorem) =
                segments(sum.map(|sum| (sum.cycles, sum.theorem)), part.cycles, part.theorem);
            Some(Self { cycles, theorem })
        };
        parts.fold(None, add)
    }
}

/// Adds one more segment to a sum, which is checked no better than its weakest part. That segments add up, Coq
/// has checked (`proofs/Barriers/OneBlock.v`).
fn segments(sum: Option<(Cycles, Theorem)>, cycles: Cycles, theorem: Theorem) -> (Cycles, Theorem) {
    let (before, weakest) =
        sum.map_or((Cycles(0), Checked::Machine), |(cycles, theorem)| (cycles, theorem.checked()));
    (before + cycles, Theorem::Segments(weakest.min(theorem.checked())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::SEAL;

    #[test]
    fn a_sum_is_checked_no_better_than_its_weakest_part() {
        let upper = |cycles, theorem| Upper::proved(Cycles(cycles), theorem, SEAL);
        let sum = |parts: &[Upper]| Upper::of_segments(parts.iter().copied(), SEAL);
        let (machine, paper) = (upper(3, Theorem::ClosedForm), upper(2, Theorem::Relay));
        let tested = upper(4, Theorem::Exhaustive { states: 9 });
        assert_eq!(sum(&[]), None);
        assert_eq!(sum(&[machine, machine]), Some(upper(6, Theorem::Segments(Checked::Machine))));
        assert_eq!(sum(&[machine, paper, machine]), Some(upper(8, Theorem::Segments(Checked::Paper))));
        assert_eq!(sum(&[paper, tested, paper]), Some(upper(8, Theorem::Segments(Checked::Tested))));
        let lower = |cycles, theorem| Lower::proved(Cycles(cycles), theorem, SEAL);
        let replayed = lower(5, Theorem::Schedule);
        let both = Lower::of_segments([replayed, replayed].into_iter(), SEAL);
        assert_eq!(both, Some(lower(10, Theorem::Segments(Checked::Machine))));
    }
}
