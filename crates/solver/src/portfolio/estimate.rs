//! The exact worst cases T(y) for y = 1..x, solved in parallel. They are the terms of the estimate of Be12
//! Eq. 42-43.

use crate::portfolio::{SolveError, Solver};
use warpspan_model::limits::{Ending, Limits};
use warpspan_model::{Cycles, Instance};

/// Exact makespans for few warps.
#[derive(Debug, Clone)]
pub struct Terms {
    /// (y, T(y)) for each y that was solved exactly, by rising y.
    pub exact: Vec<(u64, Cycles)>,
    /// Why a T(y) is missing, if one is.
    pub ending: Ending,
}

/// The x of the estimate if none is given. It is set where the closed form gives T(y), so that it costs
/// nothing, and is `None` elsewhere.
pub fn free_terms(instance: &Instance) -> Option<u64> {
    let segments = !instance.has_barriers() || instance.is_one_block();
    (instance.has_unit_sigma() && segments).then_some(4)
}

/// Solves T(1) to T(x) in parallel, each with one thread. `each` is called after each of them. The result is
/// `None` unless there is exactly one group.
///
/// # Errors
/// As [`Solver::solve`].
pub fn terms(
    instance: &Instance,
    up_to: u64,
    limits: &Limits,
    each: impl Fn() + Sync,
) -> Option<Result<Terms, SolveError>> {
    if instance.groups().len() != 1 {
        return None;
    }
    let share = limits.share();
    let term = |y: u64| -> Result<(u64, Option<Cycles>, Ending), SolveError> {
        if let Some(stop) = limits.stopped() {
            // an engine takes time even before it checks the limits for the first time
            return Ok((y, None, stop.into()));
        }
        let few = match instance.with_warps(y) {
            Some(Ok(few)) => few,
            _ => return Ok((y, None, Ending::Proved)), // there are more warps than counts can hold
        };
        let solution = Solver::new().limits(&share).solve(&few)?;
        each();
        let worst = solution.worst_case();
        Ok((y, worst.is_exact().then(|| worst.upper().cycles()), solution.ending()))
    };
    let all = || limits.side_by_side((1..=up_to).collect(), term).into_iter().collect::<Result<Vec<_>, _>>();
    Some(limits.in_pool(all).map(|solved| {
        Terms {
            ending: solved
                .iter()
                .map(|&(_, _, ending)| ending)
                .find(|&ending| ending != Ending::Proved)
                .unwrap_or(Ending::Proved),
            exact: solved.into_iter().filter_map(|(y, exact, _)| Some((y, exact?))).collect(),
        }
    }))
}
