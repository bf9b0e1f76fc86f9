//! A check of the answer of `auto` by an engine that shares nothing with the first.
//!
//! The answer stands without the check and never waits long for it. The time of a search over states grows
//! with the number of states, so the search is tried only if it is predicted to end in a tenth of a second.
//! It then runs to its end: whether it does must not depend on the machine, since the best case comes from
//! it. The time of the ILP cannot be predicted, so the ILP is stopped. The answer reports the result of both.

use std::time::Duration;

use crate::portfolio::agreement::{Agreement, Check};
use crate::portfolio::engine::{Engine, Forecast, Run, Size};
use crate::portfolio::findings::Found;
use crate::portfolio::ilp::{claim, forecast};
use crate::portfolio::states::States;
use crate::portfolio::{EngineName, Solution, SolveError};
use warpspan_check::bound::{Upper, critical_path};
use warpspan_engines::phase;
use warpspan_ilp::{self as ilp, Options};
use warpspan_model::Instance;
use warpspan_model::limits::Limits;

/// The time that the checks of one answer may take.
pub(super) struct Budget {
    /// The time for searches over states, as predicted. Each search reduces what is left.
    pub(super) states: Duration,
    /// The limits for all runs of the ILP together.
    pub(super) ilp: Limits,
}

impl Budget {
    /// The budget for an answer that took `answer`. The ILP may take as long again, up to two seconds, and a
    /// tenth of a second more.
    pub(super) fn new(limits: &Limits, answer: Duration) -> Self {
        let tenth = Duration::from_millis(100);
        Self { states: tenth, ilp: limits.within(answer.min(Duration::from_secs(2)) + tenth) }
    }
}

/// Lets other engines check an answer of [`EngineChoice::Auto`](super::EngineChoice::Auto), if it is exact
/// and they may be quick.
///
/// # Errors
/// If they disagree.
pub(super) fn look(
    instance: &Instance,
    solution: &mut Solution,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<(), SolveError> {
    if !solution.found.interval.is_exact() {
        return Ok(());
    }
    if solution.found.states.is_none() {
        let check = by_states(instance, &mut solution.found, limits, budget)?;
        solution.checks.push(check);
    }
    if !solution.checks.iter().any(|check| check.result == Agreement::Agrees) {
        let check = by_ilp(instance, &mut solution.found, &budget.ilp)?;
        solution.checks.push(check);
    }
    Ok(())
}

/// Combines an answer of the search over states with the phase bound, which that search does not use.
///
/// # Errors
/// If they disagree.
pub(super) fn by_phases(instance: &Instance, solution: &mut Solution) -> Result<(), SolveError> {
    let phases = phase::bound(instance);
    if solution.found.interval.is_exact() {
        let upper = phases.makespan.cycles();
        let agrees = upper == solution.found.interval.upper().cycles();
        let result = if agrees { Agreement::Agrees } else { Agreement::Consistent };
        let detail = format!("at most {upper} cycles");
        solution.checks.push(Check { by: EngineName::Phase, result, detail });
    }
    solution.found.within_phases(phases)?;
    Ok(())
}

/// Searches the states of a solved instance too, if the budget is predicted to suffice, and compares the
/// results.
fn by_states(
    instance: &Instance,
    found: &mut Found,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<Check, SolveError> {
    let check = |result, size: Size| Check { by: EngineName::States, result, detail: size.to_string() };
    let Forecast { size, time, .. } = States.predict(instance, limits);
    let Some(left) = time.and_then(|needed| budget.states.checked_sub(needed)) else {
        return Ok(check(Agreement::Untried, size));
    };
    budget.states = left;
    let mut searched = Found { notes: Vec::new(), ..found.clone() };
    States.narrow(instance, &mut searched, Run { limits, observer: None })?;
    let Some(states) = searched.states else { return Ok(check(Agreement::Unfinished, size)) };
    *found = Found { notes: std::mem::take(&mut found.notes), ..searched };
    Ok(check(Agreement::Agrees, Size::States(states)))
}

/// Models estimated at more nonzeros than this are not solved as a check, because their time cannot be
/// predicted.
const CHECK_NONZEROS: u64 = 10_000;

/// Solves a solved instance by the ILP too, if that may be quick, and compares the results.
fn by_ilp(instance: &Instance, found: &mut Found, limits: &Limits) -> Result<Check, SolveError> {
    let check = |result, detail| Check { by: EngineName::Ilp, result, detail };
    if !ilp::AVAILABLE {
        return Ok(check(Agreement::Untried, "this build has no HiGHS".to_owned()));
    }
    let options = Options::DEFAULT;
    let limits = limits.share();
    let longest = critical_path(instance); // the phase bound is to be checked too, so it is not used
    let Forecast { size, fits, time } = forecast(instance, longest, &options, &limits);
    let few = matches!(size, Size::Nonzeros(nonzeros) if nonzeros <= CHECK_NONZEROS);
    let soon = limits.time_left().is_none_or(|left| time.is_some_and(|needed| needed <= left));
    if !few || !soon || !fits {
        return Ok(check(Agreement::Untried, size.to_string()));
    }
    let outcome = match ilp::solve(instance, longest, &options, &limits, None) {
        Ok(outcome) => outcome,
        Err(error) => return Ok(check(Agreement::Unfinished, error.to_string())),
    };
    let worst = Some(found.interval.upper().cycles());
    let proved = outcome.stop.is_none() && outcome.objective == worst;
    let agrees = proved && outcome.upper.map(Upper::cycles) == worst;
    found.meet(instance, outcome.upper, claim(&outcome)?)?;
    let result = if agrees { Agreement::Agrees } else { Agreement::Unfinished };
    Ok(check(result, format!("{}: {}", options.formulation.name(), outcome.size)))
}

/// Combines the checks of several parts. For each engine the result of the whole is the worst of the parts.
pub(super) fn together<'a>(parts: impl Iterator<Item = &'a [Check]>) -> Vec<Check> {
    let mut all: Vec<Check> = Vec::new();
    let mut count = 0_u64;
    let mut said: Vec<u64> = Vec::new();
    for part in parts {
        count += 1;
        for check in part {
            match all.iter().position(|known| known.by == check.by) {
                Some(at) => {
                    said[at] += 1;
                    if check.result > all[at].result {
                        all[at] = check.clone();
                    }
                }
                None => {
                    all.push(check.clone());
                    said.push(1);
                }
            }
        }
    }
    for (check, said) in all.iter_mut().zip(said) {
        check.detail =
            format!("{said} of {count} different segments; at least one of them: {}", check.detail);
    }
    all
}
