//! What measured times say of each task: its kind, its fit, and the curve above all of its times.

use crate::Kind;
use crate::measured::fit::At;
use crate::measured::{Classified, Curve, Fit, MeasuredTask, MeasuredTimes, Tolerance, definition_1};
use crate::sporadic::real;
use warpspan_model::time::Millionths;

/// What measured times say of each task.
#[derive(Debug, Clone, PartialEq)]
pub struct Classes {
    /// The times.
    pub times: MeasuredTimes,
    /// The most percent that a kernel gains where it counts as not getting faster.
    pub tolerance: Tolerance,
    /// What they say of each task, in the order of the tasks.
    pub tasks: Vec<MeasuredClass>,
}

/// What measured times say of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredClass {
    /// Its kind by Definition 1.
    pub classified: Classified,
    /// a, b and k by least squares; `None` if it was measured on fewer than two numbers of multiprocessors.
    pub fit: Option<Fit>,
    /// The curve above all of its times; `None` where there is no fit, or where its kind or the kind of a
    /// task that it was measured beside is not known.
    pub curve: Option<Curve>,
    /// Its times with other tasks, in the order of these and then of the multiprocessors.
    pub beside: Vec<MeasuredBeside>,
}

/// A time with another task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredBeside {
    /// The other task, as an index from 0.
    pub other: usize,
    /// The multiprocessors on which both ran.
    pub multiprocessors: usize,
    /// The longest time alone on as many.
    pub alone: Millionths,
    /// The longest time with the other task.
    pub time: Millionths,
    /// Whether both are of the same kind, which is what a conflict is; `None` where a kind is not known.
    pub conflict: Option<bool>,
}

impl MeasuredBeside {
    /// How many times as long it takes as alone.
    pub fn factor(&self) -> f64 {
        real(self.time.0) / real(self.alone.0)
    }
}

impl MeasuredTimes {
    /// Classifies each task by Definition 1 and fits its times.
    pub fn classify(self, tolerance: Tolerance) -> Classes {
        let classified: Vec<Classified> =
            self.tasks.iter().map(|task| definition_1(&task.alone(), tolerance)).collect();
        let kinds: Vec<Option<Kind>> = classified.iter().map(|classified| classified.kind()).collect();
        let class = |(number, task): (usize, &MeasuredTask)| {
            MeasuredClass::new(task, number, classified[number], &kinds)
        };
        let tasks = self.tasks.iter().enumerate().map(class).collect();
        Classes { times: self, tolerance, tasks }
    }
}

impl MeasuredClass {
    fn new(task: &MeasuredTask, number: usize, classified: Classified, kinds: &[Option<Kind>]) -> Self {
        let one = |(&(other, m), &time): (&(usize, usize), &Millionths)| MeasuredBeside {
            other,
            multiprocessors: m,
            alone: task.alone[&m],
            time,
            conflict: kinds[number].zip(kinds[other]).map(|(own, other)| own == other),
        };
        let beside: Vec<MeasuredBeside> = task.beside.iter().map(one).collect();
        let of = |conflict: bool| beside.iter().filter(move |beside| beside.conflict == Some(conflict));
        let alone = task.alone();
        let pairs: Vec<_> = of(true).map(|beside| (beside.alone, beside.time)).collect();
        let fit = Fit::new(&alone, &pairs);
        let known = kinds[number].is_some() && beside.iter().all(|beside| beside.conflict.is_some());
        let at = |beside: &MeasuredBeside| -> At { (beside.multiprocessors, beside.time) };
        // A partition may hold a task of each kind without a conflict, so such times count for b.
        let free: Vec<At> = alone.iter().copied().chain(of(false).map(at)).collect();
        let curve = fit.filter(|_| known).map(|fit| Curve::new(fit.a, &free, &pairs));
        Self { classified, fit, curve, beside }
    }
}
