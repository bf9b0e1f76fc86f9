//! The exact best and worst case, between which every policy lies on the machine of the model, and the bounds that
//! hold for every policy on any machine.

use thiserror::Error;

use crate::policy::{Line, Policy, Run, RunError, Scenario, ScenarioError, total_issues};
use crate::portfolio::{EngineChoice, Observer, SolveError, Solver};
use warpspan_check::bound::Interval;
use warpspan_check::schedule::Witness;
use warpspan_engines::latency::{LatencyError, MachineBounds, bounds};
use warpspan_engines::states;
use warpspan_model::limits::{Ending, Limits};
use warpspan_model::machine::MachineWorkload;
use warpspan_model::{Cycles, Instance};

/// A run that is not between the best and the worst case, which is a bug.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Beyond {
    /// A makespan is not between the best and the worst case, which is a bug.
    #[error(
        "policy {policy} takes {makespan} cycles, not {least} to {most}; this is a bug, please report it"
    )]
    Outside {
        /// The policy.
        policy: Policy,
        /// The makespan of the run.
        makespan: Cycles,
        /// The best case, as far as it is known.
        least: Cycles,
        /// The upper bound on the worst case.
        most: Cycles,
    },
    /// A group issues or has a result after an upper bound, which is a bug.
    #[error(
        "policy {policy}: the last {what} of group {group} is in cycle {cycle}, which is after the bound {upper}; this is a \
         bug, please report it"
    )]
    Above {
        /// The policy.
        policy: Policy,
        /// The group, from 1.
        group: usize,
        /// What is bounded: `issue` or `result`.
        what: &'static str,
        /// The cycle of the last one.
        cycle: Cycles,
        /// The bound.
        upper: Cycles,
    },
}

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
    pub fn holds(&self, run: &Run) -> Result<(), Beyond> {
        let (least, most) = (self.best.unwrap_or_default(), self.worst.upper().cycles());
        let (policy, makespan) = (run.policy, run.makespan());
        if run.within_model && !(least..=most).contains(&makespan) {
            return Err(Beyond::Outside { policy, makespan, least, most });
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
    let solution = solver.solve(instance)?;
    let states = states::predict(instance, limits);
    let few = states.states <= MOST_STATES && states.method.is_some();
    let best = match solution.best_case() {
        None if few && limits.stopped().is_none() => {
            solver.engine(EngineChoice::States).solve(instance)?.best_case()
        }
        best => best,
    };
    let (worst, ending) = (solution.worst_case(), solution.ending());
    Ok(Range { worst, best, witness: solution.witness().cloned(), ending })
}

/// The run of the adversary, which is the longest schedule known of the instance that the workload is.
///
/// # Errors
/// If the machine is not that of the model, or the schedule is too large to be written out.
pub fn worst(workload: &MachineWorkload, scenario: &Scenario, range: &Range) -> Result<Run, RunError> {
    scenario.suits(workload, Policy::Worst)?;
    let lines = Line::all(workload).ok_or(ScenarioError::Paths)?;
    let issues = total_issues(workload).unwrap_or(u64::MAX);
    let witness = range.witness.as_ref().ok_or(RunError::TooLarge(issues))?;
    Run::new(workload, Policy::Worst, scenario, &lines, witness.schedule().issues().to_vec())
}

/// Safe upper bounds on every schedule of a workload, or `None` if its warps do not start together, as all
/// bounds take for granted.
///
/// # Errors
/// As [`bounds`].
pub fn uppers(
    workload: &MachineWorkload,
    scenario: &Scenario,
) -> Result<Option<MachineBounds>, LatencyError> {
    scenario.starts_together().then(|| bounds(workload)).transpose()
}

/// Checks that no group of a run issues or has a result after the bounds of [`uppers`].
///
/// # Errors
/// If one does.
pub fn holds(run: &Run, uppers: &MachineBounds) -> Result<(), Beyond> {
    let issues = run.last_issues();
    let each = [("issue", &issues, &uppers.groups), ("result", &run.completions, &uppers.group_completions)];
    for (what, found, bounds) in each {
        for ((group, &cycle), bound) in (1..).zip(found).zip(bounds) {
            let (policy, upper) = (run.policy, bound.cycles());
            if cycle > upper {
                return Err(Beyond::Above { policy, group, what, cycle, upper });
            }
        }
    }
    Ok(())
}
