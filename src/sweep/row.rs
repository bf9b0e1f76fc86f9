//! One record of a table: a cell of the grid and what came out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A cell and its results; an empty field, or null, where there is none.
///
/// Cycles are whole numbers. The fields stand in this order in CSV, and by these names in JSON lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Which grid: a hash of all that it is made of, so that rows of different grids are not mixed.
    pub grid: String,
    /// Number of the cell in the grid, from 1.
    pub cell: u64,
    /// Kernel string as given, written out.
    pub kernel: String,
    /// Number of warps.
    pub warps: u64,
    /// Warps that may issue a load/store in a cycle: a whole number, or 1/n.
    pub sigma_l: String,
    /// Warps that may issue a CUDA-core instruction in a cycle.
    pub sigma_c: String,
    /// The engine asked for: auto, states, phase, ilp-short, ilp-long, ilp-aggregated, or bounds (none).
    pub asked: String,
    /// The worst case is at least this: a schedule that long was replayed, or a theorem says so.
    pub lower: u64,
    /// The worst case is at most this.
    pub upper: u64,
    /// `exact` or `bounded`.
    pub verdict: String,
    /// The smallest makespan, where every state was looked at.
    pub best_case: Option<u64>,
    /// Be12 Eq. 5-7; an upper bound only where both sigmas are at most 1.
    pub pessimistic: u64,
    /// The critical path: an upper bound.
    pub critical_path: u64,
    /// The phase bound: an upper bound, exact for one kernel where both sigmas are at most 1.
    pub phase: u64,
    /// The busier unit alone: a lower bound.
    pub bottleneck: u64,
    /// x of the estimate.
    pub up_to: Option<u64>,
    /// The estimate of Be12 Eq. 42-43, min over y = 1..x of ceil(W/y) T(y): neither upper nor lower bound.
    pub min_over_y: Option<u64>,
    /// The engine that answered.
    pub engine: String,
    /// The limit that stopped it: `time-limit`, `memory-limit`; none where nothing did. Tables of before say `proved` there, or
    /// what is now `not_exact`.
    pub stop: Option<String>,
    /// Wall-clock time of the cell, without that of the estimate.
    pub seconds: f64,
    /// States searched, if every one was.
    pub states: Option<u64>,
    /// Rows of the ILP, if one was built to answer.
    pub rows: Option<u64>,
    /// Columns of the ILP.
    pub columns: Option<u64>,
    /// Nonzeros of the ILP.
    pub nonzeros: Option<u64>,
    /// Version of warpspan.
    pub version: String,
    /// Makespans of the policies asked for: `lrr=19;gto=17`. Tables of before have no such column.
    #[serde(default)]
    pub policies: Option<String>,
    /// Why the worst case is not known though nothing stopped the cell: `paths`, `several-blocks`, `no-engine`. Tables of before
    /// have no such column.
    #[serde(default)]
    pub not_exact: Option<String>,
    /// The name of the entry that the kernel is, where it is from a listing. Tables of before have no such column.
    #[serde(default)]
    pub entry: Option<String>,
}

impl Row {
    /// The makespans of policies, by their names; none where the field does not read.
    pub fn makespans(&self) -> Option<Vec<(&str, u64)>> {
        let policies = self.policies.as_deref().unwrap_or_default();
        let mut makespans = Vec::new();
        for text in policies.split(';').filter(|text| !text.is_empty()) {
            let (name, cycles) = text.split_once('=')?;
            makespans.push((name, cycles.parse().ok()?));
        }
        Some(makespans)
    }
}
