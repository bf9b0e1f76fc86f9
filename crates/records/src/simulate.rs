//! The record of `simulate`: makespans of warp-scheduling policies, with the best and the worst case.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assumption::of_instance;
use crate::verify::Found;
use crate::{Assumption, Body, Instance, Limit};
use warpspan_model::Cycles;
use warpspan_model::assumption::Rests;
use warpspan_model::limits::{Ending, NotExact};
use warpspan_model::machine::MachineWorkload;
use warpspan_model::source::Remedy;
use warpspan_solver::extremes::Range;
use warpspan_solver::policy::{self, Scenario};
pub use warpspan_solver::policy::{Draw, Policy};

/// Runs of policies on an instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Simulate {
    /// What was run.
    pub instance: Instance,
    /// What it ran on.
    pub machine: Machine,
    /// A run of each policy.
    pub runs: Vec<Run>,
    /// What the numbers rest on, as `docs/assumptions.md` explains; absent in older records.
    #[serde(default)]
    pub assumptions: Vec<Assumption>,
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
    /// The limit that left the interval open; absent where none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Limit>,
    /// Why the interval is open although no limit stopped the search; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_exact: Option<NotExact>,
    /// A safe upper bound on `last_issue` of any run that starts together; absent where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<u64>,
    /// The same bound on the cycle at whose end every result is there; absent where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_upper: Option<u64>,
}

impl Body for Simulate {
    const SCHEMA: &'static str = "warpspan/simulate/1";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.simulate(self))
    }
}

/// How policies are simulated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// How many instructions a scheduler issues in a cycle: a number, or `unlimited` for as many as the units
    /// take, as in the model.
    pub issue_width: String,
    /// Cycles from an issue to the load/store units until the warp is ready again; absent where the instance
    /// has a `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_l: Option<u64>,
    /// Cycles from an issue to the CUDA cores until the warp is ready again; absent where the instance has a
    /// `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_c: Option<u64>,
    /// Which latency of its interval each issue has; absent unless the instance has a `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Draw>,
    /// The cycle after which the warps of each group are present.
    pub launch: Vec<u64>,
    /// The priority of each group; a larger number is more urgent.
    pub priority: Vec<u64>,
    /// Warp schedulers of the multiprocessor.
    pub schedulers: u64,
    /// The seed of the policy `random` and of random latencies.
    pub seed: u64,
}

impl Machine {
    fn new(workload: &MachineWorkload, scenario: &Scenario, on_machine: bool) -> Self {
        let machine = workload.machine();
        let latency = |name| Some(machine.letter(machine.find(name)?).latency.most).filter(|_| !on_machine);
        Self {
            issue_width: machine.width().map_or_else(|| "unlimited".to_owned(), |width| width.to_string()),
            latency_l: latency("L"),
            latency_c: latency("C"),
            latency: on_machine.then_some(scenario.latency),
            launch: scenario.launch.clone(),
            priority: scenario.priority.clone(),
            schedulers: machine.schedulers(),
            seed: scenario.seed,
        }
    }
}

/// The run of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The policy.
    pub policy: Policy,
    /// The cycles until all warps have finished, with all results.
    pub makespan: u64,
    /// The last cycle in which a warp issues; absent unless the instance has a `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_issue: Option<u64>,
    /// The cycle in which the last instruction of each group is complete.
    pub completions: Vec<u64>,
    /// The mean of the completions, in cycles.
    pub average: f64,
    /// Issues that there was room for, but no ready warp; with an unlimited width, cycles of instances that were
    /// not held.
    pub idle_slots: u64,
    /// Whether the run is one of the model; only then it lies between the best and the worst case.
    pub within_model: bool,
}

impl From<&policy::Run> for Run {
    fn from(run: &policy::Run) -> Self {
        Self {
            policy: run.policy,
            makespan: run.makespan().0,
            last_issue: None,
            completions: run.completions.iter().map(|cycles| cycles.0).collect(),
            average: run.average(),
            idle_slots: run.idle_slots,
            within_model: run.within_model,
        }
    }
}

impl Simulate {
    /// Runs of a workload; `range` is what is known of the best and the worst case, and `uppers` safe bounds
    /// on the last issue and on the last result.
    pub fn new(
        instance: Instance,
        workload: &MachineWorkload,
        scenario: &Scenario,
        runs: &[policy::Run],
        range: Option<&Range>,
        uppers: Option<[Cycles; 2]>,
    ) -> Self {
        let worst = range.map(|range| range.worst);
        let ending = range.map(|range| range.ending);
        let on_machine = instance.machine.is_some();
        let run =
            |run: &policy::Run| Run { last_issue: on_machine.then(|| run.last_issue().0), ..run.into() };
        Self {
            machine: Machine::new(workload, scenario, on_machine),
            instance,
            runs: runs.iter().map(run).collect(),
            assumptions: Vec::new(),
            notes: Vec::new(),
            best: range.and_then(|range| range.best).map(|cycles| cycles.0),
            worst: worst.filter(|worst| worst.is_exact()).map(|worst| worst.upper().cycles().0),
            interval: worst.map(|worst| [worst.lower().cycles().0, worst.upper().cycles().0]),
            stop: ending.and_then(Ending::stop),
            not_exact: ending.and_then(Ending::not_exact),
            upper: uppers.map(|[issue, _]| issue.0),
            completion_upper: uppers.map(|[_, result]| result.0),
        }
    }

    /// The same with what its numbers rest on and what else should be known, in the words of a front end.
    #[must_use]
    pub fn resting_on(self, rests: &Rests, words: impl Fn(&Remedy) -> String) -> Self {
        let (assumptions, notes) = of_instance(None, rests, words);
        Self { assumptions, notes, ..self }
    }
}
