//! A row of a table: a cell of the grid and its results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_solver::policy::Policy;

/// A cell and its results. A field without a value is empty in CSV and null in JSON lines.
///
/// Cycles are whole numbers. The fields stand in this order in CSV, and have these names in JSON lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The name of the grid: a hash of its contents, so that rows of different grids are not mixed.
    pub grid: String,
    /// The number of the cell in the grid, from 1.
    pub cell: u64,
    /// The kernel string with its repetitions written out, or the text of a program.
    pub kernel: String,
    /// The number of warps.
    pub warps: u64,
    /// Load/store instructions that warps may issue in a cycle: a whole number, or 1/n.
    pub sigma_l: String,
    /// CUDA-core instructions that warps may issue in a cycle: a whole number, or 1/n.
    pub sigma_c: String,
    /// The engine that was asked for: auto, states, phase, ilp-short, ilp-long, ilp-aggregated, or bounds for
    /// none.
    pub asked: String,
    /// The worst case is at least this number of cycles: a schedule of this length was replayed, or a theorem
    /// says so.
    pub lower: u64,
    /// The worst case is at most this number of cycles.
    pub upper: u64,
    /// `exact` if both numbers are equal, else `bounded`.
    pub verdict: String,
    /// The smallest makespan, where an engine searched every state.
    pub best_case: Option<u64>,
    /// The pessimistic makespan of Be12 Eq. 5-7, which is an upper bound only where both sigmas are at most
    /// 1.
    pub pessimistic: u64,
    /// The critical path, which is an upper bound.
    pub critical_path: u64,
    /// The phase bound, which is an upper bound, and exact for one kernel where both sigmas are at most 1.
    pub phase: u64,
    /// The time that the busier unit needs, which is a lower bound.
    pub bottleneck: u64,
    /// The x of the estimate.
    pub up_to: Option<u64>,
    /// The estimate of Be12 Eq. 42-43, min over y = 1..x of ceil(W/y) T(y), which is neither an upper nor a
    /// lower bound.
    pub min_over_y: Option<u64>,
    /// The engine that answered.
    pub engine: String,
    /// The limit that stopped the cell, `time-limit` or `memory-limit`; no value if none did. Older tables
    /// also say `proved` here, or what `not_exact` says now.
    pub stop: Option<String>,
    /// The wall-clock time of the cell in seconds, without that of the estimate.
    pub seconds: f64,
    /// The number of states, if every one was searched.
    pub states: Option<u64>,
    /// The rows of the ILP, if one was built to answer.
    pub rows: Option<u64>,
    /// The columns of the ILP.
    pub columns: Option<u64>,
    /// The nonzeros of the ILP.
    pub nonzeros: Option<u64>,
    /// The version of warpspan that wrote the row.
    pub version: String,
    /// Why the worst case is not known exactly although nothing stopped the cell: `paths`, `several-blocks`
    /// or `no-engine`. Older tables lack this column.
    #[serde(default)]
    pub not_exact: Option<String>,
    /// The name of the listing's entry, if the kernel is from a listing. Older tables lack this column.
    #[serde(default)]
    pub entry: Option<String>,
    /// The last term of the estimate, ceil(W/x) T(x), which is Be12's T^(W, x); no value if T(x) is not known.
    /// Older tables lack this column.
    #[serde(default)]
    pub term: Option<u64>,
    /// The makespan under loose round robin, if that policy was asked for. Older tables lack the columns of
    /// policies.
    #[serde(default)]
    pub lrr: Option<u64>,
    /// The makespan under the policy greedy, then oldest.
    #[serde(default)]
    pub gto: Option<u64>,
    /// The makespan where the oldest warp is always the first.
    #[serde(default)]
    pub oldest: Option<u64>,
    /// The makespan under RT-PAWS (Si21 Algorithm 5).
    #[serde(default)]
    pub rt_paws: Option<u64>,
    /// The makespan under an order that is drawn anew each cycle.
    #[serde(default)]
    pub random: Option<u64>,
    /// The makespan under the policy greedy, then youngest.
    #[serde(default)]
    pub cggty: Option<u64>,
    /// What older tables have in place of the columns of policies, such as `lrr=19;gto=17`. Reading a row
    /// moves it there.
    #[serde(default, skip_serializing)]
    pub(super) policies: Option<String>,
}

impl Row {
    /// The makespans of the policies that were simulated, each with the policy.
    pub fn makespans(&self) -> impl Iterator<Item = (Policy, u64)> {
        let columns = [
            (Policy::Lrr, self.lrr),
            (Policy::Gto, self.gto),
            (Policy::Oldest, self.oldest),
            (Policy::RtPaws, self.rt_paws),
            (Policy::Random, self.random),
            (Policy::Cggty, self.cggty),
        ];
        columns.into_iter().filter_map(|(policy, makespan)| Some((policy, makespan?)))
    }

    /// The column of a policy; `None` for the adversary, whose makespan is the column `lower`.
    pub(super) fn column(&mut self, policy: Policy) -> Option<&mut Option<u64>> {
        match policy {
            Policy::Lrr => Some(&mut self.lrr),
            Policy::Gto => Some(&mut self.gto),
            Policy::Oldest => Some(&mut self.oldest),
            Policy::RtPaws => Some(&mut self.rt_paws),
            Policy::Random => Some(&mut self.random),
            Policy::Cggty => Some(&mut self.cggty),
            Policy::Worst => None,
        }
    }

    /// Writes what an older table has in its one column of policies into the columns of today. `None` if it
    /// cannot be read.
    pub(super) fn spread_policies(&mut self, older: &str) -> Option<()> {
        for text in older.split(';').filter(|text| !text.is_empty()) {
            let (name, cycles) = text.split_once('=')?;
            *self.column(name.parse().ok()?)? = Some(cycles.parse().ok()?);
        }
        Some(())
    }
}
