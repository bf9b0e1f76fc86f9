//! The record of `solve`: an interval that holds the worst case, and its evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assumption::of_instance;
pub use crate::basis::{Basis, BasisName, Checked, Evidence};
use crate::verify::Found;
use crate::{Assumption, Body, Instance, Limit};
use warpspan_check::schedule::file::{grid_records, machine_records, records};
use warpspan_check::schedule::{GridIssueRecord, IssueRecord, Lines, MachineIssueRecord, Witness};
use warpspan_ilp::ModelSize;
use warpspan_kernel::input::{Asked, MachineLaunch};
use warpspan_model as model;
use warpspan_model::assumption::Rests;
pub use warpspan_model::limits::NotExact;
use warpspan_model::machine::Order;
use warpspan_model::source::Remedy;
use warpspan_model::words;
pub use warpspan_solver::portfolio::Agreement as CheckResult;
use warpspan_solver::portfolio::{self, Solution, Subject};

/// What is known of the worst case of an instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Solve {
    /// What was solved.
    pub instance: Instance,
    /// The order in which the schedulers try their warps, for which alone the numbers hold; absent where they hold for every order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Order>,
    /// Whether the worst case is known exactly.
    pub verdict: Verdict,
    /// The worst case takes at least so many cycles, however the run ended.
    pub lower: u64,
    /// The worst case takes at most so many cycles, however the run ended.
    pub upper: u64,
    /// What the two ends follow from.
    pub evidence: Evidence,
    /// What the lower end follows from, in words; absent in older records.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lower_from: String,
    /// What the upper end follows from, in words; absent in older records.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub upper_from: String,
    /// The smallest makespan, in cycles; null unless every state was searched.
    pub best_case: Option<u64>,
    /// The engine that answered: `phase`, `beam`, `states`, `ilp`, `program` for programs with branches or
    /// loops, or `relay` for blocks that follow one another.
    pub engine: String,
    /// The limit that stopped the run; null where none did.
    pub stop: Option<Limit>,
    /// Why `lower` is below `upper` although no limit stopped the run; else null.
    pub not_exact: Option<NotExact>,
    /// What other engines said of the answer.
    pub checks: Vec<Check>,
    /// On a machine with latency: the cycle at whose end every result is there at the latest; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_upper: Option<u64>,
    /// Wall-clock time of the run.
    pub seconds: f64,
    /// The size of the integer linear program; null unless one was built to answer.
    pub model: Option<Model>,
    /// The number of states; null unless every state was searched.
    pub states: Option<u64>,
    /// The phase bound; null where no engine computed it.
    pub phase: Option<Phase>,
    /// What the numbers rest on, as `docs/assumptions.md` explains; absent in older records.
    #[serde(default)]
    pub assumptions: Vec<Assumption>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
    /// The lines that warps of programs with branches or loops run in a schedule that takes `lower` cycles;
    /// absent for kernels without them, and where no schedule was replayed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathLine>,
    /// A schedule that takes `lower` cycles; absent unless it was asked for and is not too large. Where there
    /// are `paths`, its groups are those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<IssueRecord>>,
    /// The same for a grid, whose records also say where each block is and from when on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid_schedule: Option<Vec<GridIssueRecord>>,
    /// The same on a machine with latency, whose records say the latency of each issue too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_schedule: Option<Vec<MachineIssueRecord>>,
}

/// A line that warps run along a path of their program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathLine {
    /// The group of the warps, from 1.
    pub group: u64,
    /// The kernel string of the line.
    pub kernel: String,
    /// How many warps run it.
    pub warps: u64,
}

impl Body for Solve {
    const SCHEMA: &'static str = "warpspan/solve/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.solve(self))
    }
}

words! {
    /// Whether the two ends of an interval are equal.
    Verdict {
        /// They are equal: the worst case is known.
        Exact = "exact",
        /// The lower end is below the upper end.
        Bounded = "bounded",
    }
}

/// What an engine said of the answer of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The engine that checked: `states`, `ilp` or `phase`.
    pub by: String,
    /// The outcome.
    pub result: CheckResult,
    /// How much was searched, or why nothing was.
    pub detail: String,
}

impl From<&portfolio::Check> for Check {
    fn from(check: &portfolio::Check) -> Self {
        Self { by: check.by.to_string(), result: check.result, detail: check.detail.clone() }
    }
}

/// The size of an integer linear program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Model {
    /// Constraints.
    pub rows: u64,
    /// Variables.
    pub columns: u64,
    /// Coefficients that are not zero.
    pub nonzeros: u64,
}

impl From<ModelSize> for Model {
    fn from(ModelSize { rows, columns, nonzeros }: ModelSize) -> Self {
        Self { rows, columns, nonzeros }
    }
}

/// The phase bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Phase {
    /// a of each group, a whole number or a ratio such as `7/2`: the cycles that a further warp adds.
    pub rates: Vec<String>,
    /// A best labelling of each group, a letter for each instruction of the expanded kernel; empty for
    /// programs.
    pub labels: Vec<String>,
    /// The price of a change of label, in cycles, at which the labelling is a best one.
    pub theta: String,
    /// The worst case takes at most so many cycles.
    pub upper: u64,
}

impl From<&portfolio::Phase> for Phase {
    fn from(phase: &portfolio::Phase) -> Self {
        Self {
            rates: phase.rates.iter().map(ToString::to_string).collect(),
            labels: phase.labels.iter().map(ToString::to_string).collect(),
            theta: phase.theta.to_string(),
            upper: phase.upper.0,
        }
    }
}

impl PathLine {
    /// The lines of a witness.
    fn of(lines: &Lines) -> Vec<Self> {
        let each = lines.workload().groups().iter().zip(lines.groups());
        let line = |(line, &group): (&model::Group, &usize)| Self {
            group: group as u64 + 1,
            kernel: line.code.to_string(),
            warps: line.warps,
        };
        each.map(line).collect()
    }
}

/// What a solver is to solve.
pub fn subject(asked: &Asked) -> Subject<'_> {
    match asked {
        Asked::Workload(workload) => workload.into(),
        Asked::Grid(grid) => grid.into(),
        Asked::OnMachine(on) => match &on.launch {
            MachineLaunch::Workload(workload) => workload.into(),
            MachineLaunch::Grid(grid) => grid.into(),
        },
    }
}

impl Solve {
    /// What was found, with its schedule if that is asked for.
    pub fn new(asked: &Asked, solution: &Solution, with_schedule: bool) -> Self {
        let worst = solution.worst_case();
        let (from_lower, from_upper) = (worst.lower().theorem(), worst.upper().theorem());
        let witness = solution.witness().filter(|_| with_schedule);
        let witness = witness.map(Witness::schedule);
        let (mut schedule, mut grid_schedule, mut machine_schedule) = (None, None, None);
        match asked {
            Asked::Workload(workload) => {
                let instance = workload.instance().or(solution.lines().map(Lines::instance));
                schedule = instance.zip(witness).map(|(of, schedule)| records(of, schedule).collect());
            }
            Asked::Grid(grid) => {
                grid_schedule = witness.map(|schedule| grid_records(grid, schedule).collect());
            }
            Asked::OnMachine(on) => {
                if let MachineLaunch::Workload(workload) = &on.launch {
                    machine_schedule = witness.map(|schedule| machine_records(workload, schedule));
                }
            }
        }
        Self {
            instance: asked.into(),
            policy: solution.policy(),
            verdict: if worst.is_exact() { Verdict::Exact } else { Verdict::Bounded },
            lower: worst.lower().cycles().0,
            upper: worst.upper().cycles().0,
            evidence: Evidence { lower: Some(Basis::of(from_lower)), upper: Some(Basis::of(from_upper)) },
            lower_from: from_lower.to_string(),
            upper_from: from_upper.to_string(),
            best_case: solution.best_case().map(|cycles| cycles.0),
            engine: solution.engine().to_string(),
            stop: solution.ending().stop(),
            not_exact: solution.ending().not_exact(),
            checks: solution.checks().iter().map(Into::into).collect(),
            completion_upper: solution.completion_upper().map(|cycles| cycles.0),
            seconds: solution.elapsed().as_secs_f64(),
            model: solution.model().map(Into::into),
            states: solution.states(),
            phase: solution.phase().map(Into::into),
            assumptions: Vec::new(),
            notes: Vec::new(),
            paths: solution.lines().map(PathLine::of).unwrap_or_default(),
            schedule,
            grid_schedule,
            machine_schedule,
        }
    }
    /// The same with what its numbers rest on and what else should be known, in the words of a front end.
    #[must_use]
    pub fn resting_on(self, rests: &Rests, words: impl Fn(&Remedy) -> String) -> Self {
        let (assumptions, notes) = of_instance(self.policy, rests, words);
        Self { assumptions, notes, ..self }
    }
}
