//! Analyses a system: every method runs where it can, and the verdict uses all of them.
//!
//! The method decides which estimates are shown. The verdict rests on Algorithm 2, the simulator and the bounds
//! whatever the method is.

use crate as rta;
use crate::agreement::{agree, in_closed_form};
use crate::co_runners::not_alone;
use crate::misses::misses;
use crate::run::{Covers, Fifo, MOST_EVENTS, Play, Played, Record, RunEnd, RunError};
use crate::verdict::Evidence;
use crate::{
    Analysis, AnalysisError, Breach, Execution, Method, Missing, Rules, System, bound, breaches,
    least_response, overloaded, replay,
};
use warpspan_model::limits::Limits;
use warpspan_model::time::Duration;

/// Analyses all launches of a system, or those before a horizon.
///
/// # Errors
/// If there is not one execution time above zero for each kernel, if times are too large, or if two methods
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
    let alone_in_company = system.alone_in_company().is_some();
    // A C that was measured alone says nothing of co-running blocks.
    let given = executions.iter().all(|execution| execution.solved.is_none()) && !alone_in_company;
    let overload = overloaded(system, &times);
    let most_events = if method == Method::Simulate { u64::MAX } else { MOST_EVENTS };
    // Estimates take what is given of the blocks alone.
    let estimated = &system.with_least_needs();
    let play =
        Play { system: estimated, executions: &times, horizon, overloaded: overload, most_events, limits };

    // The simulator applies the rules of the GPU to blocks that all take C, and the replay verifies its run.
    let mut record = Record::default();
    let rules = playable(play.with(|| Rules::new(estimated, &times), &mut record))?;
    let until = record.cut();
    replay(estimated, &times, &record.events).map_err(|what| {
        AnalysisError::Disagreement(format!("the run of the simulator breaks a scheduling rule: {what}"))
    })?;
    // Where registers do not add up, the GPU may be unable to do what the simulator did.
    // A C that is only a bound says nothing of what happens.
    let at_most = |task: &rta::Task| task.measured == rta::Measured::AtMost;
    // Where kernels wait for others to end although there is room, the GPU does not do it either.
    let is_run = given
        && system.needs_are_known()
        && system.registers_add_up()
        && system.more_streams_than_run().is_none()
        && !system.tasks().iter().any(at_most);
    let misses = if is_run { misses(system, &record.events, until) } else { vec![None; times.len()] };
    let whole = |played: &Played<Rules<'_>>| !record.full && played.cut.is_none();
    let whole = rules.as_ref().is_ok_and(whole);
    let not_alone = not_alone(system, executions, &record.events);
    let simulated = rules.map(|Played { responses, covers, cut, .. }| (responses, covers, cut));

    // Algorithm 2 always gives estimates; they are safe where its assumptions hold.
    let mut breaches = breaches(system);
    let fifo = playable(play.with(|| Fifo::new(system, &times), &mut Record::default()))?;
    if let Ok(fifo) = &fifo {
        breaches.extend(fifo.engine.overtaking.map(|task| Breach::Stream(system.tasks()[task].name.clone())));
    }
    let fifo = fifo.map(|Played { responses, covers, cut, .. }| (responses, covers, cut));
    if let (Ok((one, covers, None)), Ok((other, their_covers, None))) = (&fifo, &simulated)
        && breaches.iter().all(Breach::is_open)
    {
        let same = match their_covers {
            // The simulator tells multiprocessors apart, so its state may repeat later than that of Algorithm
            // 2, or never.
            &Covers::Before(end) if *covers == Covers::All => {
                let play = Play { horizon: Some(end), ..play };
                &play.with(|| Fifo::new(system, &times), &mut Record::default())?.responses
            }
            _ => one,
        };
        agree(system, same, other, "algorithm2", "the simulator")?;
    }
    let alone = given
        || system.needs_are_known()
            && !alone_in_company
            && (not_alone.is_empty() && whole && matches!(simulated, Ok((_, Covers::All, _))));
    let all = fifo.as_ref().ok().filter(|(_, covers, cut)| *covers == Covers::All && cut.is_none());
    // Estimates take 0 for a release that is not given; a bound may not, unless there is one kernel alone.
    let free = system.tasks().iter().find(|task| !task.fixed && system.tasks().len() > 1);
    let free = free.map(|task| Breach::Release(task.name.clone()));
    let safe = all.filter(|_| breaches.is_empty() && free.is_none() && alone);
    let safe = safe.map(|(responses, ..)| responses.as_slice());

    // What follows is proved, whatever the method is.
    let bounds = bound(system, executions, limits);
    let all_due = system.tasks().iter().all(|task| task.period.is_none() || task.deadline.is_some());
    let says_least = |kernel: usize| {
        (!alone_in_company || executions[kernel].solved.is_some()) && !at_most(&system.tasks()[kernel])
    };
    let of_block = |(kernel, execution): (usize, &Execution)| {
        if says_least(kernel) { execution.least() } else { Duration::ZERO }
    };
    let least: Vec<Duration> = executions.iter().enumerate().map(of_block).collect();
    let evidence = Evidence {
        algorithm2: safe,
        bounds: &bounds,
        least: system
            .tasks()
            .iter()
            .zip(&least)
            .map(|(task, &least)| least_response(system.gpu(), task, least))
            .collect(),
        misses,
        overloaded: all_due && overloaded(system, &least),
    };
    let safe = safe.is_some();
    let (kernels, verdict, by) = evidence.judge(system).map_err(|task| {
        let name = &system.tasks()[task].name;
        AnalysisError::Disagreement(format!("kernel {name}: a launch takes longer than its bound"))
    })?;

    // What follows are the estimates of the method.
    let closed = match &fifo {
        Ok((responses, ..)) if method == Method::ClosedForm => {
            let closed = in_closed_form(estimated, &times, &breaches)?;
            if let Ok(closed) = &closed {
                agree(system, closed, responses, "the closed form", "algorithm2")?;
            }
            Some(closed)
        }
        _ => None,
    };
    breaches.extend(free);
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

/// The simulated run, or the reason why there is none: there is no hyperperiod, or there are too many launches. Times
/// that overflow are an error.
fn playable<E>(played: Result<Played<E>, RunError>) -> Result<Result<Played<E>, RunError>, AnalysisError> {
    match played {
        Err(RunError::Overflow) => Err(RunError::Overflow.into()),
        played => Ok(played),
    }
}
