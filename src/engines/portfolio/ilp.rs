//! The ILP as an engine, and as a check of another.

use std::time::Duration;

use crate::bound::{Interval, Lower, Upper, critical_path};
use crate::engines::ilp::{self, Horizon, IlpError, Outcome};
use crate::engines::portfolio::{
    Agreement, Check, Disagreement, Observer, Progress, Solution, SolveError, before, replayed,
};
use crate::limits::{Limits, Stop};
use crate::model::Instance;
use crate::schedule::Witness;

pub use crate::engines::ilp::{ModelSize, Options as IlpOptions};

/// The ILP within the limits, on top of what is known before.
pub(super) fn solve(
    instance: &Instance,
    options: &IlpOptions,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let mut solution = before(instance, "ilp", limits)?;
    if options.horizon.is_safe(instance) {
        solution.within_phases(crate::engines::phase::bound(instance))?;
    }
    narrow(instance, &mut solution, options, limits, observer)?;
    if solution.interval.is_exact() && solution.stop != Stop::Proved {
        solution
            .notes
            .push("the ILP did not get so far: its ends are a simulated schedule and the phase bound".into());
    }
    Ok(solution)
}

/// Solves the ILP, and meets what is known with what it finds.
fn narrow(
    instance: &Instance,
    solution: &mut Solution,
    options: &IlpOptions,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<(), SolveError> {
    let tell = |state: ilp::Progress| {
        if let Some(observer) = observer {
            let ilp::Progress { nodes, found, bound } = state;
            observer(Progress::Tree { nodes, found, bound });
        }
    };
    let outcome = match ilp::solve(instance, options, limits, Some(&tell)) {
        Ok(outcome) => outcome,
        Err(error @ IlpError::TooLarge { .. }) => {
            solution.stop = Stop::MemoryLimit;
            solution.notes.push(error.to_string());
            return Ok(());
        }
        Err(error) => {
            let usage = matches!(error, IlpError::Write { .. });
            return Err(SolveError::Ilp { message: error.to_string(), usage });
        }
    };
    solution.stop = outcome.stop;
    solution.model = Some(outcome.size);
    solution.notes.push(format!(
        "{} formulation{}, horizon {}",
        options.formulation.name(),
        if options.plain { " as published" } else { "" },
        outcome.horizon
    ));
    let safe = options.horizon.is_safe(instance);
    if !safe {
        solution.notes.push(shorter_than_safe(options.horizon, &outcome, &solution.interval));
    }
    let (interval, found) = meet(instance, solution.interval, &outcome, options.formulation.name(), safe)?;
    if found.as_ref().is_some_and(|found| {
        solution.witness.as_ref().is_none_or(|known| found.makespan() >= known.makespan())
    }) {
        solution.witness = found;
    }
    solution.interval = interval;
    if interval.is_exact() {
        return Ok(()); // if the ILP was stopped, by others
    }
    if solution.stop == Stop::Proved && safe {
        let message =
            "HiGHS stops as if it had proved an optimum that its dual bound does not confirm".to_owned();
        return Err(SolveError::Ilp { message, usage: false });
    } else if solution.stop == Stop::Proved {
        solution.stop = Stop::Horizon;
    }
    Ok(())
}

/// What is left of an interval if the outcome holds too.
fn meet(
    instance: &Instance,
    mut interval: Interval,
    outcome: &Outcome,
    formulation: &'static str,
    safe: bool,
) -> Result<(Interval, Option<Witness>), SolveError> {
    if safe && outcome.infeasible {
        let message =
            format!("HiGHS finds no schedule within the safe horizon of {}: this is a bug", outcome.horizon);
        return Err(SolveError::Ilp { message, usage: false });
    }
    let witness = match &outcome.schedule {
        Some(schedule) => Some(replayed(instance, schedule.clone(), formulation)?),
        None => None,
    };
    if let Some(witness) = &witness {
        // An incumbent may undercount the cycles of its schedule, a proved optimum may not.
        let (claimed, replayed) = (outcome.objective, witness.makespan());
        if claimed > Some(replayed) || outcome.stop == Stop::Proved && claimed != Some(replayed) {
            let claimed = claimed.unwrap_or_default();
            return Err(Disagreement::Makespan { engine: formulation, claimed, replayed }.into());
        }
        interval = interval.at_least(Lower::replayed(witness)).map_err(Disagreement::from)?;
    }
    if let (true, Some(bound)) = (safe, outcome.dual_bound) {
        let name = match formulation {
            "short" => "HiGHS on the short formulation (Be12 Fig. 3)",
            "long" => "HiGHS on the long formulation (Be12 Eq. 33, 36)",
            _ => "HiGHS on the aggregated formulation",
        };
        interval = interval.at_most(Upper::solver(bound, name)).map_err(Disagreement::from)?;
    }
    Ok((interval, witness))
}

fn shorter_than_safe(horizon: Horizon, outcome: &Outcome, interval: &Interval) -> String {
    let which = match horizon {
        Horizon::Paper => "the paper's horizon (Eq. 5-7; errata E2, E3)",
        _ => "the horizon given",
    };
    let found =
        if outcome.infeasible { "no schedule ends within it" } else { "longer schedules were not looked at" };
    format!(
        "{which}, {} cycles, is shorter than the safe {}: {found}, so its optimum is no upper bound",
        outcome.horizon,
        interval.upper().cycles()
    )
}

/// Models estimated at more nonzeros than this take longer than anybody waits: LLCLL with 15 warps, of 18,000 when its windows
/// are drawn, takes 40 s.
const PROMISING_NONZEROS: u64 = 200_000;

/// Narrows what nothing else closes, if the model is small enough to be of use; whether it is.
pub(super) fn close(
    instance: &Instance,
    solution: &mut Solution,
    options: &IlpOptions,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<bool, SolveError> {
    let horizon = options.horizon.cycles(instance);
    let size = ilp::estimate(instance, options.formulation, options.plain, horizon);
    let promising = size.nonzeros <= PROMISING_NONZEROS;
    if promising {
        narrow(instance, solution, options, limits, observer)?;
    }
    if solution.interval.is_exact() {
        solution.stop = Stop::Proved;
    }
    Ok(promising)
}

/// Models estimated at more nonzeros than this are not solved as a check: how long they take is anybody's guess.
const CHECK_NONZEROS: u64 = 10_000;
/// What smaller ones take for a nonzero of the estimate, seldom more.
const CHECK_TIME: Duration = Duration::from_micros(8);

/// Solves the instance by the ILP too, where that may be quick, and meets the two.
pub(super) fn check(
    instance: &Instance,
    mut solution: Solution,
    limits: &Limits,
) -> Result<Solution, SolveError> {
    // not the phase bound, which is to be checked too
    let horizon = Horizon::Cycles(critical_path(instance).cycles().0);
    let options = IlpOptions { horizon, ..IlpOptions::default() };
    let horizon = options.horizon.cycles(instance);
    let size = ilp::estimate(instance, options.formulation, options.plain, horizon);
    let mut said = |result, detail| solution.checks.push(Check { by: "ilp", result, detail });
    let limits = limits.share();
    let needed = u32::try_from(size.nonzeros).map_or(Duration::MAX, |nonzeros| CHECK_TIME * nonzeros);
    let may = size.nonzeros <= CHECK_NONZEROS && limits.time_left().is_none_or(|left| needed <= left);
    if !may || size.bytes() > limits.memory {
        let detail = match size.nonzeros {
            u64::MAX => "its model has too many nonzeros to count".to_owned(),
            nonzeros => format!("its model has up to {nonzeros} nonzeros"),
        };
        said(Agreement::Untried, detail);
        return Ok(solution);
    }
    let outcome = match ilp::solve(instance, &options, &limits, None) {
        Ok(outcome) => outcome,
        Err(error) => {
            said(Agreement::Unfinished, error.to_string());
            return Ok(solution);
        }
    };
    let worst = Some(solution.interval.upper().cycles());
    let proved = outcome.stop == Stop::Proved && outcome.objective == worst && outcome.dual_bound == worst;
    let result = if proved { Agreement::Agrees } else { Agreement::Unfinished };
    said(result, format!("aggregated: {}", outcome.size));
    let (interval, found) = meet(instance, solution.interval, &outcome, options.formulation.name(), true)?;
    solution.interval = interval;
    if let Some(found) = found {
        solution.attain(found)?; // so that a schedule stands behind the lower bound, whoever raised it
    }
    Ok(solution)
}
