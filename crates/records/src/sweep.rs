//! The records of `sweep`: the plan of a sweep, and the rows of its table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Body;

pub use warpspan_sweep::Row as SweepRow;

/// What a sweep would do, as `--dry-run` prints it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweepPlan {
    /// The name of the grid, which its rows carry.
    pub grid: String,
    /// The cells of the grid.
    pub cells: u64,
    /// The cells of this shard.
    pub chosen: u64,
    /// How long the chosen cells take, as predicted; an estimate.
    pub predicted_seconds: Seconds,
}

impl Body for SweepPlan {
    const SCHEMA: &'static str = "warpspan/sweep-plan/2";
}

/// A range of times.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Seconds {
    /// At least so long.
    pub least: f64,
    /// At most so long.
    pub most: f64,
}
