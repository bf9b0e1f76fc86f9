//! Completion and response times of a system by one method, beside what judges it.

use std::time::Duration;

use thiserror::Error;

use crate::limits::{Limits, Stop};
use crate::rta::company::{Company, company};
use crate::rta::course::{CourseError, Covers, Fifo, Play, Record, Response};
use crate::rta::{
    Breach, Event, Execution, Rules, System, Time, big_multiprocessor, bound, breaches, closed_form,
    hyperperiod, replay,
};

/// How completion times are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Pa19 Algorithm 2.
    Algorithm2,
    /// Pa19 section 3.7, corrected.
    ClosedForm,
    /// The scheduling rules, block by block.
    Simulate,
}

impl Method {
    /// Its name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Algorithm2 => "algorithm2",
            Self::ClosedForm => "closed-form",
            Self::Simulate => "simulate",
        }
    }
}

/// What is known of a system.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The method of the response times.
    pub method: Method,
    /// Of each kernel; `None` for one that never completes.
    pub responses: Vec<Option<Response>>,
    /// Which launches they are of.
    pub covers: Covers,
    /// Upper bounds on the response times of each kernel that hold for all blocks that take at most C, if there are any.
    pub bounds: Option<Vec<Time>>,
    /// Whether the kernels ask for more threads than there are, in the long run.
    pub overloaded: bool,
    /// What Algorithm 2 takes for granted and does not hold.
    pub breaches: Vec<Breach>,
    /// What C of kernel strings takes for granted and does not hold.
    pub company: Vec<Company>,
    /// What the simulator says, and of which launches; `None` if it was stopped or is the method.
    pub simulated: Option<(Vec<Option<Response>>, Covers)>,
    /// The run of the simulator, judged by [`replay`]; `None` if it was stopped or is too long to be kept.
    pub events: Option<Vec<Event>>,
    /// Whether all launches meet their deadlines by the method.
    pub meets: Vec<bool>,
    /// Whether the response times hold for all blocks that take at most C, and for all launches there will be.
    pub safe: bool,
}

/// Why there is no analysis.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// The launches cannot be played.
    #[error(transparent)]
    Course(#[from] CourseError),
    /// The closed form does not apply.
    #[error("the closed form is for {0}: use --method algorithm2 or simulate")]
    Domain(&'static str),
    /// Two methods contradict each other, or the simulator breaks a rule.
    #[error("{0}; this is a bug, please report it")]
    Disagreement(String),
}

/// The simulator is given so long where it only judges.
const JUDGE_TIME: Duration = Duration::from_secs(10);

/// Utilisation of a kernel, in threads of the GPU: C g b / T (Pa19 Eq. 3.3); zero for one that is launched once.
pub fn utilisation(system: &System, executions: &[Execution], task: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share, not a time")]
    let real = |value: u64| value as f64;
    let Execution { time, .. } = executions[task];
    let task = &system.tasks[task];
    let period = task.period.map_or(f64::INFINITY, |period| real(period.0));
    real(time.0) / period * real(task.blocks) * real(task.threads)
}

/// Analyses a system, all launches or those before a horizon.
///
/// # Errors
/// If the launches are too many, the closed form does not apply, or two methods contradict each other.
pub fn analyse(
    system: &System,
    executions: &[Execution],
    method: Method,
    horizon: Option<Time>,
    limits: &Limits,
) -> Result<Analysis, AnalysisError> {
    let times: Vec<Time> = executions.iter().map(|execution| execution.time).collect();
    let overloaded = overloaded(system, &times);
    let until = |horizon, limits| Play { system, executions: &times, horizon, overloaded, limits };
    let play = |limits| until(horizon, limits);
    let mut breaches = breaches(system);

    let mut record = Record { events: Some(Vec::new()) };
    let patience = if method == Method::Simulate { limits.clone() } else { limits.within(JUDGE_TIME) };
    let rules = match play(&patience).with(|| Rules::new(system, &times), &mut record) {
        Err(CourseError::Stopped(Stop::TimeLimit)) if limits.stopped().is_none() => {
            record.events = None;
            None
        }
        other => Some(other?),
    };
    let events = record.events;
    if let Some(events) = &events {
        replay(system, &times, events).map_err(|what| {
            AnalysisError::Disagreement(format!("the run of the simulator is not one: {what}"))
        })?;
    }

    let (responses, covers, simulated) = match (method, rules) {
        (Method::Simulate, Some((responses, covers, _))) => (responses, covers, None),
        (_, rules) => {
            let (mut responses, covers, fifo) =
                play(limits).with(|| Fifo::new(system, &times), &mut Record::default())?;
            breaches.extend(fifo.overtaking.map(|task| Breach::Stream(system.tasks[task].name.clone())));
            if method == Method::ClosedForm {
                let closed = in_closed_form(system, &times, &breaches)?;
                agree(system, &closed, &responses, "the closed form", "Algorithm 2")?;
                responses = closed;
            }
            let simulated = rules.map(|(simulated, covers, _)| (simulated, covers));
            if let Some((simulated, their_covers)) = simulated.as_ref().filter(|_| breaches.is_empty()) {
                let same = match their_covers {
                    // The simulator knows multiprocessors apart, so its state may repeat later or not at all.
                    &Covers::Before(end) if covers == Covers::All => {
                        let fifo = || Fifo::new(system, &times);
                        until(Some(end), limits).with(fifo, &mut Record::default())?.0
                    }
                    _ => responses.clone(),
                };
                agree(system, &same, simulated, method.name(), "the simulator")?;
            }
            (responses, covers, simulated)
        }
    };
    let meets = |(task, response): (&crate::rta::Task, &Option<Response>)| {
        response.is_some_and(|response| task.deadline.is_none_or(|deadline| response.worst <= deadline))
    };
    let meets: Vec<bool> = system.tasks.iter().zip(&responses).map(meets).collect();
    let company = events.as_ref().map_or_else(Vec::new, |events| company(system, executions, events));
    let strings_known = events.is_some() || executions.iter().all(|execution| execution.solved.is_none());
    Ok(Analysis {
        method,
        bounds: bound(system, executions),
        overloaded,
        safe: breaches.is_empty() && company.is_empty() && strings_known && covers == Covers::All,
        responses,
        covers,
        breaches,
        company,
        simulated,
        events,
        meets,
    })
}

impl Analysis {
    /// Whether every kernel meets its deadline, by the method.
    pub fn schedulable(&self) -> bool {
        !self.overloaded && self.meets.iter().all(|&meets| meets)
    }

    /// Whether that is proved for all blocks that take at most C, by the method or by the bounds.
    pub fn proved(&self, system: &System) -> bool {
        let by_bounds = self.bounds.as_ref().is_some_and(|bounds| {
            let within = |(time, task): (&Time, &crate::rta::Task)| {
                task.deadline.is_none_or(|deadline| *time <= deadline)
            };
            bounds.iter().zip(&system.tasks).all(within)
        });
        self.schedulable() && (self.safe || by_bounds)
    }
}

/// Whether more threads are asked for than there are: the sum of C g b / T, b in whole warps, against those of the GPU.
fn overloaded(system: &System, times: &[Time]) -> bool {
    let threads = u128::from(big_multiprocessor(system));
    let Some(length) = hyperperiod(system) else { return false };
    let asked = system.tasks.iter().zip(times).try_fold(0_u128, |sum, (task, time)| {
        let Some(period) = task.period else { return Some(sum) };
        let one =
            u128::from(time.0).checked_mul(task.blocks.into())?.checked_mul(task.block.threads.into())?;
        sum.checked_add(one.checked_mul((length.0 / period.0).into())?)
    });
    asked.is_none_or(|asked| asked > threads * u128::from(length.0))
}

/// The closed form, where it applies.
fn in_closed_form(
    system: &System,
    times: &[Time],
    breaches: &[Breach],
) -> Result<Vec<Option<Response>>, AnalysisError> {
    let Some(first) = system.tasks.first() else { return Ok(Vec::new()) };
    let domain = |holds: bool, what| if holds { Ok(()) } else { Err(AnalysisError::Domain(what)) };
    domain(times.iter().all(|time| *time == times[0]), "kernels of equal execution times")?;
    domain(system.tasks.iter().all(|task| task.release == first.release), "kernels of equal releases")?;
    domain(system.tasks.iter().all(|task| task.period == first.period), "kernels of equal periods")?;
    domain(
        breaches.is_empty(),
        "what Algorithm 2 is for: blocks of one size, limited by threads, one priority, no copies",
    )?;
    let most = big_multiprocessor(system) / first.block.threads;
    let blocks = system.tasks.iter().map(|task| task.blocks);
    let completions = closed_form(most, times[0], first.release, blocks).ok_or(CourseError::Overflow)?;
    let last = completions.last().copied().unwrap_or_default() - first.release;
    domain(first.period.is_none_or(|period| last <= period), "kernels that all complete within a period")?;
    let response = |completion: Time| {
        let time = completion - first.release;
        Some(Response { completion, first: time, worst: time, worst_release: first.release, launches: 1 })
    };
    Ok(completions.into_iter().map(response).collect())
}

/// Refuses two methods that differ.
fn agree(
    system: &System,
    one: &[Option<Response>],
    other: &[Option<Response>],
    first: &str,
    second: &str,
) -> Result<(), AnalysisError> {
    for ((task, one), other) in system.tasks.iter().zip(one).zip(other) {
        let times =
            |response: &Option<Response>| response.map(|response| (response.completion, response.worst));
        if times(one) != times(other) {
            let show = |response: &Option<Response>| match response {
                Some(Response { completion, worst, .. }) => {
                    let [completion, worst] = [completion, worst].map(|&time| system.unit.write(time));
                    format!("completes first at {completion} and takes at most {worst}")
                }
                None => "never completes".to_owned(),
            };
            return Err(AnalysisError::Disagreement(format!(
                "kernel {}: {first}: {}; {second}: {}",
                task.name,
                show(one),
                show(other)
            )));
        }
    }
    Ok(())
}
