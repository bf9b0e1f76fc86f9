//! A recomputed bound, and the route by which it was found.
//!
//! The number of this checker is a [`PlainUpper`], not an [`Upper`](crate::bound::Upper). It says whether a claim
//! holds, and no other result rests on it.

use std::fmt;

use crate::bound::{Theorem, Upper};
use warpspan_model::Cycles;

/// The route by which a bound was recomputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// A formula that no engine computes.
    Formula(Theorem),
    /// The longest path over pairs of positions, from the start forwards.
    Pairs,
    /// The best labelling of one kernel at sigma 1.
    Labelling,
    /// The best labellings in fractions.
    Phases,
    /// The sum over the segments between barriers.
    Segments,
    /// All latencies and occupancies on a machine, one after the other.
    OneAfterAnother,
    /// The plain search over states.
    Search {
        /// The number of states.
        states: u64,
    },
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Formula(theorem) => return theorem.fmt(f),
            Self::Pairs => "longest path over pairs of positions, from the start",
            Self::Labelling => "best labelling, by dynamic programming",
            Self::Phases => "best labellings, by definition",
            Self::Segments => "sum over the segments between barriers",
            Self::OneAfterAnother => "all latencies and holds one after the other",
            Self::Search { states } => return write!(f, "exhaustive search over {states} states"),
        })
    }
}

/// A recomputed number that the worst case does not exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainUpper {
    /// The number of cycles.
    pub cycles: Cycles,
    /// The route by which it was found.
    pub route: Route,
}

impl From<Upper> for PlainUpper {
    fn from(upper: Upper) -> Self {
        Self { cycles: upper.cycles(), route: Route::Formula(upper.theorem()) }
    }
}
