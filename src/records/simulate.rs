//! The record of `simulate`: what warp-scheduling policies take, beside the best and the worst case.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engines::policy;
use crate::model::Unit;
use crate::records::words::words;
use crate::records::{Body, Instance};

/// Runs of policies on an instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Simulate {
    /// What was run.
    pub instance: Instance,
    /// What it ran on.
    pub machine: Machine,
    /// A run of each policy.
    pub runs: Vec<Run>,
    /// What else should be known, a sentence each; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The best case, in cycles; null where it is not known, or the machine is not that of the model.
    pub best: Option<u64>,
    /// The worst case, in cycles; null where it is not known exactly, or the machine is not that of the
    /// model.
    pub worst: Option<u64>,
    /// The worst case is at least the first and at most the second number; null where the machine is not that
    /// of the model.
    pub interval: Option<[u64; 2]>,
}

impl Body for Simulate {
    const SCHEMA: &'static str = "warpspan/simulate/1";
}

/// The machine that policies are simulated on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// How many instructions a scheduler issues in a cycle.
    pub issue_width: IssueWidth,
    /// Cycles from an issue to the load/store units until the warp is ready again.
    pub latency_l: u64,
    /// Cycles from an issue to the CUDA cores until the warp is ready again.
    pub latency_c: u64,
    /// The cycle after which the warps of each group are there.
    pub launch: Vec<u64>,
    /// The priority of each group; a larger number is more urgent.
    pub priority: Vec<u64>,
    /// Warp schedulers of the multiprocessor.
    pub schedulers: u64,
    /// The seed of the policy `random`.
    pub seed: u64,
}

words! {
    /// How many instructions a scheduler issues in a cycle.
    IssueWidth from policy::Width {
        /// One instruction.
        One = "1",
        /// As many as the units take, as in the model.
        Unlimited = "unlimited",
    }
}

impl From<&policy::Machine> for Machine {
    fn from(machine: &policy::Machine) -> Self {
        Self {
            issue_width: machine.width.into(),
            latency_l: machine.latency[Unit::LoadStore],
            latency_c: machine.latency[Unit::CudaCore],
            launch: machine.launch.clone(),
            priority: machine.priority.clone(),
            schedulers: machine.schedulers,
            seed: machine.seed,
        }
    }
}

/// The run of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The policy.
    pub policy: Policy,
    /// The cycles until all warps have finished.
    pub makespan: u64,
    /// The cycle in which the last instruction of each group is complete.
    pub completions: Vec<u64>,
    /// The mean of the completions, in cycles.
    pub average: f64,
    /// Issues that there was room for, but no ready warp.
    pub idle_slots: u64,
    /// Whether the run is one of the model; only then it lies between the best and the worst case.
    pub within_model: bool,
}

words! {
    /// A warp-scheduling policy.
    Policy from policy::Policy {
        /// Loose round robin.
        Lrr = "lrr",
        /// Greedy, then the oldest warp.
        Gto = "gto",
        /// The oldest warp first.
        Oldest = "oldest",
        /// The order of Si21's RT-PAWS, by priority and budget.
        RtPaws = "rt-paws",
        /// Any order.
        Random = "random",
        /// The adversary: the longest schedule that is known.
        Worst = "worst",
    }
}

impl From<&policy::Run> for Run {
    fn from(run: &policy::Run) -> Self {
        Self {
            policy: run.policy.into(),
            makespan: run.makespan().0,
            completions: run.completions.iter().map(|cycles| cycles.0).collect(),
            average: run.average(),
            idle_slots: run.idle_slots,
            within_model: run.within_model,
        }
    }
}

impl Simulate {
    /// Runs on a machine; `range` is what is known of the best and the worst case.
    pub fn new(
        instance: Instance,
        machine: &policy::Machine,
        runs: &[policy::Run],
        range: Option<&policy::Range>,
        notes: Vec<String>,
    ) -> Self {
        let worst = range.map(|range| range.worst);
        Self {
            instance,
            machine: machine.into(),
            runs: runs.iter().map(Into::into).collect(),
            notes,
            best: range.and_then(|range| range.best).map(|cycles| cycles.0),
            worst: worst.filter(|worst| worst.is_exact()).map(|worst| worst.upper().cycles().0),
            interval: worst.map(|worst| [worst.lower().cycles().0, worst.upper().cycles().0]),
        }
    }
}
