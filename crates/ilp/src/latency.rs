//! The formulation **latency**: straight lines on a machine with latency, issue width and schedulers.
//!
//! It is for tests and small cases, where it and `positions` judge each other. Its variables
//! and rows stand in `ilp::highs::latency`.

use crate::solver::AVAILABLE;
use crate::{IlpError, LatencyOutcome, ModelSize, highs};
use warpspan_check::bound::Upper;
use warpspan_model::Cycles;
use warpspan_model::limits::Limits;
use warpspan_model::machine::MachineWorkload;

/// Builds the model of a workload, of which no schedule is longer than `longest`, over a horizon in cycles,
/// and solves it within the limits. In a horizon that is too short only some schedules are considered, and
/// there is no upper bound.
///
/// # Errors
/// If the code is no straight line or has dependences, there is no solver, the model exceeds the memory limit
/// or the solver fails.
pub fn solve(
    workload: &MachineWorkload,
    horizon: Cycles,
    longest: Upper,
    limits: &Limits,
) -> Result<LatencyOutcome, IlpError> {
    if !AVAILABLE {
        return Err(IlpError::NoSolver);
    }
    let lines = workload.lines().filter(|_| !workload.has_dependences()).ok_or(IlpError::Lines)?;
    let letters = lines.iter().zip(workload.groups()).fold(0_u64, |sum, (line, group)| {
        sum.saturating_add(group.warps.saturating_mul(line.concat().len() as u64))
    });
    let size = estimate(letters, workload.total_warps(), horizon);
    if size.bytes() > limits.memory {
        let (needed, limit) = (size.bytes() >> 20, limits.memory >> 20);
        return Err(IlpError::TooLarge { formulation: "latency", size, needed, limit });
    }
    highs::latency(workload, &lines, (horizon, horizon >= longest.cycles()), limits)
}

/// An upper estimate of the size of the model.
fn estimate(letters: u64, warps: u64, horizon: Cycles) -> ModelSize {
    let cells = letters.saturating_mul(horizon.0); // (w, i, t)
    let pairs = warps.saturating_mul(horizon.0); // (w, t)
    ModelSize {
        // stay, order, soonest, latest, arrived and conserve; capacity, width, full and busy
        rows: cells.saturating_mul(6).saturating_add(pairs.saturating_mul(4)),
        columns: cells.saturating_mul(3).saturating_add(pairs.saturating_mul(2)),
        // two to four in each of the former; two for each (w, i) in each of the latter
        nonzeros: cells.saturating_mul(24).saturating_add(pairs.saturating_mul(4)),
    }
}
