//! An estimate of a model's size before it is built.

use std::fmt;

use crate::Formulation;
use warpspan_model::{Cycles, Instance, Unit};

/// The number of rows, columns and nonzeros of an ILP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelSize {
    /// The number of constraints.
    pub rows: u64,
    /// The number of variables.
    pub columns: u64,
    /// The number of coefficients that are not zero.
    pub nonzeros: u64,
}

/// The memory to build and solve a model, in bytes for each nonzero, with that of the program itself. The
/// largest resident sizes measured (LLCLL, W = 10 to 60, each formulation, up to half a minute) were 830
/// bytes for each nonzero. The number is rounded up.
const BYTES_A_NONZERO: u64 = 1000;
const BYTES_BEFORE: u64 = 32 << 20;

impl ModelSize {
    /// The estimated memory to build and solve the model, in bytes.
    pub fn bytes(&self) -> u64 {
        self.nonzeros.saturating_mul(BYTES_A_NONZERO).saturating_add(BYTES_BEFORE)
    }
}

impl fmt::Display for ModelSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows, {} columns, {} nonzeros", self.rows, self.columns, self.nonzeros)
    }
}

/// An upper estimate of the size of a model. Windows are assumed to be open, so the model that is built is
/// smaller.
pub fn estimate(instance: &Instance, formulation: Formulation, plain: bool, horizon: Cycles) -> ModelSize {
    let units = Unit::ALL.len() as u128;
    let cycles = u128::from(horizon.0);
    let warps = u128::from(instance.total_warps());
    let issues = u128::from(instance.total_issues()); // the sum over warps of I
    let cells = issues.saturating_mul(cycles); // (w, i, t)
    let pairs = warps.saturating_mul(cycles); // (w, t)
    let (rows, columns, nonzeros) = match formulation {
        Formulation::Aggregated => (
            cells.saturating_mul(4) + pairs * units + (units + 1) * cycles,
            cells + cycles * (units + 1),
            // two for each row of stay, order and crowd; four for each (k, i, t) in conserve; two in capacity
            cells.saturating_mul(14) + pairs * units + (units + 1 + units) * cycles,
        ),
        Formulation::Short | Formulation::Long => {
            let per_issue = if plain { units } else { 1 };
            let conserving = if formulation == Formulation::Short { cells } else { pairs * units };
            // a row of work conservation sums over all cycles, for each (w, i, t)
            let sums = cells.saturating_mul(cycles + 2).saturating_mul(per_issue);
            (
                conserving + pairs * units + issues * (units + 2) + 4 * cycles * units,
                cells.saturating_mul(per_issue) + cycles * (units + 1),
                sums + cells.saturating_mul(per_issue).saturating_mul(9),
            )
        }
    };
    let fit = |value: u128| u64::try_from(value).unwrap_or(u64::MAX);
    ModelSize { rows: fit(rows), columns: fit(columns), nonzeros: fit(nonzeros) }
}
