//! The exact best and worst case, between which every policy lies on the machine of the model.

use crate::bound::Interval;
use crate::engines::policy::{Machine, Policy, Run, RunError};
use crate::engines::portfolio::{EngineChoice, Observer, SolveError, Solver};
use crate::engines::states;
use crate::limits::{Ending, Limits};
use crate::model::{Cycles, Instance};
use crate::schedule::Witness;

/// What is known of the best and the worst case.
#[derive(Debug, Clone)]
pub struct Range {
    /// An interval that contains the worst case.
    pub worst: Interval,
    /// The best case, if every state was visited.
    pub best: Option<Cycles>,
    /// The longest schedule found, replayed. Its makespan is the worst case if the interval is one number.
    pub witness: Option<Witness>,
    /// How the search for the worst case ended.
    pub ending: Ending,
}

impl Range {
    /// Checks that a run of the model is within the range, as it must be.
    ///
    /// # Errors
    /// If it is not.
    pub fn holds(&self, run: &Run) -> Result<(), RunError> {
        let (least, most) = (self.best.unwrap_or_default(), self.worst.upper().cycles());
        let (policy, makespan) = (run.policy, run.makespan());
        if run.within_model && !(least..=most).contains(&makespan) {
            return Err(RunError::Outside { policy, makespan, least, most });
        }
        Ok(())
    }
}

/// The largest number of states that are searched only to find the best case.
const MOST_STATES: u64 = 50_000_000;

/// The worst case by the engine that suits the instance, and the best case by the states if there are not too
/// many.
///
/// # Errors
/// As [`Solver::solve`].
pub fn range(
    instance: &Instance,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Range, SolveError> {
    let mut solver = Solver::new().limits(limits);
    if let Some(observer) = observer {
        solver = solver.on_progress(observer);
    }
    let solution = solver.solve_instance(instance)?;
    let states = states::predict(instance, limits);
    let few = states.states <= MOST_STATES && states.method.is_some();
    let best = match solution.best_case() {
        None if few && limits.stopped().is_none() => {
            solver.engine(EngineChoice::States).solve_instance(instance)?.best_case()
        }
        best => best,
    };
    let (worst, ending) = (solution.worst_case(), solution.ending());
    Ok(Range { worst, best, witness: solution.witness().cloned(), ending })
}

/// The run of the adversary, which is the longest schedule known.
///
/// # Errors
/// If the machine is not that of the model, or the schedule is too large to be written out.
pub fn worst(instance: &Instance, machine: &Machine, range: &Range) -> Result<Run, RunError> {
    machine.suits(instance, Policy::Worst)?;
    let witness = range.witness.as_ref().ok_or(RunError::TooLarge(instance.total_issues()))?;
    Run::new(instance, Policy::Worst, machine, witness.schedule().clone())
}
