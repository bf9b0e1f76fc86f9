//! Code with several paths, for which there is an upper bound and only the trivial lower bound.
//!
//! The paths of a program cover those of the code it stands for, but the code may issue less on each of them,
//! end early or never take them. Therefore neither a schedule nor the bottleneck of a path is a lower bound
//! for the code.

use std::time::Instant;

use crate::bound::{Interval, Lower, Theorem};
use crate::engines::portfolio::found::Found;
use crate::engines::portfolio::{Disagreement, EngineName, Note, Phase, Solution, SolveError};
use crate::engines::program::bound;
use crate::limits::NotExact;
use crate::model::{Cycles, Workload};

/// The bound of a workload as an interval.
///
/// # Errors
/// If a program has no bound.
pub(super) fn of_paths(workload: &Workload) -> Result<Solution, SolveError> {
    let start = Instant::now();
    let bound = bound(workload)?;
    let lower = Lower::proved(Cycles(0), Theorem::NoPath);
    let interval = Interval::new(lower, bound.makespan).map_err(Disagreement::from)?;
    let phase =
        Phase { rates: bound.rates, labels: Vec::new(), theta: bound.theta, upper: bound.makespan.cycles() };
    let notes = bound.assumes.into_iter().map(Note::Assumed).collect();
    let found = Found { phase: Some(phase), notes, ..Found::new(interval) };
    Ok(Solution::new(EngineName::Program, found, NotExact::Paths.into()).after(start.elapsed()))
}
