//! The record of `partition --classify`: what measured execution times say of tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Body;
use crate::number::number;
use warpspan_model::time::Millionths;
pub use warpspan_partition::Kind;
use warpspan_partition::{
    self as partition, Classes, Classified, Curve, Fit, MeasuredClass, MeasuredTask, write_time,
};

/// What measured execution times say of tasks. Times are in the unit of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartitionClasses {
    /// The most that a task gains where it counts as not getting faster, in percent.
    pub tolerance_percent: u32,
    /// The largest number of multiprocessors that was measured.
    pub multiprocessors: usize,
    /// How many times were measured.
    pub measured: usize,
    /// The tasks.
    pub tasks: Vec<ClassifiedTask>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
}

impl Body for PartitionClasses {
    const SCHEMA: &'static str = "warpspan/partition-classes/1";
}

/// What the times of a task say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassifiedTask {
    /// Its name.
    pub task: String,
    /// Its kind; null where the times do not tell it.
    pub kind: Option<Kind>,
    /// The smallest number of multiprocessors from which a memory-intensive task gains no more than the
    /// tolerance; null for others.
    pub hardly_faster_from: Option<usize>,
    /// The number of multiprocessors on which a time would tell the kind; null where the kind is known, or
    /// where there are too few times to say.
    pub want: Option<usize>,
    /// The longest times alone.
    pub alone: Vec<Alone>,
    /// The longest times with another task co-running.
    pub beside: Vec<Beside>,
    /// C(m) = a/m + b, and k times that in conflict, by least squares: an estimate. Null where it was measured
    /// on fewer than two numbers of multiprocessors.
    pub fit: Option<FittedCurve>,
    /// The lowest such curve, of the same a, that no measured time is above: measured, not proved. Null where a
    /// kind is not known.
    pub above_all: Option<UpperCurve>,
}

/// A time alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alone {
    /// The number of multiprocessors.
    pub multiprocessors: usize,
    /// The longest time on as many.
    pub time: Number,
    /// The time on the smallest number of multiprocessors over this time, to six decimals.
    pub speed_up: Number,
}

/// A time with another task co-running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Beside {
    /// The other task.
    pub beside: String,
    /// The multiprocessors on which both ran.
    pub multiprocessors: usize,
    /// The longest time while the other task runs.
    pub time: Number,
    /// That over the longest time alone on as many multiprocessors, to six decimals.
    pub factor: Number,
    /// Whether both are of the same kind; null where a kind is not known.
    pub conflict: Option<bool>,
}

/// A curve by least squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FittedCurve {
    /// The part that multiprocessors share.
    pub a: Number,
    /// The part that they do not share.
    pub b: Number,
    /// The factor in conflict; null where no conflict was measured.
    pub k: Option<Number>,
    /// By how much the furthest time alone is above the curve; 0 where none is.
    pub longer_by: Number,
    /// The number of multiprocessors of that time; absent where none is above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longer_on: Option<usize>,
    /// By how much the furthest time alone is below the curve; 0 where none is.
    pub shorter_by: Number,
    /// The number of multiprocessors of that time; absent where none is below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shorter_on: Option<usize>,
}

/// A curve that no measured time is above.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UpperCurve {
    /// The part that multiprocessors share.
    pub a: Number,
    /// The part that they do not share: the least for which no time without conflict is above the curve.
    pub b: Number,
    /// The largest measured factor in conflict, and at least 1; null where none was measured.
    pub k: Option<Number>,
}

fn time(time: Millionths) -> Number {
    number(&write_time(time))
}

fn six(value: f64) -> Number {
    number(&format!("{value:.6}"))
}

impl PartitionClasses {
    /// The record of these classes.
    pub fn new(classes: &Classes, notes: Vec<String>) -> Self {
        let tasks = classes.times.tasks();
        Self {
            tolerance_percent: classes.tolerance.percent(),
            multiprocessors: classes.times.multiprocessors(),
            measured: classes.times.count(),
            tasks: tasks.iter().zip(&classes.tasks).map(|(task, class)| of(task, class, tasks)).collect(),
            notes,
        }
    }
}

fn of(task: &MeasuredTask, class: &MeasuredClass, tasks: &[MeasuredTask]) -> ClassifiedTask {
    let speed_ups = task.speed_ups();
    let alone = task.alone().into_iter().zip(speed_ups).map(|((multiprocessors, alone), (_, speed_up))| {
        Alone { multiprocessors, time: time(alone), speed_up: six(speed_up) }
    });
    let beside = |one: &partition::MeasuredBeside| Beside {
        beside: tasks[one.other].name().to_owned(),
        multiprocessors: one.multiprocessors,
        time: time(one.time),
        factor: six(one.factor()),
        conflict: one.conflict,
    };
    let fitted = |fit: Fit| FittedCurve {
        a: time(fit.a),
        b: time(fit.b),
        k: fit.k.map(six),
        longer_by: time(fit.longer.map_or_else(Millionths::default, |residual| residual.off)),
        longer_on: fit.longer.map(|residual| residual.multiprocessors),
        shorter_by: time(fit.shorter.map_or_else(Millionths::default, |residual| residual.off)),
        shorter_on: fit.shorter.map(|residual| residual.multiprocessors),
    };
    let upper = |curve: Curve| UpperCurve {
        a: time(curve.a),
        b: time(curve.b),
        k: curve.k.map(|k| number(&k.to_string())),
    };
    let (from, want) = match class.classified {
        Classified::Memory { from } => (Some(from), None),
        Classified::Compute => (None, None),
        Classified::Unclear { want } => (None, want),
    };
    ClassifiedTask {
        task: task.name().to_owned(),
        kind: class.classified.kind(),
        hardly_faster_from: from,
        want,
        alone: alone.collect(),
        beside: class.beside.iter().map(beside).collect(),
        fit: class.fit.map(fitted),
        above_all: class.curve.map(upper),
    }
}
