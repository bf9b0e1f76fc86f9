//! The phases of kernels.

use warpspan_engines::phase::{ClosedForm as Closed, PhaseBound, Rational};
use warpspan_model::{Cycles, Labelling};

/// Which parts of each kernel act as one load/store phase and which as a compute phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// The rate a of each group: the cycles that a further warp of it adds.
    pub rates: Vec<Rational>,
    /// A best labelling of each group's expanded kernel. Programs have none.
    pub labels: Vec<Labelling>,
    /// The price of a change of label at which the rates and labellings hold.
    pub theta: Rational,
    /// The upper bound that the phases give.
    pub upper: Cycles,
}

impl From<PhaseBound> for Phase {
    fn from(PhaseBound { rates, labels, theta, makespan, .. }: PhaseBound) -> Self {
        Self { rates, labels, theta, upper: makespan.cycles() }
    }
}

impl From<&Closed> for Phase {
    fn from(closed: &Closed) -> Self {
        Self {
            rates: vec![Rational::from(i128::from(closed.rate))],
            labels: vec![closed.labels.clone()],
            theta: Rational::from(1),
            upper: closed.upper.cycles(),
        }
    }
}
