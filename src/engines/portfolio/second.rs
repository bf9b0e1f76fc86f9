//! A second look at what `auto` answers, by an engine that shares nothing with the first.
//!
//! The answer stands without the second look and never waits long for it. A search over states takes as long as it has states, so
//! only what is predicted to end in a tenth of a second is tried. Such a search runs to its end: whether it does must not depend on
//! the machine, since the best case comes from it. How long the ILP takes nobody can tell, so it is stopped. The answer says what
//! came of either.

use std::time::Duration;

use serde::Serialize;

use crate::bound::{Upper, critical_path};
use crate::engines::ilp::{self, Options};
use crate::engines::phase;
use crate::engines::portfolio::engine::{Engine, Forecast, Size};
use crate::engines::portfolio::found::Found;
use crate::engines::portfolio::ilp::{claim, forecast};
use crate::engines::portfolio::states::States;
use crate::engines::portfolio::{EngineName, Solution, SolveError};
use crate::limits::Limits;
use crate::model::Instance;

/// What an engine said of the answer of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The engine: the states, the ILP or the phase bound.
    pub by: EngineName,
    /// What came of it.
    pub result: Agreement,
    /// How much was looked at, or why it was not.
    pub detail: String,
}

/// What came of a check, the best first. That two engines disagree is an error, not one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// The same worst case.
    Agrees,
    /// Bounds that hold the worst case, but are not as narrow.
    Consistent,
    /// It was stopped before it had an answer.
    Unfinished,
    /// It would have taken too long, or more memory than there is.
    Untried,
}

impl Agreement {
    /// In a line for a person.
    pub fn text(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Consistent => "does not contradict",
            Self::Unfinished => "was stopped before it had an answer",
            Self::Untried => "not tried",
        }
    }
}

/// What the checks of one answer may take.
pub(super) struct Budget {
    /// Of searches over states, as predicted; less is left after each.
    pub(super) states: Duration,
    /// Of the ILP, together.
    pub(super) ilp: Limits,
}

impl Budget {
    /// For an answer that took so long: the ILP may take as long again, but not more than two seconds, and a tenth.
    pub(super) fn new(limits: &Limits, answer: Duration) -> Self {
        let tenth = Duration::from_millis(100);
        Self { states: tenth, ilp: limits.within(answer.min(Duration::from_secs(2)) + tenth) }
    }
}

/// Lets other engines look at an answer of [`EngineChoice::Auto`](super::EngineChoice::Auto), if it is exact and they may be quick.
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

/// Meets an answer of the search over states with the phase bound, which that search does not use.
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

/// Searches the states of a solved instance too, where the budget is predicted to be enough, and meets the two.
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
    States.narrow(instance, &mut searched, limits, None)?;
    let Some(states) = searched.states else { return Ok(check(Agreement::Unfinished, size)) };
    *found = Found { notes: std::mem::take(&mut found.notes), ..searched };
    Ok(check(Agreement::Agrees, Size::States(states)))
}

/// Models estimated at more nonzeros than this are not solved as a check: how long they take is anybody's guess.
const CHECK_NONZEROS: u64 = 10_000;

/// Solves a solved instance by the ILP too, where that may be quick, and meets the two.
fn by_ilp(instance: &Instance, found: &mut Found, limits: &Limits) -> Result<Check, SolveError> {
    let check = |result, detail| Check { by: EngineName::Ilp, result, detail };
    if !ilp::AVAILABLE {
        return Ok(check(Agreement::Untried, "this build has no HiGHS".to_owned()));
    }
    let options = Options::DEFAULT;
    let limits = limits.share();
    let longest = critical_path(instance); // not the phase bound, which is to be checked too
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

/// What was said of several parts, for the whole: of each engine the least.
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
