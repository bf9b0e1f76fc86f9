//! The exact best and worst case, between which every policy lies on the machine of the model.

use crate::bound::Interval;
use crate::engines::policy::{Machine, Policy, Run, RunError};
use crate::engines::portfolio::{Engine, IlpOptions, Observer, SolveError, solve};
use crate::engines::states;
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance};
use crate::schedule::Witness;

/// What is known of the best and the worst case.
#[derive(Debug, Clone)]
pub struct Range {
    /// The worst case is in it.
    pub worst: Interval,
    /// The best case, where every state was looked at.
    pub best: Option<Cycles>,
    /// The longest schedule found, replayed; a worst case where the interval is one number.
    pub witness: Option<Witness>,
    /// Why the search for the worst case ended.
    pub stop: Stop,
}

impl Range {
    /// Whether a run of the model is within the range, as it must be.
    ///
    /// # Errors
    /// If it is not.
    pub fn holds(&self, run: &Run) -> Result<(), RunError> {
        let (least, most) = (self.best.unwrap_or_default(), self.worst.upper().cycles());
        let (policy, makespan) = (run.policy, run.makespan());
        match !run.within_model || (least..=most).contains(&makespan) {
            true => Ok(()),
            false => Err(RunError::Outside { policy, makespan, least, most }),
        }
    }
}

/// More states than this are not searched for the best case alone.
const MOST_STATES: u64 = 50_000_000;

/// The worst case by the engine that suits the instance, and the best case by the states where they are not too many.
///
/// # Errors
/// As [`solve`].
pub fn range(
    instance: &Instance,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Range, SolveError> {
    let options = IlpOptions::default();
    let mut solution = solve(instance, Engine::Auto, &options, limits, observer)?;
    let states = states::predict(instance, limits);
    let few = states.states <= MOST_STATES && states.method.is_some();
    if solution.best_case.is_none() && few && limits.stopped().is_none() {
        let searched = solve(instance, Engine::States, &options, limits, observer)?;
        solution.best_case = searched.best_case;
    }
    let crate::engines::portfolio::Solution { interval, best_case, witness, stop, .. } = solution;
    Ok(Range { worst: interval, best: best_case, witness, stop })
}

/// The run of the adversary: the longest schedule known.
///
/// # Errors
/// If the machine is not that of the model, or the schedule is too large to be written out.
pub fn worst(instance: &Instance, machine: &Machine, range: &Range) -> Result<Run, RunError> {
    machine.suits(instance, Policy::Worst)?;
    let witness = range.witness.as_ref().ok_or(RunError::TooLarge(instance.total_issues()))?;
    Run::new(instance, Policy::Worst, machine, witness.schedule().clone())
}
