//! Upper bounds by plain routes, which need neither an engine nor its search.
//!
//! A judge's number is a [`PlainUpper`] and no [`Upper`](crate::bound::Upper): it says whether a claim holds, and nothing rests on it.

use std::fmt;

use crate::bound::{Theorem, Upper, critical_path};
use crate::check::{Theta, labelling, phases};
use crate::model::{Cycles, Instance};

/// How a bound was recomputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// By a formula that has no engine.
    Formula(Theorem),
    /// By the longest path over pairs of positions, from the start on.
    Pairs,
    /// By the best labelling of one kernel at sigma 1.
    Labelling,
    /// By the best labellings in fractions.
    Phases,
    /// By the sum over the segments between barriers.
    Segments,
    /// By the plain search over so many states.
    Search {
        /// How many.
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
            Self::Search { states } => return write!(f, "exhaustive search over {states} states"),
        })
    }
}

/// What the worst case does not exceed, recomputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainUpper {
    /// The number.
    pub cycles: Cycles,
    /// How it was found.
    pub route: Route,
}

impl From<Upper> for PlainUpper {
    fn from(upper: Upper) -> Self {
        Self { cycles: upper.cycles(), route: Route::Formula(upper.theorem()) }
    }
}

/// The best upper bound that needs neither an engine nor a search. Where all warps are one block, the worst cases of the
/// segments between barriers add up.
pub fn plain_upper(instance: &Instance, theta: Option<Theta>) -> PlainUpper {
    let segments = instance.segments().filter(|_| instance.has_barriers()).map(|segments| PlainUpper {
        cycles: segments.iter().map(|segment| plain_upper(segment, theta).cycles).sum(),
        route: Route::Segments,
    });
    let others = [labelling::upper(instance), Some(phases::upper(instance, theta)), segments];
    let bounds = [critical_path(instance).into()].into_iter().chain(others.into_iter().flatten());
    bounds.min_by_key(|bound: &PlainUpper| bound.cycles).expect("there is the critical path")
}
