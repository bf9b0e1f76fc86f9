//! The phase bound and the search it guides: for larger sigmas and mixes of kernels, where the closed form does not apply.
//!
//! Beams of rising width, each a lower bound with its schedule and, by what it had to leave out, an upper bound; a beam that
//! had room for all that promised more than is known has closed the gap.

use crate::bound::{Basis, Upper};
use crate::engines::beam::Room;
use crate::engines::phase::{self, PhaseBound, Rest};
use crate::engines::portfolio::{Disagreement, Observer, Progress, Solution, SolveError, before, replayed};
use crate::engines::simulate::Phased;
use crate::engines::{beam, simulate};
use crate::limits::{Limits, Stop};
use crate::model::{Instance, Unit};

/// The first beam, and by how much the next has more room.
const FIRST: Room = Room { width: 1, ways: 64 };
const MORE: usize = 4;

/// The interval that beams prove within the limits.
pub(super) fn solve(
    instance: &Instance,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let mut solution = before(instance, "phase", limits)?;
    let bound = phase::bound(instance);
    solution.within_phases(bound.clone())?;
    policies(instance, &mut solution, &bound, limits)?;
    if solution.interval.is_exact() || !beam::takes(instance) {
        solution.stop = if solution.interval.is_exact() { Stop::Proved } else { Stop::NoEngine };
        return Ok(solution);
    }
    let rest = Rest::new(instance, bound.theta);
    let mut room = FIRST;
    solution.stop = loop {
        if solution.interval.is_exact() {
            break Stop::Proved;
        }
        let (stop, left_out) = meet(instance, &mut solution, (&rest, room), limits, observer)?;
        if stop != Stop::Proved {
            break if solution.interval.is_exact() { Stop::Proved } else { stop };
        }
        match left_out {
            (false, true) if room.ways < Room::MOST_WAYS => room.ways *= MORE,
            (true, _) if room.width.checked_mul(MORE).is_some() => room.width *= MORE,
            _ if solution.interval.is_exact() => break Stop::Proved,
            _ => break Stop::NoEngine,
        }
    };
    if room != FIRST || !solution.interval.is_exact() {
        solution.notes.push(format!("search guided by the phase bound, up to {} states a cycle", room.width));
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
    let mut solution = before(instance, "beam", limits)?;
    if !beam::takes(instance) {
        solution.stop = if solution.interval.is_exact() { Stop::Proved } else { Stop::NoEngine };
        return Ok(solution);
    }
    let rest = Rest::new(instance, phase::bound(instance).theta);
    let room = Room { width, ..FIRST };
    let (stop, _) = meet(instance, &mut solution, (&rest, room), limits, observer)?;
    solution.stop = match stop {
        _ if solution.interval.is_exact() => Stop::Proved,
        Stop::Proved => Stop::Beam,
        stop => stop,
    };
    Ok(solution)
}

/// Meets what is known with what a beam finds; why that ended, and what was left out.
fn meet(
    instance: &Instance,
    solution: &mut Solution,
    (rest, room): (&Rest, Room),
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<(Stop, (bool, bool)), SolveError> {
    let known = solution.interval.lower().cycles();
    let report = |states, cycle| {
        if let Some(observer) = observer {
            observer(Progress::Beam { states, cycle });
        }
    };
    let found = beam::search(instance, rest, room, known, limits, &report);
    if let Some(schedule) = found.schedule {
        solution.attain(replayed(instance, schedule, solution.engine)?)?;
    }
    let upper = Upper::searched(
        found.upper,
        Basis::Phase,
        "phase bound, from every state that a search could not rule out",
    );
    solution.interval = solution.interval.at_most(upper).map_err(Disagreement::from)?;
    Ok((found.stop, found.left_out))
}

/// The straggler policy over good labellings: schedules in one pass, of any size.
fn policies(
    instance: &Instance,
    solution: &mut Solution,
    bound: &PhaseBound,
    limits: &Limits,
) -> Result<(), SolveError> {
    if !simulate::takes(instance, limits) {
        return Ok(()); // nor are its labellings worth writing out
    }
    for labels in &phase::labellings(instance, bound.theta) {
        for straggler in 0..instance.groups().len() {
            for first in Unit::ALL {
                if solution.interval.is_exact() || limits.stopped().is_some() {
                    return Ok(());
                }
                if let Some(schedule) =
                    simulate::phased(instance, Phased { labels, first, straggler }, limits)
                {
                    solution.attain(replayed(instance, schedule, solution.engine)?)?;
                }
            }
        }
    }
    Ok(())
}
