//! What stands in for the ILP in a build without HiGHS.

use crate::engines::portfolio::{Agreement, Check, Observer, Solution, SolveError, before};
use crate::limits::Limits;
use crate::model::Instance;

/// This build has no ILP to take options.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct IlpOptions {}

/// This build has no ILP to be told of.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct ModelSize {
    /// Constraints.
    pub rows: u64,
    /// Variables.
    pub columns: u64,
    /// Coefficients that are not zero.
    pub nonzeros: u64,
}

pub(super) fn solve(
    instance: &Instance,
    _: &IlpOptions,
    limits: &Limits,
    _: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let interval = before(instance, "ilp", limits)?.interval;
    let (lower, upper) = (interval.lower().cycles(), interval.upper().cycles());
    Err(SolveError::NoHighs(format!("without it the worst case is between {lower} and {upper} cycles")))
}

/// Narrows nothing.
#[expect(clippy::unnecessary_wraps, reason = "the twin of a function that can fail")]
pub(super) fn close(
    _: &Instance,
    _: &mut Solution,
    _: &IlpOptions,
    _: &Limits,
    _: Option<Observer<'_>>,
) -> Result<bool, SolveError> {
    Ok(false)
}

#[expect(clippy::unnecessary_wraps, reason = "the twin of a function that can fail")]
pub(super) fn check(_: &Instance, mut solution: Solution, _: &Limits) -> Result<Solution, SolveError> {
    let detail = "this build has no HiGHS".to_owned();
    solution.checks.push(Check { by: "ilp", result: Agreement::Untried, detail });
    Ok(solution)
}
