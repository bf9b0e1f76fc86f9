//! The closed form as an engine: its schedule is replayed before its value counts as attained.

use std::time::Duration;

use crate::bound::{Interval, Lower, critical_path};
use crate::engines::phase::{self, Domain, PhaseBound, Rational};
use crate::engines::portfolio::{Disagreement, Solution, SolveError, before, replayed};
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance};

/// Which parts of each kernel act as one load/store phase, which as a compute phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// a of each group: the cycles that a further warp of it adds.
    pub rates: Vec<Rational>,
    /// A best labelling of each group, a letter an instruction of the expanded kernel.
    pub labels: Vec<String>,
    /// The price of a change of label at which that is so.
    pub theta: Rational,
    /// The upper bound by phases.
    pub upper: Cycles,
}

impl From<PhaseBound> for Phase {
    fn from(PhaseBound { rates, labels, theta, makespan, .. }: PhaseBound) -> Self {
        Self { rates, labels, theta, upper: makespan }
    }
}

impl Solution {
    /// Meets the interval with the phase bound, which the exhaustive search does not use.
    pub(super) fn within_phases(&mut self, bound: PhaseBound) -> Result<(), Disagreement> {
        self.interval = self.interval.at_most(bound.upper())?;
        self.phase = Some(bound.into());
        Ok(())
    }
}

/// The closed form.
pub(super) fn solve(instance: &Instance, limits: &Limits) -> Result<Solution, SolveError> {
    let closed = match phase::solve(instance, limits) {
        Err(error @ Domain::Pairs(_)) => return without_pairs(instance, limits, &error),
        closed => closed?,
    };
    let mut interval = Interval::new(closed.lower, closed.upper)
        .and_then(|interval| interval.at_most(critical_path(instance)));
    let mut notes = Vec::new();
    let witness = match closed.schedule(limits) {
        Some(schedule) => {
            let witness = replayed(instance, schedule, "phase")?;
            let (claimed, replayed) = (closed.lower.cycles(), witness.makespan());
            if claimed != replayed {
                return Err(Disagreement::Makespan { engine: "phase", claimed, replayed }.into());
            }
            interval = Interval::new(Lower::replayed(&witness), closed.upper);
            Some(witness)
        }
        None => {
            notes.push(
                "the schedule is too large to write out and replay: both ends rest on the theorem".into(),
            );
            None
        }
    };
    let phase = Phase {
        rates: vec![Rational::from(i128::from(closed.rate))],
        labels: vec![closed.labels],
        theta: Rational::from(1),
        upper: closed.upper.cycles(),
    };
    Ok(Solution {
        interval: interval.map_err(Disagreement::from)?,
        engine: "phase",
        stop: Stop::Proved,
        witness,
        best_case: None,
        best_witness: None,
        model: None,
        states: None,
        phase: Some(phase),
        checks: Vec::new(),
        notes,
        elapsed: Duration::ZERO,
    })
}

/// Two warps of a kernel too long for the limits: what the theorem says of any number of warps.
fn without_pairs(instance: &Instance, limits: &Limits, why: &Domain) -> Result<Solution, SolveError> {
    let mut solution = before(instance, "phase", limits)?;
    solution.interval = solution.interval.at_most(phase::upper(instance)?).map_err(Disagreement::from)?;
    solution.stop = match solution.interval.is_exact() {
        true => Stop::Proved,
        false => limits.stopped().unwrap_or(Stop::MemoryLimit),
    };
    solution.notes.push(why.to_string());
    Ok(solution)
}
