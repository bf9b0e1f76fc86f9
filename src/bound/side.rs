//! Numbers that know which side of the worst case they are on, and why.

use std::fmt;

use crate::model::Cycles;
use crate::schedule::Witness;

/// What a bound follows from: a closed list, by whose names records call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// A schedule, which exists.
    Schedule,
    /// The closed form of one kernel at sigma 1.
    ClosedForm,
    /// The phase bound.
    Phase,
    /// The critical path; at sigma 1 Be12's Eq. 5-7 too.
    CriticalPath,
    /// The fullest unit, or the longest kernel.
    Bottleneck,
    /// The sum over the segments between barriers.
    Segments,
    /// The bound of structured programs.
    Program,
    /// Every state was looked at.
    Exhaustive,
    /// The dual bound of the ILP's solver.
    IlpDual,
    /// Nothing: the bound says nothing.
    Nothing,
}

impl Basis {
    /// As it stands in records; nothing for [`Basis::Nothing`].
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Schedule => Some("schedule"),
            Self::ClosedForm => Some("closed-form"),
            Self::Phase => Some("phase"),
            Self::CriticalPath => Some("critical-path"),
            Self::Bottleneck => Some("bottleneck"),
            Self::Segments => Some("segments"),
            Self::Program => Some("program"),
            Self::Exhaustive => Some("exhaustive"),
            Self::IlpDual => Some("ilp-dual"),
            Self::Nothing => None,
        }
    }
}

/// How the step from the evidence to the number is checked, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Checked {
    /// By tests against other engines: it rests on a program for which there is no proof.
    Tested,
    /// By a proof on paper, in `docs`; tests compare the code that computes it with other engines.
    Paper,
    /// By a machine that shares no code with what found the number, in this very run.
    Machine,
}

impl Checked {
    /// As it stands in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tested => "tested",
            Self::Paper => "paper",
            Self::Machine => "machine",
        }
    }
}

/// What stands behind a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// A schedule that the verifier replayed.
    Replayed,
    /// A formula with a proof; the text names it.
    Formula(Basis, &'static str),
    /// A formula at every state that a search could not rule out, or a sum of bounds of which one is only tested.
    Searched(Basis, &'static str),
    /// Every one of so many states was looked at.
    Exhausted(u64),
    /// The dual bound of a solver run to its end or to a limit; the text names solver and model.
    Solver(&'static str),
}

impl Evidence {
    /// What the bound follows from.
    pub fn basis(self) -> Basis {
        match self {
            Self::Replayed => Basis::Schedule,
            Self::Formula(basis, _) | Self::Searched(basis, _) => basis,
            Self::Exhausted(_) => Basis::Exhaustive,
            Self::Solver(_) => Basis::IlpDual,
        }
    }

    /// How that is checked.
    pub fn checked(self) -> Checked {
        match self {
            Self::Replayed => Checked::Machine,
            Self::Formula(..) => Checked::Paper,
            Self::Searched(..) | Self::Exhausted(_) | Self::Solver(_) => Checked::Tested,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replayed => f.write_str("a schedule that attains it, replayed"),
            Self::Formula(_, name) | Self::Searched(_, name) => f.write_str(name),
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
    pub(crate) fn formula(cycles: Cycles, basis: Basis, name: &'static str) -> Self {
        Self { cycles, evidence: Evidence::Formula(basis, name) }
    }

    /// The sum of the lower bounds of the segments between barriers.
    pub(crate) fn segments(parts: &[Self]) -> Self {
        let evidence = summed(parts.iter().map(|part| part.evidence));
        Self { cycles: parts.iter().map(|part| part.cycles).sum(), evidence }
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
    pub(crate) fn formula(cycles: Cycles, basis: Basis, name: &'static str) -> Self {
        Self { cycles, evidence: Evidence::Formula(basis, name) }
    }

    /// The largest value of a formula over the states that a search could not rule out.
    pub(crate) fn searched(cycles: Cycles, basis: Basis, name: &'static str) -> Self {
        Self { cycles, evidence: Evidence::Searched(basis, name) }
    }

    /// The sum of the upper bounds of the segments between barriers.
    pub(crate) fn segments(parts: &[Self]) -> Self {
        let evidence = summed(parts.iter().map(|part| part.evidence));
        Self { cycles: parts.iter().map(|part| part.cycles).sum(), evidence }
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

/// What stands behind a sum over segments: no more than behind the weakest part.
fn summed(parts: impl Iterator<Item = Evidence>) -> Evidence {
    const NAME: &str = "sum over the segments between barriers";
    match parts.map(Evidence::checked).min() {
        Some(Checked::Tested) => Evidence::Searched(Basis::Segments, NAME),
        _ => Evidence::Formula(Basis::Segments, NAME),
    }
}
