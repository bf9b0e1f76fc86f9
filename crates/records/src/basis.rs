//! The evidence for the two ends of an interval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_check::bound;
pub use warpspan_check::bound::{Checked, Family as BasisName};

/// What the two ends of an interval follow from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Of the lower end; null in older records of programs, whose lower end was 0.
    pub lower: Option<Basis>,
    /// Of the upper end.
    pub upper: Option<Basis>,
}

/// What a number follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// The theorem or the computation.
    pub name: BasisName,
    /// How the step from there to the number is checked.
    pub checked: Checked,
}

impl Basis {
    /// What a bound follows from.
    pub fn of(theorem: bound::Theorem) -> Self {
        Self { name: theorem.family(), checked: theorem.checked() }
    }
}
