//! Completion and response times of a system by one method, beside what is proved of them.
//!
//! The method says which estimates are shown. Algorithm 2, the simulator and the bounds judge whatever the
//! method is.

use thiserror::Error;

use crate::limits::{Limits, Stop};
use crate::model::time::Duration;
use crate::realtime::rta::agreement::{agree, in_closed_form};
use crate::realtime::rta::misses::misses;
use crate::realtime::rta::not_alone::{NotAlone, not_alone};
use crate::realtime::rta::run::{
    Covers, Fifo, MOST_EVENTS, Play, Played, Record, Response, RunEnd, RunError,
};
use crate::realtime::rta::verdict::Evidence;
use crate::realtime::rta::{
    Basis, Bound, Breach, Event, Execution, KernelVerdict, Rules, System, Task, Verdict, bound, breaches,
    least_response, overloaded, replay,
};
use crate::source::{Message, Remedy};

/// How completion times are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Method {
    /// Algorithm 2 of Pa19: blocks of one size on one big multiprocessor.
    Algorithm2,
    /// Pa19 section 3.7, corrected: equal execution times and releases too.
    ClosedForm,
    /// The scheduling rules of the GPU, block by block.
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
    /// Whether all deadlines are met, and what that rests on; the same for each method.
    pub verdict: Verdict,
    /// What it rests on, unless it is undecided.
    pub by: Option<Basis>,
    /// What is known of each kernel for certain.
    pub kernels: Vec<KernelVerdict>,
    /// The method of the estimates.
    pub method: Method,
    /// The response times of each kernel by the method; `None` for one that was not seen to complete.
    pub estimates: Vec<Option<Response>>,
    /// Which launches they are of.
    pub covers: Covers,
    /// Why estimates are missing, if some are for another reason than that a kernel never completes.
    pub missing: Option<Missing>,
    /// The limit that stopped something, if one did.
    pub stop: Option<Stop>,
    /// Upper bounds on the response times of each kernel that hold for all blocks that take at most C, or why
    /// there are none.
    pub bounds: Vec<Bound>,
    /// Whether the kernels ask for more threads than there are, in the long run, if all blocks take C.
    pub overloaded: bool,
    /// What Algorithm 2 takes for granted and does not hold.
    pub breaches: Vec<Breach>,
    /// What C of kernel strings takes for granted and does not hold.
    pub not_alone: Vec<NotAlone>,
    /// What the simulator says, and of which launches; `None` if it was cut short or is the method.
    pub simulated: Option<(Vec<Option<Response>>, Covers)>,
    /// Why the simulator was cut short, if it was.
    pub cut: Option<RunEnd>,
    /// The run of the simulator, judged by [`replay`]; `None` if it is too long to be kept.
    pub events: Option<Vec<Event>>,
    /// Whether the response times of Algorithm 2 hold for all blocks that take at most C, and for all
    /// launches there will be.
    pub safe: bool,
}

/// Why there are no estimates, or not of all kernels.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum Missing {
    /// The launches cannot be played.
    Run(RunError),
    /// A limit.
    Stopped(Stop),
    /// Launches pile up.
    PiledUp,
    /// The closed form does not apply.
    Domain(&'static str),
}

impl Missing {
    /// Why, and what would do.
    pub fn message(&self) -> Message {
        match self {
            Self::Run(error) => error.message(),
            Self::Stopped(stop) => Message::text(format!(
                "launches were played until a limit was reached ({}): what was not seen to its end has no estimate",
                stop.name()
            )),
            Self::PiledUp => Message::text(
                "launches were played until they piled up: what was not seen to its end has no estimate",
            ),
            Self::Domain(domain) => Message::text(format!("the closed form is for {domain}: "))
                .remedy(Remedy::Method)
                .then(" algorithm2 or simulate have estimates"),
        }
    }
}

/// Why there is no analysis.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// As many execution times as kernels are wanted.
    #[error("{found} execution times for {wanted} kernels: want one for each")]
    Executions {
        /// How many there are.
        found: usize,
        /// How many kernels there are.
        wanted: usize,
    },
    /// A block takes no time at all.
    #[error("an execution time of 0: want more than 0")]
    NoTime,
    /// Times could overflow.
    #[error("{0}")]
    Run(#[from] RunError),
    /// Two methods contradict each other, or the simulator breaks a rule.
    #[error("{0}; this is a bug, please report it")]
    Disagreement(String),
}

impl AnalysisError {
    /// Why, and what would do.
    pub fn message(&self) -> Message {
        match self {
            Self::Run(error) => error.message(),
            Self::Executions { .. } | Self::NoTime | Self::Disagreement(_) => Message::text(self),
        }
    }
}

/// Utilisation of a kernel with this C, in threads of the GPU: C g b / T (Pa19 Eq. 3.3); zero for one that is
/// launched once.
pub fn utilisation(task: &Task, execution: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share, not a time")]
    let real = |value: u64| value as f64;
    let period = task.period.map_or(f64::INFINITY, |period| real(period.0));
    real(execution.0) / period * real(task.blocks) * real(task.threads)
}

/// Analyses a system, all launches or those before a horizon.
///
/// # Errors
/// If there is not one execution time above zero for each kernel, times are too large, or two methods
/// contradict each other.
pub fn analyse(
    system: &System,
    executions: &[Execution],
    method: Method,
    horizon: Option<Duration>,
    limits: &Limits,
) -> Result<Analysis, AnalysisError> {
    let (found, wanted) = (executions.len(), system.tasks().len());
    if found != wanted {
        return Err(AnalysisError::Executions { found, wanted });
    }
    if executions.iter().any(|execution| execution.time == Duration::ZERO) {
        return Err(AnalysisError::NoTime);
    }
    let times: Vec<Duration> = executions.iter().map(|execution| execution.time).collect();
    let given = executions.iter().all(|execution| execution.solved.is_none());
    let overload = overloaded(system, &times);
    let most_events = if method == Method::Simulate { u64::MAX } else { MOST_EVENTS };
    let play = Play { system, executions: &times, horizon, overloaded: overload, most_events, limits };

    // What the rules of the GPU do if every block takes C, and whether that is a run.
    let mut record = Record::default();
    let rules = playable(play.with(|| Rules::new(system, &times), &mut record))?;
    let until = record.cut();
    replay(system, &times, &record.events).map_err(|what| {
        AnalysisError::Disagreement(format!("the run of the simulator is not one: {what}"))
    })?;
    // Where registers do not add up the simulator's run may be none of the GPU.
    let is_run = given && system.registers_add_up();
    let misses = if is_run { misses(system, &record.events, until) } else { vec![None; times.len()] };
    let whole = |played: &Played<Rules<'_>>| !record.full && played.cut.is_none();
    let whole = rules.as_ref().is_ok_and(whole);
    let not_alone = not_alone(system, executions, &record.events);
    let simulated = rules.map(|Played { responses, covers, cut, .. }| (responses, covers, cut));

    // Algorithm 2, and whether it holds.
    let mut breaches = breaches(system);
    let fifo = playable(play.with(|| Fifo::new(system, &times), &mut Record::default()))?;
    if let Ok(fifo) = &fifo {
        breaches.extend(fifo.engine.overtaking.map(|task| Breach::Stream(system.tasks()[task].name.clone())));
    }
    let fifo = fifo.map(|Played { responses, covers, cut, .. }| (responses, covers, cut));
    if let (Ok((one, covers, None)), Ok((other, their_covers, None))) = (&fifo, &simulated)
        && breaches.is_empty()
    {
        let same = match their_covers {
            // The simulator knows multiprocessors apart, so its state may repeat later or not at all.
            &Covers::Before(end) if *covers == Covers::All => {
                let play = Play { horizon: Some(end), ..play };
                &play.with(|| Fifo::new(system, &times), &mut Record::default())?.responses
            }
            _ => one,
        };
        agree(system, same, other, "algorithm2", "the simulator")?;
    }
    let alone = given || (not_alone.is_empty() && whole && matches!(simulated, Ok((_, Covers::All, _))));
    let all = fifo.as_ref().ok().filter(|(_, covers, cut)| *covers == Covers::All && cut.is_none());
    let safe = all.filter(|_| breaches.is_empty() && alone).map(|(responses, ..)| responses.as_slice());

    // What is proved.
    let bounds = bound(system, executions, limits);
    let all_due = system.tasks().iter().all(|task| task.period.is_none() || task.deadline.is_some());
    let least: Vec<Duration> = executions.iter().map(Execution::least).collect();
    let evidence = Evidence {
        algorithm2: safe,
        bounds: &bounds,
        least: system
            .tasks()
            .iter()
            .zip(executions)
            .map(|(task, execution)| least_response(system.gpu(), task, execution))
            .collect(),
        misses,
        overloaded: all_due && overloaded(system, &least),
    };
    let safe = safe.is_some();
    let (kernels, verdict, by) = evidence.judge(system).map_err(|task| {
        let name = &system.tasks()[task].name;
        AnalysisError::Disagreement(format!("kernel {name}: a launch takes longer than its bound"))
    })?;

    // What is shown.
    let closed = match &fifo {
        Ok((responses, ..)) if method == Method::ClosedForm => {
            let closed = in_closed_form(system, &times, &breaches)?;
            if let Ok(closed) = &closed {
                agree(system, closed, responses, "the closed form", "algorithm2")?;
            }
            Some(closed)
        }
        _ => None,
    };
    let shown = if method == Method::Simulate { simulated.clone() } else { fifo };
    let stops = [&shown, &simulated].map(|played| match played {
        Ok((.., Some(RunEnd::Stop(stop)))) => Some(*stop),
        _ => None,
    });
    let cut = simulated.as_ref().ok().and_then(|(.., cut)| *cut);
    let none = vec![None; times.len()];
    let (estimates, covers, missing) = match (shown, closed) {
        (_, Some(Err(what))) => (none, Covers::Before(Duration(0)), Some(Missing::Domain(what))),
        (Err(error), _) => (none, Covers::Before(Duration(0)), Some(Missing::Run(error))),
        (Ok((_, covers, _)), Some(Ok(closed))) => (closed, covers, None),
        (Ok((responses, covers, cut)), None) => {
            let missing = cut.map(|cut| match cut {
                RunEnd::Stop(stop) => Missing::Stopped(stop),
                RunEnd::Launches | RunEnd::Events => Missing::PiledUp,
            });
            (responses, covers, missing)
        }
    };
    let simulated = simulated.ok().filter(|(.., cut)| method != Method::Simulate && cut.is_none());
    Ok(Analysis {
        verdict,
        by,
        kernels,
        method,
        estimates,
        covers,
        missing,
        stop: stops.into_iter().flatten().next(),
        bounds,
        overloaded: overload,
        breaches,
        not_alone,
        simulated: simulated.map(|(responses, covers, _)| (responses, covers)),
        cut,
        events: Some(record.events).filter(|_| !record.full),
        safe,
    })
}

/// What was played, or why nothing can be: no hyperperiod or too many launches. Times that overflow are an
/// error.
fn playable<E>(played: Result<Played<E>, RunError>) -> Result<Result<Played<E>, RunError>, AnalysisError> {
    match played {
        Err(RunError::Overflow) => Err(RunError::Overflow.into()),
        played => Ok(played),
    }
}
