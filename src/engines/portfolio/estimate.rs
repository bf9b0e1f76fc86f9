//! T(y) for y = 1..x, side by side: the terms of the estimate of Be12 Eq. 42-43.

use crate::engines::portfolio::{SolveError, Solver};
use crate::limits::{Ending, Limits};
use crate::model::{Cycles, Instance};

/// Exact makespans for few warps.
#[derive(Debug, Clone)]
pub struct Terms {
    /// (y, T(y)) for each y that was solved exactly, by rising y.
    pub exact: Vec<(u64, Cycles)>,
    /// Why a T(y) is missing, if one is.
    pub ending: Ending,
}

/// The x of the estimate where none is given: where the closed form gives T(y), so that it costs nothing; else none.
pub fn free_terms(instance: &Instance) -> Option<u64> {
    let segments = !instance.has_barriers() || instance.is_one_block();
    (instance.has_unit_sigma() && segments).then_some(4)
}

/// Solves T(1) to T(x) in parallel, each with one thread; `each` is called after each of them. Only for one group:
/// `None` otherwise.
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
            return Ok((y, None, stop.into())); // even what an engine does before it looks at the limits takes its time
        }
        let few = match instance.with_warps(y) {
            Some(Ok(few)) => few,
            _ => return Ok((y, None, Ending::Proved)), // more warps than counts can hold
        };
        let solution = Solver::new().limits(&share).solve_instance(&few)?;
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
