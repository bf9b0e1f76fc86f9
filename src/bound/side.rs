//! Numbers that know which side of the worst case they are on, and why.

use std::fmt;

use crate::model::Cycles;
use crate::schedule::Witness;

/// What stands behind a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// A schedule that the verifier replayed.
    Replayed,
    /// A formula with a proof; the text names it.
    Formula(&'static str),
    /// Every one of so many states was looked at.
    Exhausted(u64),
    /// The dual bound of a solver run to its end or to a limit; the text names solver and model.
    Solver(&'static str),
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replayed => f.write_str("a schedule that attains it, replayed"),
            Self::Formula(name) => f.write_str(name),
            Self::Exhausted(states) => write!(f, "exhaustive search over {states} states"),
            Self::Solver(name) => write!(f, "dual bound of {name}"),
        }
    }
}

/// A number of cycles that the worst-case makespan is *at least*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lower {
    cycles: Cycles,
    evidence: Evidence,
}

/// A number of cycles that the worst-case makespan is *at most*: the only kind that may feed a response-time
/// analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upper {
    cycles: Cycles,
    evidence: Evidence,
}

impl Lower {
    /// The makespan of a schedule that exists.
    pub fn replayed(witness: &Witness) -> Self {
        Self { cycles: witness.makespan(), evidence: Evidence::Replayed }
    }

    /// The value of a formula that is proved to be a lower bound.
    pub(crate) fn formula(cycles: Cycles, name: &'static str) -> Self {
        Self { cycles, evidence: Evidence::Formula(name) }
    }

    /// The number.
    pub fn cycles(self) -> Cycles {
        self.cycles
    }

    /// Why it is a lower bound.
    pub fn evidence(self) -> Evidence {
        self.evidence
    }
}

impl Upper {
    /// The value of a formula that is proved to be an upper bound.
    pub(crate) fn formula(cycles: Cycles, name: &'static str) -> Self {
        Self { cycles, evidence: Evidence::Formula(name) }
    }

    /// The largest makespan of all, each of so many states having been looked at.
    pub(crate) fn exhausted(cycles: Cycles, states: u64) -> Self {
        Self { cycles, evidence: Evidence::Exhausted(states) }
    }

    /// The dual bound of a maximising solver over a horizon that is safe.
    #[cfg_attr(not(feature = "highs"), expect(dead_code, reason = "the only solver is HiGHS"))]
    pub(crate) fn solver(cycles: Cycles, name: &'static str) -> Self {
        Self { cycles, evidence: Evidence::Solver(name) }
    }

    /// The number.
    pub fn cycles(self) -> Cycles {
        self.cycles
    }

    /// Why it is an upper bound.
    pub fn evidence(self) -> Evidence {
        self.evidence
    }
}
