//! The fields of the record, taken from an analysis.

use crate::assumption::{listed, of_bounds};
use crate::number::{lower, number};
use crate::rta::{CheckedBy, Checks, Gpu, Kernel, Missed, Rta, Solved, Stay};
use crate::solve::Basis;
use warpspan_kernel::input::key;
use warpspan_model::time::Duration;
use warpspan_rta::{self as rta, Analysis, Covers, Execution, Miss, Occupancy, Response, Source, System};

impl From<&System> for Gpu {
    fn from(system: &System) -> Self {
        let gpu = system.gpu();
        Self { multiprocessors: gpu.multiprocessors, threads: gpu.resources.threads }
    }
}

impl Stay {
    /// What ran where.
    pub fn all(occupancy: &Occupancy) -> impl Iterator<Item = Self> + '_ {
        let time = |time| number(&occupancy.unit.write(time));
        occupancy.stays.iter().map(move |stay| Self {
            kernel: occupancy.kernels[stay.kernel].0.clone(),
            launch: stay.launch + 1,
            multiprocessor: stay.multiprocessor + 1,
            start: time(stay.start),
            end: time(stay.end),
            blocks: stay.blocks,
            rounds: stay.rounds,
        })
    }
}

/// What response bounds rest on.
fn bounds(analysis: &Analysis) -> rta::Basis {
    if analysis.safe { rta::Basis::Algorithm2 } else { rta::Basis::Bound }
}

impl Checks {
    /// How an analysis is checked. Algorithm 2 takes C as it was solved; the bounds do not use it.
    fn of(executions: &[Execution], analysis: &Analysis) -> Self {
        let solved = executions.iter().filter_map(|one| one.solved.as_ref());
        let of_solved = solved.map(|solved| solved.upper.theorem().checked()).min();
        let of = |by: rta::Basis| {
            let weakest = of_solved.filter(|_| by == rta::Basis::Algorithm2);
            let checked = by.statement().checked;
            CheckedBy { by, checked: weakest.map_or(checked, |weakest| weakest.min(checked)) }
        };
        let bounds = bounds(analysis);
        Self { verdict: analysis.by.filter(|by| *by != bounds).map(of), bounds: of(bounds) }
    }
}

impl Rta {
    /// An analysis of a system. Each kernel has an execution and, unless it meets its deadline, a reason.
    pub fn new(
        system: &System,
        executions: &[Execution],
        analysis: &Analysis,
        reasons: impl Fn(usize) -> Option<String>,
        notes: Vec<String>,
        occupancy: Option<&Occupancy>,
    ) -> Self {
        let kernels: Vec<Kernel> = executions
            .iter()
            .enumerate()
            .map(|(index, execution)| Kernel {
                reason: reasons(index),
                utilisation: rta::utilisation(&system.tasks()[index], execution.time),
                ..Kernel::new(system, execution, analysis, index)
            })
            .collect();
        Self {
            verdict: analysis.verdict,
            by: analysis.by,
            // Bounds without a verdict rest on assumptions, too.
            assumptions: listed(system.rests_on(analysis.by.unwrap_or(bounds(analysis))), key),
            bounds_rest_on: of_bounds(
                (
                    analysis.verdict,
                    executions.iter().any(|one| one.solved.is_some())
                        || analysis.kernels.iter().any(|kernel| kernel.bound.is_some()),
                ),
                || system.rests_on(bounds(analysis)),
            ),
            checked: Checks::of(executions, analysis),
            without_limit: system.memory_without_limit(),
            mends: system.mends().to_vec(),
            schedulable: analysis.verdict == rta::Verdict::Proved,
            stop: analysis.stop,
            method: analysis.method,
            follows_algorithm2: analysis.follows_algorithm2(),
            unit: system.unit(),
            gpu: system.into(),
            utilisation: kernels.iter().map(|kernel| kernel.utilisation).sum(),
            kernels,
            capacity: rta::big_multiprocessor(system),
            overloaded: analysis.overloaded,
            horizon: match analysis.covers {
                Covers::All => None,
                Covers::Before(time) => Some(lower(&system.unit().write(time))),
            },
            notes,
            schedule: occupancy.map(|occupancy| Stay::all(occupancy).collect()),
            trace: None,
        }
    }
}

impl Kernel {
    /// All but its reason and its utilisation.
    fn new(system: &System, execution: &Execution, analysis: &Analysis, index: usize) -> Self {
        let number = |time: Duration| number(&system.unit().write(time));
        let (task, judged) = (&system.tasks()[index], &analysis.kernels[index]);
        let estimate = analysis.estimates[index].as_ref();
        let time = |of: fn(&Response) -> Duration| estimate.map(|response| number(of(response)));
        let simulated = analysis.simulated.as_ref().and_then(|(responses, _)| responses[index].as_ref());
        Self {
            name: task.name.clone(),
            execution: number(execution.time),
            measured: matches!(task.execution, Source::Given(_)).then(|| task.measured),
            blocks: task.blocks,
            threads_per_block: task.threads,
            period: task.period.map(number),
            sporadic: task.sporadic,
            jitter: number(task.jitter),
            release: number(task.release),
            deadline: task.deadline.map(number),
            meets: judged.meets,
            reason: None,
            response_bound: judged.bound.map(number),
            response_least: judged.least.map(|time| lower(&system.unit().write(time))),
            response_estimate: time(|response| response.worst),
            estimate_release: time(|response| response.worst_release),
            completion: time(|response| response.completion),
            launches: estimate.map_or(0, |response| response.launches),
            simulated_estimate: simulated.map(|response| number(response.worst)),
            missed: judged.miss.map(|Miss { launch, release, completion }| Missed {
                launch: launch + 1,
                release: number(release),
                completion: completion.map(number),
            }),
            utilisation: 0.0,
            solved: execution.solved.as_ref().map(|solved| Solved {
                kernel: system.written(task).unwrap_or_default(),
                resident_blocks: solved.resident,
                warps: solved.warps,
                lower: solved.lower.map(|lower| lower.cycles().0),
                upper: solved.upper.cycles().0,
                evidence: Some(Basis::of(solved.upper.theorem())),
                serial: number(solved.serial),
            }),
            explanation: None,
            no_bound: None,
        }
    }
}
