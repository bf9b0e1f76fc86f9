//! Completion and response times of a system by one method, beside what is proved of them.
//!
//! The method says which estimates are shown. Algorithm 2, the simulator and the bounds judge whatever the method is.

use thiserror::Error;

use crate::limits::{Limits, Stop};
use crate::realtime::rta::company::{Company, company};
use crate::realtime::rta::course::{
    CourseError, Covers, Cut, Fifo, MOST_EVENTS, Play, Played, Record, Response,
};
use crate::realtime::rta::misses::misses;
use crate::realtime::rta::verdict::Evidence;
use crate::realtime::rta::{
    Bound, Breach, By, Event, Execution, Judged, Rules, System, Time, Verdict, big_multiprocessor, bound,
    breaches, closed_form, least_response, overloaded, replay,
};
use crate::source::{Message, Remedy};

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
    /// Whether all deadlines are met, and what that rests on; the same for each method.
    pub verdict: Verdict,
    /// What it rests on, unless it is undecided.
    pub by: Option<By>,
    /// What is known of each kernel for certain.
    pub kernels: Vec<Judged>,
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
    /// Upper bounds on the response times of each kernel that hold for all blocks that take at most C, or why there are none.
    pub bounds: Vec<Bound>,
    /// Whether the kernels ask for more threads than there are, in the long run, if all blocks take C.
    pub overloaded: bool,
    /// What Algorithm 2 takes for granted and does not hold.
    pub breaches: Vec<Breach>,
    /// What C of kernel strings takes for granted and does not hold.
    pub company: Vec<Company>,
    /// What the simulator says, and of which launches; `None` if it was cut short or is the method.
    pub simulated: Option<(Vec<Option<Response>>, Covers)>,
    /// Why the simulator was cut short, if it was.
    pub cut: Option<Cut>,
    /// The run of the simulator, judged by [`replay`]; `None` if it is too long to be kept.
    pub events: Option<Vec<Event>>,
    /// Whether the response times of Algorithm 2 hold for all blocks that take at most C, and for all launches there will be.
    pub safe: bool,
}

/// Why there are no estimates, or not of all kernels.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum Missing {
    /// The launches cannot be played.
    Course(CourseError),
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
            Self::Course(error) => error.message(),
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
    /// Times could overflow.
    #[error(transparent)]
    Course(#[from] CourseError),
    /// Two methods contradict each other, or the simulator breaks a rule.
    #[error("{0}; this is a bug, please report it")]
    Disagreement(String),
}

impl AnalysisError {
    /// Why, and what would do.
    pub fn message(&self) -> Message {
        match self {
            Self::Course(error) => error.message(),
            Self::Disagreement(_) => Message::text(self),
        }
    }
}

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
/// If times are too large, or two methods contradict each other.
pub fn analyse(
    system: &System,
    executions: &[Execution],
    method: Method,
    horizon: Option<Time>,
    limits: &Limits,
) -> Result<Analysis, AnalysisError> {
    let times: Vec<Time> = executions.iter().map(|execution| execution.time).collect();
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
    let company = company(system, executions, &record.events);
    let simulated = rules.map(|Played { responses, covers, cut, .. }| (responses, covers, cut));

    // Algorithm 2, and whether it holds.
    let mut breaches = breaches(system);
    let fifo = playable(play.with(|| Fifo::new(system, &times), &mut Record::default()))?;
    if let Ok(fifo) = &fifo {
        breaches.extend(fifo.engine.overtaking.map(|task| Breach::Stream(system.tasks[task].name.clone())));
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
    let alone = given || (company.is_empty() && whole && matches!(simulated, Ok((_, Covers::All, _))));
    let all = fifo.as_ref().ok().filter(|(_, covers, cut)| *covers == Covers::All && cut.is_none());
    let safe = all.filter(|_| breaches.is_empty() && alone).map(|(responses, ..)| responses.as_slice());

    // What is proved.
    let bounds = bound(system, executions, limits);
    let all_due = system.tasks.iter().all(|task| task.period.is_none() || task.deadline.is_some());
    let least: Vec<Time> = executions.iter().map(Execution::least).collect();
    let evidence = Evidence {
        algorithm2: safe,
        bounds: &bounds,
        least: (0..times.len()).map(|task| least_response(system, executions, task)).collect(),
        misses,
        overloaded: all_due && overloaded(system, &least),
    };
    let safe = safe.is_some();
    let (kernels, verdict, by) = evidence.judge(system).map_err(|task| {
        let name = &system.tasks[task].name;
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
        Ok((.., Some(Cut::Stop(stop)))) => Some(*stop),
        _ => None,
    });
    let cut = simulated.as_ref().ok().and_then(|(.., cut)| *cut);
    let none = vec![None; times.len()];
    let (estimates, covers, missing) = match (shown, closed) {
        (_, Some(Err(what))) => (none, Covers::Before(Time(0)), Some(Missing::Domain(what))),
        (Err(error), _) => (none, Covers::Before(Time(0)), Some(Missing::Course(error))),
        (Ok((_, covers, _)), Some(Ok(closed))) => (closed, covers, None),
        (Ok((responses, covers, cut)), None) => {
            let missing = cut.map(|cut| match cut {
                Cut::Stop(stop) => Missing::Stopped(stop),
                Cut::Launches | Cut::Events => Missing::PiledUp,
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
        company,
        simulated: simulated.map(|(responses, covers, _)| (responses, covers)),
        cut,
        events: Some(record.events).filter(|_| !record.full),
        safe,
    })
}

/// What was played, or why nothing can be: no hyperperiod or too many launches. Times that overflow are an error.
fn playable<E>(
    played: Result<Played<E>, CourseError>,
) -> Result<Result<Played<E>, CourseError>, AnalysisError> {
    match played {
        Err(CourseError::Overflow) => Err(CourseError::Overflow.into()),
        played => Ok(played),
    }
}

/// The closed form, or what it is for.
fn in_closed_form(
    system: &System,
    times: &[Time],
    breaches: &[Breach],
) -> Result<Result<Vec<Option<Response>>, &'static str>, AnalysisError> {
    let Some(first) = system.tasks.first() else { return Ok(Ok(Vec::new())) };
    let domain = [
        (times.iter().all(|time| *time == times[0]), "kernels of equal execution times"),
        (system.tasks.iter().all(|task| task.release == first.release), "kernels of equal releases"),
        (system.tasks.iter().all(|task| task.period == first.period), "kernels of equal periods"),
        (
            breaches.is_empty(),
            "what Algorithm 2 is for: blocks of one size, limited by threads, one priority, no copies",
        ),
    ];
    if let Some((_, what)) = domain.into_iter().find(|(holds, _)| !holds) {
        return Ok(Err(what));
    }
    let most = big_multiprocessor(system) / first.block.threads;
    let blocks = system.tasks.iter().map(|task| task.blocks);
    let completions = closed_form(most, times[0], first.release, blocks).ok_or(CourseError::Overflow)?;
    let last = completions.last().copied().unwrap_or_default() - first.release;
    if first.period.is_some_and(|period| last > period) {
        return Ok(Err("kernels that all complete within a period"));
    }
    let response = |completion: Time| {
        let time = completion - first.release;
        Some(Response { completion, worst: time, worst_release: first.release, launches: 1 })
    };
    Ok(Ok(completions.into_iter().map(response).collect()))
}

/// Refuses two methods that differ on kernels that both have seen to complete.
fn agree(
    system: &System,
    one: &[Option<Response>],
    other: &[Option<Response>],
    first: &str,
    second: &str,
) -> Result<(), AnalysisError> {
    for ((task, one), other) in system.tasks.iter().zip(one).zip(other) {
        let (Some(one), Some(other)) = (one, other) else { continue };
        if (one.completion, one.worst) != (other.completion, other.worst) {
            let show = |response: &Response| {
                let times = [response.completion, response.worst].map(|time| system.unit.write(time));
                format!("completes first at {} and takes at most {}", times[0], times[1])
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
