//! The record of `rta` for an AMALTHEA model: response times of its tasks, and latencies of its event chains.

use crate::Assumption;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Body;
use crate::assumption::{listed, of_bounds};
use crate::number::{lower, number};
use crate::rta::{CheckedBounds, Meets, Verdict, VerdictBy};
use crate::verify::Found;
use warpspan_amalthea::{self as amalthea, Activation, Analysis, Model};
use warpspan_check::bound::statement;
use warpspan_kernel::input::key;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_model::words;

/// An analysis of an AMALTHEA model. All times are in milliseconds, exact to the picosecond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RtaModel {
    /// Whether all jobs meet their deadlines, and all event chains keep their limits.
    pub verdict: Verdict,
    /// What the verdict rests on; null where it is undecided.
    pub by: Option<VerdictBy>,
    /// What the bounds follow from.
    pub checked: CheckedBounds,
    /// What the numbers rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// What the response bounds and latencies rest on where the verdict is `refuted`, which rests on other things; else empty.
    #[serde(default)]
    pub bounds_rest_on: Vec<Assumption>,
    /// What else is worth knowing.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Whether the verdict is `proved`.
    pub schedulable: bool,
    /// The processing unit that is asked for more than it can do; null where that is not proved of any.
    pub overloaded: Option<String>,
    /// The namespace of the model, which ends in the version of AMALTHEA.
    pub namespace: String,
    /// The processing units of the model.
    pub units: Vec<String>,
    /// Whether jobs are assumed to arrive at the offsets of the model.
    pub at_offsets: bool,
    /// The tasks, in the order of the file.
    pub tasks: Vec<Task>,
    /// The event chains: those of the file, then those of flags.
    pub chains: Vec<Chain>,
    /// What looks wrong in the model, and what is not used.
    pub findings: Vec<Finding>,
}

impl Body for RtaModel {
    const SCHEMA: &'static str = "warpspan/rta-model/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.rta_model(self))
    }
}

/// What is known of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// The line of the file at which it begins.
    pub line: usize,
    /// The processing units that it may run on; empty where it is not allocated.
    pub units: Vec<String>,
    /// A larger one is more urgent; null where the model gives none.
    pub priority: Option<i64>,
    /// How its jobs are released.
    pub activation: Activated,
    /// The least time between arrivals; null where it is not released again and again by a stimulus of its own.
    pub period: Option<Number>,
    /// How long after its arrival a job is released at most; null where `period` is.
    pub jitter: Option<Number>,
    /// Its deadline; null where the model gives none.
    pub deadline: Option<Number>,
    /// A job runs at least so long, without waits; null where that is not known.
    pub execution_lower: Option<Number>,
    /// A job runs at most so long, without waits; null where that is not known.
    pub execution_upper: Option<Number>,
    /// No job is faster; null where nothing is known.
    pub response_least: Option<Number>,
    /// The worst case is at least so long: a job that takes its upper ticks and has all units to itself.
    pub worst_case_at_least: Option<Number>,
    /// No job takes longer, from its arrival, or from its trigger where a task triggers it; null for the `reason`.
    pub response_bound: Option<Number>,
    /// Whether all jobs meet the deadline.
    pub meets: Meets,
    /// Why `meets` is not `yes`; else null.
    pub reason: Option<String>,
    /// What a job runs, in order.
    pub steps: Vec<Step>,
}

/// A step of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// The runnable.
    pub name: String,
    /// Its ticks take at least so long.
    pub ticks_lower: Number,
    /// Its ticks take at most so long.
    pub ticks_upper: Number,
    /// Its accesses to labels take at least so long.
    pub access_lower: Number,
    /// Its accesses to labels take at most so long.
    pub access_upper: Number,
}

/// What is known of an event chain: the time from the arrival of a job of its first task to the end of the
/// first job of its last task that its data has reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chain {
    /// Its name.
    pub name: String,
    /// Its tasks; null where they cannot be told.
    pub tasks: Option<Vec<String>>,
    /// The longest reaction that the model allows; null where it sets no limit.
    pub limit: Option<Number>,
    /// Jobs read when they start and write when they end: no reaction is faster.
    pub implicit_lower: Option<Number>,
    /// The same: no reaction takes longer, whatever the offsets.
    pub implicit_upper: Option<Number>,
    /// The same: no reaction takes longer at the offsets of the model.
    pub implicit_upper_at_offsets: Option<Number>,
    /// Jobs read when they arrive and write a period later: no reaction takes longer, whatever the offsets.
    pub let_upper: Option<Number>,
    /// The same: the fastest reaction at the offsets of the model.
    pub let_lower_at_offsets: Option<Number>,
    /// The same: the slowest reaction at the offsets of the model.
    pub let_upper_at_offsets: Option<Number>,
    /// Whether the limit is kept under implicit communication.
    pub meets: Meets,
    /// Why `meets` is not `yes`; else null.
    pub reason: Option<String>,
}

/// Something that a reader should know about the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Its line in the file.
    pub line: usize,
    /// Whether the results may be those of a system that was not meant.
    pub warning: bool,
    /// What was found, and what is made of it.
    pub what: String,
}

words! {
    /// How jobs of a task are released.
    Activated {
        /// Again and again.
        Recurring = "recurring",
        /// Once.
        Once = "once",
        /// By another task.
        Triggered = "triggered",
        /// By nothing in the model.
        Never = "never",
    }
}

/// A time in milliseconds.
fn ms(time: Duration) -> Number {
    number(&TimeUnit::Milliseconds.write(time))
}

/// The same of a lower bound.
fn least(time: Duration) -> Number {
    lower(&TimeUnit::Milliseconds.write(time))
}

impl RtaModel {
    /// The record of an analysis.
    pub fn new(model: &Model, analysis: &Analysis) -> Self {
        let names = |units: &[usize]| units.iter().map(|&unit| model.units[unit].name.clone()).collect();
        let task = |(task, result): (&amalthea::Task, &amalthea::TaskResult)| {
            let (activation, period, jitter) = match task.activation {
                Activation::Recurring { period, jitter, .. } => {
                    (Activated::Recurring, Some(ms(period)), Some(ms(jitter)))
                }
                Activation::Once => (Activated::Once, None, None),
                Activation::Triggered(_) => (Activated::Triggered, None, None),
                Activation::Never => (Activated::Never, None, None),
            };
            Task {
                name: task.name.clone(),
                line: model.line_of(task),
                units: names(&task.units),
                priority: task.priority,
                activation,
                period,
                jitter,
                deadline: task.deadline.map(ms),
                execution_lower: result.execution.map(|range| least(range.lower)),
                execution_upper: result.execution.map(|range| ms(range.upper)),
                response_least: result.least.map(least),
                worst_case_at_least: result.worst_lower.map(least),
                response_bound: result.bound.map(ms),
                meets: result.meets,
                reason: result.reason.clone(),
                steps: result.steps.iter().map(Step::new).collect(),
            }
        };
        let chain = |(chain, result): (&amalthea::Chain, &amalthea::ChainResult)| Chain {
            name: chain.name.clone(),
            tasks: chain
                .tasks
                .as_ref()
                .ok()
                .map(|tasks| tasks.iter().map(|&task| model.tasks[task].name.clone()).collect()),
            limit: chain.limit.map(ms),
            implicit_lower: result.implicit_lower.map(least),
            implicit_upper: result.implicit_upper.map(ms),
            implicit_upper_at_offsets: result.implicit_upper_at_offsets.map(ms),
            let_upper: result.let_upper.map(ms),
            let_lower_at_offsets: result.let_at_offsets.map(|range| least(range.lower)),
            let_upper_at_offsets: result.let_at_offsets.map(|range| ms(range.upper)),
            meets: result.meets,
            reason: result.reason.clone(),
        };
        let finding = |finding: &amalthea::Finding| Finding {
            line: finding.line,
            warning: finding.is_warning,
            what: finding.what.clone(),
        };
        let verdict = analysis.verdict;
        let has_bound = analysis.tasks.iter().any(|task| task.bound.is_some())
            || analysis
                .chains
                .iter()
                .any(|chain| chain.implicit_upper.is_some() || chain.let_upper.is_some());
        Self {
            verdict,
            by: analysis.by,
            checked: (&statement::AMALTHEA).into(),
            assumptions: listed(amalthea::rests_on(model, analysis), key),
            bounds_rest_on: of_bounds((verdict, has_bound), || amalthea::bounds_rest_on(model, analysis)),
            notes: Vec::new(),
            schedulable: verdict == Verdict::Proved,
            overloaded: analysis.overloaded.map(|unit| model.units[unit].name.clone()),
            namespace: model.namespace.clone(),
            units: model.units.iter().map(|unit| unit.name.clone()).collect(),
            at_offsets: model.at_offsets,
            tasks: model.tasks.iter().zip(&analysis.tasks).map(task).collect(),
            chains: model.chains.iter().zip(&analysis.chains).map(chain).collect(),
            findings: model.findings.iter().map(finding).collect(),
        }
    }
}

impl Step {
    fn new(step: &amalthea::StepTime) -> Self {
        Self {
            name: step.name.clone(),
            ticks_lower: least(step.execution.lower),
            ticks_upper: ms(step.execution.upper),
            access_lower: least(step.access.lower),
            access_upper: ms(step.access.upper),
        }
    }
}
