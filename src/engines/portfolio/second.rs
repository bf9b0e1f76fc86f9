//! A second look at what `auto` answers, by an engine that shares nothing with the first.
//!
//! The answer stands without it, so it never waits for it long. A search over states takes as long as it has states, so only what
//! is predicted to end in a tenth of a second is tried, and then it runs to its end: whether it does must not depend on the
//! machine, since the best case comes from it. How long the ILP takes nobody can tell, so it is stopped. Either is said.

use std::time::Duration;

use serde::Serialize;

use crate::engines::portfolio::{Engine, Solution, SolveError, exhaustive, ilp};
use crate::limits::Limits;
use crate::model::Instance;

/// What an engine said of the answer of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The engine: `states`, `ilp` or `phase`.
    pub by: &'static str,
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

/// Lets other engines look at an answer of [`Engine::Auto`], if they may be quick.
pub(super) fn look(
    instance: &Instance,
    engine: Engine,
    mut solution: Solution,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<Solution, SolveError> {
    if engine != Engine::Auto || !solution.interval.is_exact() {
        return Ok(solution);
    }
    let agreed = |solution: &Solution| solution.checks.iter().any(|check| check.result == Agreement::Agrees);
    if solution.states.is_none() {
        solution = exhaustive::check(instance, solution, limits, budget)?;
    }
    if !agreed(&solution) {
        solution = ilp::check(instance, solution, &budget.ilp)?;
    }
    Ok(solution)
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
