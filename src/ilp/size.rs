//! How large a model will be, before it is built.

use std::fmt;

use serde::Serialize;

use crate::ilp::Formulation;
use crate::model::{Cycles, Instance, Unit};

/// Rows, columns and nonzeros of an ILP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ModelSize {
    /// Constraints.
    pub rows: u64,
    /// Variables.
    pub columns: u64,
    /// Coefficients that are not zero.
    pub nonzeros: u64,
}

/// Memory for a nonzero, a row and a column while HiGHS presolves and solves, in bytes: the largest resident size
/// measured on the models of `benches/formulations.rs`, rounded up.
const BYTES: (u64, u64, u64) = (300, 500, 1000);

impl ModelSize {
    /// Estimated memory to build and solve it, in bytes.
    pub fn bytes(&self) -> u64 {
        self.nonzeros
            .saturating_mul(BYTES.0)
            .saturating_add(self.rows.saturating_mul(BYTES.1))
            .saturating_add(self.columns.saturating_mul(BYTES.2))
    }
}

impl fmt::Display for ModelSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows, {} columns, {} nonzeros", self.rows, self.columns, self.nonzeros)
    }
}

/// An upper estimate of the size of a model: windows are taken as open, so the model built is smaller.
pub fn estimate(instance: &Instance, formulation: Formulation, plain: bool, horizon: Cycles) -> ModelSize {
    let units = Unit::ALL.len() as u128;
    let cycles = u128::from(horizon.0);
    let warps = u128::from(instance.total_warps());
    let issues = u128::from(instance.total_issues()); // sum over warps of I
    let cells = issues.saturating_mul(cycles); // (w, i, t)
    let pairs = warps.saturating_mul(cycles); // (w, t)
    let capacity = cells.saturating_mul(3); // a coefficient for each unit's capacity and fullness
    let (rows, columns, nonzeros) = match formulation {
        Formulation::Aggregated => (
            cells.saturating_mul(3) + pairs * units + units * cycles,
            cells + cycles,
            // each warp's row of work conservation counts the issues of all others
            pairs.saturating_mul(issues).saturating_mul(2) + cells.saturating_mul(6) + capacity,
        ),
        Formulation::Short | Formulation::Long => {
            let per_issue = if plain { units } else { 1 };
            let conserving = if formulation == Formulation::Short { cells } else { pairs * units };
            // a row of work conservation sums over all cycles, for each (w, i, t)
            let sums = cells.saturating_mul(cycles + 2).saturating_mul(per_issue);
            (
                conserving + pairs * units + issues * (units + 2) + 4 * cycles * units,
                cells.saturating_mul(per_issue) + cycles * (units + 1),
                sums + capacity + cells.saturating_mul(per_issue).saturating_mul(6),
            )
        }
    };
    let fit = |value: u128| u64::try_from(value).unwrap_or(u64::MAX);
    ModelSize { rows: fit(rows), columns: fit(columns), nonzeros: fit(nonzeros) }
}
