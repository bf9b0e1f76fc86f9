//! What is known of the tasks and chains of a model, and what that proves.

use crate::chain::{Latencies, latencies};
use crate::co_running::is_overloaded;
use crate::cost::{Ps, Times};
use crate::job::{Jobs, Part};
use crate::model::{Activation, Chain, Model, Range};
use crate::reason::reason;
use warpspan_model::time::Duration;
use warpspan_rta::{Basis, DeadlineMet, Verdict};

/// The analysis of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// Whether all jobs and chains keep their limits.
    pub verdict: Verdict,
    /// What the verdict rests on; `None` where it is undecided.
    pub by: Option<Basis>,
    /// The processing unit that is asked for more than it can do, where the verdict rests on that.
    pub overloaded: Option<usize>,
    /// What is known of each task.
    pub tasks: Vec<TaskResult>,
    /// What is known of each event chain.
    pub chains: Vec<ChainResult>,
}

/// What is known of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskResult {
    /// How long its steps take, each with its name.
    pub steps: Vec<StepTime>,
    /// What a job runs, without waits; `None` where that is not known.
    pub execution: Option<Range<Duration>>,
    /// No job is faster.
    pub least: Option<Duration>,
    /// The worst case is at least so long: a job that takes its upper ticks, and has all units to itself.
    pub worst_lower: Option<Duration>,
    /// No job takes longer, counted from its arrival, or from its trigger where another task triggers it.
    pub bound: Option<Duration>,
    /// Whether all jobs meet the deadline.
    pub meets: DeadlineMet,
    /// Why that is not `yes`.
    pub reason: Option<String>,
}

/// How long a step takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepTime {
    /// The runnable.
    pub name: String,
    /// Its ticks, as a time.
    pub execution: Range<Duration>,
    /// Its accesses to labels.
    pub access: Range<Duration>,
}

/// What is known of an event chain: the time from the arrival of a job of its first task to the output that
/// its data reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainResult {
    /// No reaction is faster under implicit communication.
    pub implicit_lower: Option<Duration>,
    /// No reaction takes longer under implicit communication, whatever the offsets.
    pub implicit_upper: Option<Duration>,
    /// The same at the offsets of the model.
    pub implicit_upper_at_offsets: Option<Duration>,
    /// No reaction takes longer with logical execution times, whatever the offsets.
    pub let_upper: Option<Duration>,
    /// The fastest and the slowest reaction with logical execution times at the offsets of the model.
    pub let_at_offsets: Option<Range<Duration>>,
    /// Whether the limit is kept under implicit communication.
    pub meets: DeadlineMet,
    /// Why that is not `yes`, or why there is no latency.
    pub reason: Option<String>,
}

/// A time that can be shown; none beyond the range of durations.
pub(super) fn time(time: Ps) -> Option<Duration> {
    u64::try_from(time).ok().map(Duration).filter(|&time| time <= Duration::MAX)
}

fn range(range: Range<Ps>) -> Option<Range<Duration>> {
    Some(Range { lower: time(range.lower)?, upper: time(range.upper)? })
}

fn step((name, times): &(String, Times)) -> Option<StepTime> {
    Some(StepTime { name: name.clone(), execution: range(times.execution)?, access: range(times.access)? })
}

/// Bounds the response times of all tasks and the latencies of all chains.
pub fn analyse(model: &Model) -> Analysis {
    let jobs = Jobs::new(model);
    let bounds = jobs.bounds();
    let result = |number: usize| {
        let task = &model.tasks[number];
        let alone = jobs.alone(number).filter(|_| jobs.is_released(number));
        let (least, worst_lower) = (alone.and_then(|one| time(one.lower)), alone.map(|one| one.upper));
        let worst_lower = worst_lower.filter(|_| jobs.surely_released[number]);
        let bound = bounds.shown(model, number).filter(|_| jobs.is_released(number));
        let late = worst_lower.zip(task.deadline).is_some_and(|(worst, deadline)| worst > deadline.0.into());
        let in_time = |bound| task.deadline.is_none_or(|deadline| bound <= Ps::from(deadline.0));
        let meets = match bound {
            _ if late => DeadlineMet::No,
            Some(bound) if in_time(bound) => DeadlineMet::Yes,
            _ => DeadlineMet::Unknown,
        };
        let reason = (meets != DeadlineMet::Yes).then(|| reason(&jobs, &bounds, number, late));
        let job = jobs.job(number);
        TaskResult {
            steps: job.map(|job| job.runs.iter().filter_map(step).collect()).unwrap_or_default(),
            execution: job.and_then(|job| range(job.execution)),
            least,
            worst_lower: worst_lower.and_then(time),
            bound: bound.and_then(time),
            meets,
            reason,
        }
    };
    let tasks: Vec<TaskResult> = (0..model.tasks.len()).map(result).collect();
    let chains: Vec<ChainResult> = model.chains.iter().map(|one| chain(model, one, &tasks)).collect();
    let overloaded = (0..model.units.len()).find(|&unit| must_be_late(&jobs, unit));
    // A chain without a limit asks for nothing.
    let limited = || model.chains.iter().zip(&chains).filter(|(chain, _)| chain.limit.is_some());
    let judged = || tasks.iter().map(|task| task.meets).chain(limited().map(|(_, result)| result.meets));
    let (verdict, by) = if judged().any(|meets| meets == DeadlineMet::No) {
        (Verdict::Refuted, Some(Basis::LeastResponse))
    } else if overloaded.is_some() {
        (Verdict::Refuted, Some(Basis::Overload))
    } else if judged().any(|meets| meets == DeadlineMet::Unknown) {
        (Verdict::Undecided, None)
    } else {
        (Verdict::Proved, Some(Basis::Bound))
    };
    Analysis { verdict, by, overloaded, tasks, chains }
}

/// Whether tasks that all have deadlines ask for more of a unit than there is: then some job is late. On a
/// GPU these are the tasks for which a job with a deadline waits.
fn must_be_late(jobs: &Jobs<'_>, unit: usize) -> bool {
    let period = |task: usize| match jobs.model.tasks[task].activation {
        // An average of the time between arrivals is at most the longest.
        Activation::Recurring { longest, .. } if jobs.model.tasks[task].deadline.is_some() => {
            Some(longest.0.into())
        }
        _ => None,
    };
    let waited_for = |task: usize| {
        let (origin, _) = jobs.origin(task)?;
        let waits = |part: &Part| matches!(part, Part::Wait(wait) if wait.setters.iter().flatten().any(|&one| one == task) && wait.is_own && wait.is_cleared);
        jobs.job(origin)?.parts.iter().any(waits).then_some(origin)
    };
    let load = |task: usize| {
        let of = &jobs.model.tasks[task];
        let period = period(task).or_else(|| period(waited_for(task)?))?;
        (of.units[..] == [unit]).then_some((jobs.job(task)?.some, Some(period)))
    };
    is_overloaded((0..jobs.model.tasks.len()).filter_map(load))
}

fn chain(model: &Model, chain: &Chain, tasks: &[TaskResult]) -> ChainResult {
    let ps = |time: Option<Duration>| time.map(|time| Ps::from(time.0));
    let found = match &chain.tasks {
        Ok(of) => latencies(model, of, |task| ps(tasks[task].least), |task| ps(tasks[task].bound)),
        Err(_) => Latencies::default(),
    };
    let (lower, upper) = (found.implicit_lower.and_then(time), found.implicit_upper.and_then(time));
    let judged = if model.at_offsets { found.implicit_upper_at_offsets.and_then(time) } else { upper };
    let meets = match chain.limit {
        Some(limit) if chain.is_whole && lower.is_some_and(|lower| lower > limit) => DeadlineMet::No,
        Some(limit) if judged.is_some_and(|upper| upper <= limit) => DeadlineMet::Yes,
        Some(_) => DeadlineMet::Unknown,
        None if upper.is_some() => DeadlineMet::Yes,
        None => DeadlineMet::Unknown,
    };
    let without = |of: &[usize]| {
        let name = |task: usize| model.tasks[task].name.clone();
        let triggered =
            |&&task: &&usize| !matches!(model.tasks[task].activation, Activation::Recurring { .. });
        let unbounded = of.iter().find(|&&task| tasks[task].bound.is_none());
        let periodic =
            of.iter().find(triggered).map(|&task| format!("{} is not released again and again", name(task)));
        periodic.or_else(|| unbounded.map(|&task| format!("{} has no response bound", name(task))))
    };
    let reason = match &chain.tasks {
        Err(reason) => Some(reason.clone()),
        Ok(_) if meets == DeadlineMet::Yes => None,
        Ok(_) if meets == DeadlineMet::No => Some("even the fastest reaction exceeds the limit".to_owned()),
        Ok(_) if model.at_offsets && upper.is_some() && judged.is_none() => {
            Some("its tasks do not all arrive exactly a period apart from an offset".to_owned())
        }
        Ok(of) => Some(without(of).unwrap_or_else(|| "the bound exceeds the limit".to_owned())),
    };
    ChainResult {
        implicit_lower: lower,
        implicit_upper: upper,
        implicit_upper_at_offsets: found.implicit_upper_at_offsets.and_then(time),
        let_upper: found.let_upper.and_then(time),
        let_at_offsets: found.let_at_offsets.and_then(range),
        meets,
        reason,
    }
}
