//! The exhaustive search as an engine, and as a check of another.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::bound::{Lower, Upper};
use crate::limits::{Limits, Stop};
use crate::model::Instance;
use crate::solve::{Disagreement, Observer, Progress, Solution, SolveError, before, replayed};
use crate::states::{self, StatesError};

/// Whether the table of the instance fits into the memory limit.
pub(super) fn fits(instance: &Instance, limits: &Limits) -> bool {
    states::size(instance).1 <= limits.memory
}

/// The search within the limits, on top of what is known before.
pub(super) fn solve(
    instance: &Instance,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let (interval, witness) = before(instance)?;
    let mut solution = Solution {
        interval,
        engine: "states",
        stop: Stop::MemoryLimit,
        witness,
        best_case: None,
        model: None,
        states: None,
        phase: None,
        notes: Vec::new(),
        elapsed: Duration::ZERO,
    };
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
    let (done, total) = (AtomicU64::new(0), states::size(instance).0.saturating_mul(2));
    let progress = |states: u64| {
        let done = done.fetch_add(states, Ordering::Relaxed) + states;
        if let Some(observer) = observer {
            observer(Progress::States { done, total });
        }
    };
    let outcome = match states::solve(instance, limits, &progress) {
        Ok(outcome) => outcome,
        Err(error) => {
            solution.stop = match error {
                StatesError::TooLarge { .. } => Stop::MemoryLimit,
                StatesError::Stopped(stop) => stop,
            };
            solution.notes.push(error.to_string());
            return Ok(());
        }
    };
    let witness = replayed(instance, outcome.schedule, "states")?;
    if witness.makespan() != outcome.worst {
        let (claimed, replayed) = (outcome.worst, witness.makespan());
        return Err(Disagreement::Makespan { engine: "states", claimed, replayed }.into());
    }
    let upper = Upper::exhausted(outcome.worst, outcome.states);
    let interval = solution.interval.at_least(Lower::replayed(&witness));
    solution.interval = interval.and_then(|interval| interval.at_most(upper)).map_err(Disagreement::from)?;
    if solution.witness.as_ref().is_none_or(|known| known.makespan() < witness.makespan()) {
        solution.witness = Some(witness);
    }
    solution.best_case = outcome.best;
    solution.states = Some(outcome.states);
    solution.stop = Stop::Proved;
    if outcome.stop != Stop::Proved {
        solution.notes.push("the best case is not known: a limit was reached".into());
    }
    Ok(())
}

/// State spaces no larger than this are searched as a check; they take a fraction of a second.
const CHECK_STATES: u64 = 2_000_000;
const CHECK_TIME: Duration = Duration::from_secs(2);

/// Searches the states of a solved instance too, where that is quick, and meets the two.
pub(super) fn check(
    instance: &Instance,
    mut solution: Solution,
    limits: &Limits,
) -> Result<Solution, SolveError> {
    let (count, bytes) = states::size(instance);
    if count > CHECK_STATES || bytes > limits.memory {
        return Ok(solution);
    }
    let mut checked = solution.clone();
    meet(instance, &mut checked, &limits.within(CHECK_TIME), None)?;
    if checked.states.is_some() {
        checked.notes.push(format!("exhaustive search agrees ({count} states)"));
        solution = checked;
    }
    Ok(solution)
}
