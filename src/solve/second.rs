//! A second look at what `auto` answers, by an engine that shares nothing with the first.
//!
//! The answer stands without it, so it never waits for it long: a check that is predicted to take longer than it may is not
//! tried, one that does take longer is stopped, and either is said.

use std::time::Duration;

use serde::Serialize;

use crate::limits::Limits;
use crate::model::Instance;
use crate::solve::{Engine, Solution, SolveError, exhaustive, ilp};

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

/// What checks may take in all after an answer that took so long: as long again, but not more than two seconds, and a tenth.
pub(super) fn time(answer: Duration) -> Duration {
    answer.min(Duration::from_secs(2)) + Duration::from_millis(100)
}

/// Lets other engines look at an answer of [`Engine::Auto`] until the limits, if they may be quick.
pub(super) fn look(
    instance: &Instance,
    engine: Engine,
    mut solution: Solution,
    limits: &Limits,
) -> Result<Solution, SolveError> {
    if engine != Engine::Auto || !solution.interval.is_exact() {
        return Ok(solution);
    }
    let agreed = |solution: &Solution| solution.checks.iter().any(|check| check.result == Agreement::Agrees);
    if solution.states.is_none() {
        solution = exhaustive::check(instance, solution, limits)?;
    }
    if !agreed(&solution) {
        solution = ilp::check(instance, solution, limits)?;
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
