//! The phase bound and the search it guides: for larger sigmas and mixes of kernels, where the closed form does not apply.
//!
//! Beams of rising width, each a lower bound with its schedule and, by what it had to leave out, an upper bound; a beam that
//! had room for all that promised more than is known has closed the gap.

use crate::bound::Upper;
use crate::limits::{Limits, Stop};
use crate::model::{Instance, Unit};
use crate::phase::{self, PhaseBound, Rest};
use crate::simulate::Phased;
use crate::solve::{Disagreement, Observer, Progress, Solution, SolveError, before, replayed};
use crate::{beam, simulate};

/// Width of the first beam, and by how much the next is wider.
const FIRST: usize = 1;
const WIDER: usize = 4;

/// The interval that beams prove within the limits.
pub(super) fn solve(
    instance: &Instance,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let mut solution = before(instance, "phase")?;
    let bound = phase::bound(instance);
    let rest = Rest::new(instance, bound.theta);
    solution.within_phases(bound.clone())?;
    policies(instance, &mut solution, &bound, limits)?;
    let mut width = FIRST;
    solution.stop = loop {
        if solution.interval.is_exact() {
            break Stop::Proved;
        }
        match meet(instance, &mut solution, (&rest, width), limits, observer)? {
            Stop::Proved => {}
            stop => break if solution.interval.is_exact() { Stop::Proved } else { stop },
        }
        let Some(wider) = width.checked_mul(WIDER) else { break Stop::MemoryLimit };
        width = wider;
    };
    if width > FIRST || !solution.interval.is_exact() {
        solution.notes.push(format!("search guided by the phase bound, up to {width} states a cycle"));
    }
    Ok(solution)
}

/// One beam, on top of the simulated schedules and the critical path.
pub(super) fn once(
    instance: &Instance,
    width: usize,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let mut solution = before(instance, "beam")?;
    let rest = Rest::new(instance, phase::bound(instance).theta);
    let stop = meet(instance, &mut solution, (&rest, width), limits, observer)?;
    solution.stop = match stop {
        _ if solution.interval.is_exact() => Stop::Proved,
        Stop::Proved => Stop::Beam,
        stop => stop,
    };
    Ok(solution)
}

/// Meets what is known with what a beam finds; why that ended.
fn meet(
    instance: &Instance,
    solution: &mut Solution,
    (rest, width): (&Rest, usize),
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Stop, SolveError> {
    let known = solution.interval.lower().cycles();
    let report = |states, cycle| {
        if let Some(observer) = observer {
            observer(Progress::Beam { states, cycle });
        }
    };
    let found = beam::search(instance, rest, (width, known), limits, &report);
    if let Some(schedule) = found.schedule {
        solution.attain(replayed(instance, schedule, solution.engine)?)?;
    }
    let upper = Upper::formula(found.upper, "phase bound, from every state that a search could not rule out");
    solution.interval = solution.interval.at_most(upper).map_err(Disagreement::from)?;
    Ok(found.stop)
}

/// The straggler policy over good labellings: schedules in one pass, of any size.
fn policies(
    instance: &Instance,
    solution: &mut Solution,
    bound: &PhaseBound,
    limits: &Limits,
) -> Result<(), SolveError> {
    for labels in &phase::labellings(instance, bound.theta) {
        for straggler in 0..instance.groups().len() {
            for first in Unit::ALL {
                if solution.interval.is_exact() || limits.stopped().is_some() {
                    return Ok(());
                }
                if let Some(schedule) = simulate::phased(instance, Phased { labels, first, straggler }) {
                    solution.attain(replayed(instance, schedule, solution.engine)?)?;
                }
            }
        }
    }
    Ok(())
}
