//! The exhaustive search as an engine, and as a check of another.

use std::time::Duration;

use crate::bound::{Basis, Upper};
use crate::engines::beam::Room;
use crate::engines::phase::Rest;
use crate::engines::portfolio::second::Budget;
use crate::engines::portfolio::{
    Agreement, Check, Disagreement, Observer, Progress, Solution, SolveError, before, replayed,
};
use crate::engines::states::{self, Method};
use crate::engines::{beam, phase};
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance, Unit};
use crate::schedule::{Schedule, Witness};

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
    let mut solution = before(instance, "states", limits)?;
    meet(instance, &mut solution, limits, observer)?;
    Ok(solution)
}

/// Searches, and meets what is known with what is found.
pub(super) fn meet(
    instance: &Instance,
    solution: &mut Solution,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<(), SolveError> {
    let outcome = match states::solve(instance, limits, &report(observer)) {
        Ok(outcome) => outcome,
        Err(error) => {
            solution.stop = error.stop;
            solution.notes.push(error.to_string());
            if let Some(upper) = error.upper {
                let upper = Upper::searched(
                    upper,
                    Basis::CriticalPath,
                    "critical paths from the states that the search had come to",
                );
                solution.interval = solution.interval.at_most(upper).map_err(Disagreement::from)?;
            }
            return promise(instance, solution, limits);
        }
    };
    let upper = Upper::exhausted(outcome.worst, outcome.states);
    solution.interval = solution.interval.at_most(upper).map_err(Disagreement::from)?;
    match outcome.schedule {
        Some(schedule) => solution.attain(claimed(instance, schedule, outcome.worst)?)?,
        None => solution.notes.push("a limit was reached on the way back to a worst schedule".into()),
    }
    match (outcome.best, outcome.best_schedule) {
        (Some(best), Some(schedule)) => solution.best_witness = Some(claimed(instance, schedule, best)?),
        (Some(_), None) => {
            solution.notes.push("a limit was reached on the way back to a best schedule".into())
        }
        (None, _) => solution.notes.push("the best case is not known: a limit was reached".into()),
    }
    solution.notes.push(match outcome.method {
        Method::Dense => "dense sweep over all states".into(),
        Method::Levels => "forward search by levels over the states that can be reached".to_owned(),
    });
    solution.best_case = outcome.best;
    solution.states = Some(outcome.states);
    solution.stop = if solution.interval.is_exact() { Stop::Proved } else { outcome.stop };
    Ok(())
}

/// Replays a schedule of which the search says how long it takes.
fn claimed(instance: &Instance, schedule: Schedule, makespan: Cycles) -> Result<Witness, Disagreement> {
    let witness = replayed(instance, schedule, "states")?;
    if witness.makespan() == makespan {
        return Ok(witness);
    }
    Err(Disagreement::Makespan { engine: "states", claimed: makespan, replayed: witness.makespan() })
}

fn report(observer: Option<Observer<'_>>) -> impl Fn(states::Progress) + Sync {
    move |progress| {
        if let Some(observer) = observer {
            observer(Progress::States(progress));
        }
    }
}

/// What is looked at where a limit has stopped the search, and the time for that.
const BEAM: Room = Room { width: 100, ways: 64 };
const BEAM_TIME: Duration = Duration::from_secs(3);

/// Looks for a longer schedule where the search could not finish. Only for that: this engine's upper bounds owe nothing to phases.
fn promise(instance: &Instance, solution: &mut Solution, limits: &Limits) -> Result<(), SolveError> {
    if solution.interval.is_exact() || !beam::takes(instance) {
        return Ok(());
    }
    let (known, limits) = (solution.interval.lower().cycles(), limits.within(BEAM_TIME));
    let rest = Rest::new(instance, phase::bound(instance).theta);
    let found = beam::search(instance, &rest, BEAM, known, &limits, &|_, _| ());
    if let Some(schedule) = found.schedule {
        solution.attain(replayed(instance, schedule, "beam")?)?;
        solution
            .notes
            .push(format!("the schedule is the longest of a beam of {} states a cycle", BEAM.width));
    }
    Ok(())
}

/// Whether the states are so few that to search them takes a fraction of a second.
pub(super) fn is_quick(instance: &Instance, limits: &Limits) -> bool {
    let (states, time) = predicted(instance, limits);
    states <= FEW_STATES && time.is_some_and(|time| time <= QUICK)
}

/// State spaces no larger than this are searched before anything else, if that is quick.
const FEW_STATES: u64 = 2_000_000;
const QUICK: Duration = Duration::from_secs(1);

/// States a second at sigma 1, of the dense sweep, and of all states where a search by levels reaches some tenth of them: on a
/// slow machine.
const DENSE: u64 = 40_000_000;
const LEVELS: u64 = 5_000_000;

/// How many states there are, and how long it takes to search them, as far as that can be told from their number and that of the
/// choices in each; no time where no search may fit.
fn predicted(instance: &Instance, limits: &Limits) -> (u64, Option<Duration>) {
    let states::Prediction { states, method, .. } = states::predict(instance, limits);
    let rate = if method == Some(Method::Dense) { DENSE } else { LEVELS };
    let choices = Unit::ALL.map(|unit| choices(instance, unit)).into_iter().fold(1, u64::saturating_mul);
    let work = states.saturating_mul(choices);
    let time = Duration::from_micros(work.saturating_mul(1_000_000) / rate);
    (states, method.map(|_| time))
}

/// How many more ways there are at most to fill a unit than at sigma 1: to share sigma among the instructions that want it.
fn choices(instance: &Instance, unit: Unit) -> u64 {
    let places: u64 = instance.groups().iter().map(|group| group.kernel.count(unit)).sum();
    let places = places.min(instance.total_warps()).max(1); // no more can have a warp
    let (mut ways, sigma) = (1_u64, instance.sigma(unit));
    for place in 1..places {
        ways = match ways.checked_mul(sigma.saturating_add(place)) {
            Some(ways) => ways / place, // exact: a binomial coefficient
            None => return u64::MAX,
        };
    }
    ways.div_ceil(places)
}

/// Searches the states of a solved instance too, where the budget is predicted to be enough, and meets the two.
pub(super) fn check(
    instance: &Instance,
    mut solution: Solution,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<Solution, SolveError> {
    let (states, needed) = predicted(instance, limits);
    let left = needed.and_then(|needed| budget.states.checked_sub(needed));
    let mut said = |result, detail| solution.checks.push(Check { by: "states", result, detail });
    let Some(left) = left else {
        said(
            Agreement::Untried,
            match states {
                u64::MAX => "too many states to count".to_owned(),
                states => format!("{states} states"),
            },
        );
        return Ok(solution);
    };
    budget.states = left;
    let mut checked = solution.clone();
    meet(instance, &mut checked, limits, None)?;
    let (result, states) = match checked.states {
        Some(states) => (Agreement::Agrees, states),
        None => (Agreement::Unfinished, states),
    };
    if result == Agreement::Agrees {
        checked.notes = solution.notes;
        solution = checked;
    }
    solution.checks.push(Check { by: "states", result, detail: format!("{states} states") });
    Ok(solution)
}
