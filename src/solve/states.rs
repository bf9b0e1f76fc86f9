//! The exhaustive search as an engine, and as a check of another.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::bound::Upper;
use crate::limits::{Limits, Stop};
use crate::model::Instance;
use crate::solve::{CHECK_TIME, Disagreement, Observer, Progress, Solution, SolveError, before, replayed};
use crate::states::{self, Method, Outcome};

/// Whether the search of the instance may fit into the memory limit.
pub(super) fn fits(instance: &Instance, limits: &Limits) -> bool {
    states::predict(instance, limits).method.is_some()
}

/// The search within the limits, on top of what is known before.
pub(super) fn solve(
    instance: &Instance,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let mut solution = before(instance, "states")?;
    meet(instance, &mut solution, limits, observer)?;
    Ok(solution)
}

/// Searches, and meets what is known with what is found.
fn meet(
    instance: &Instance,
    solution: &mut Solution,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<(), SolveError> {
    let (done, total) = (AtomicU64::new(0), states::predict(instance, limits).states);
    let progress = |states: u64| {
        let done = done.fetch_add(states, Ordering::Relaxed) + states;
        if let Some(observer) = observer {
            observer(Progress::States { done, total });
        }
    };
    let outcome = match states::solve(instance, limits, &progress) {
        Ok(outcome) => outcome,
        Err(error) => {
            solution.stop = error.stop;
            solution.notes.push(error.to_string());
            return Ok(());
        }
    };
    let Outcome { worst, schedule, states, method, .. } = outcome;
    let upper = Upper::exhausted(worst, states);
    solution.interval = solution.interval.at_most(upper).map_err(Disagreement::from)?;
    if let Some(schedule) = schedule {
        let witness = replayed(instance, schedule, "states")?;
        if witness.makespan() != worst {
            let (claimed, replayed) = (worst, witness.makespan());
            return Err(Disagreement::Makespan { engine: "states", claimed, replayed }.into());
        }
        solution.attain(witness)?;
    } else {
        solution.notes.push("memory did not allow to keep the way back to a worst schedule".into());
    }
    solution.notes.push(match method {
        Method::Dense => "dense sweep over all states".into(),
        Method::Levels => "forward search by levels over the states that can be reached".to_owned(),
    });
    solution.best_case = outcome.best;
    solution.states = Some(states);
    solution.stop = if solution.interval.is_exact() { Stop::Proved } else { Stop::MemoryLimit };
    if outcome.stop != Stop::Proved {
        solution.notes.push("the best case is not known: a limit was reached".into());
    }
    Ok(())
}

/// State spaces no larger than this are searched as a check; they take a fraction of a second.
const CHECK_STATES: u64 = 2_000_000;

/// Searches the states of a solved instance too, where that is quick, and meets the two.
pub(super) fn check(
    instance: &Instance,
    mut solution: Solution,
    limits: &Limits,
) -> Result<Solution, SolveError> {
    let states::Prediction { states, method, .. } = states::predict(instance, limits);
    if states > CHECK_STATES || method.is_none() {
        return Ok(solution);
    }
    let mut checked = solution.clone();
    meet(instance, &mut checked, &limits.within(CHECK_TIME), None)?;
    if let Some(states) = checked.states {
        checked.notes = solution.notes;
        checked.notes.push(format!("exhaustive search agrees ({states} states)"));
        solution = checked;
    }
    Ok(solution)
}
