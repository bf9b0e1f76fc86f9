//! Workloads whose code has several paths: the bound, and nothing proved from below.
//!
//! The paths of a program cover those of the code it stands for: the code may issue less on each of them, end early or never go
//! there. So neither a schedule nor the bottleneck of a path says what the code takes at least.

use std::time::Instant;

use crate::bound::{Basis, Contradiction, Interval, Lower};
use crate::engines::portfolio::{Phase, Solution};
use crate::engines::program::{ProgramBound, ProgramError, bound};
use crate::limits::Stop;
use crate::model::{Cycles, Workload};

/// The bound of a workload as an interval, whether its code has one path or several.
///
/// # Errors
/// As [`bound()`](crate::engines::program::bound()).
pub fn program(workload: &Workload) -> Result<(Solution, ProgramBound), ProgramError> {
    let start = Instant::now();
    let found = bound(workload)?;
    let lower = Lower::formula(Cycles(0), Basis::Nothing, "no path is known to be taken");
    let interval =
        Interval::new(lower, found.upper()).map_err(|Contradiction { .. }| ProgramError::Overflow)?;
    let solution = Solution {
        interval,
        engine: "program",
        stop: Stop::Paths,
        witness: None,
        best_case: None,
        best_witness: None,
        model: None,
        states: None,
        phase: Some(Phase {
            rates: found.rates.clone(),
            labels: Vec::new(),
            theta: found.theta,
            upper: found.makespan,
        }),
        checks: Vec::new(),
        notes: found.assumes.iter().map(|what| format!("assumed: {what}")).collect(),
        elapsed: start.elapsed(),
    };
    Ok((solution, found))
}
