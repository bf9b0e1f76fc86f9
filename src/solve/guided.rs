//! The phase bound and the search it guides: for larger sigmas and mixes of kernels, where the closed form does not apply.
//!
//! Beams of rising width, each a lower bound with its schedule and, by what it had to drop, an upper bound; a beam that had
//! room for all that promised more than is known has closed the gap.

use crate::bound::Upper;
use crate::limits::{Limits, Stop};
use crate::model::{Instance, Unit};
use crate::phase::{self, Rest};
use crate::simulate::Phased;
use crate::solve::exhaustive::report;
use crate::solve::{Disagreement, Observer, Solution, SolveError, before, replayed};
use crate::{simulate, states};

/// Width of the first beam, and by how much the next is wider.
const FIRST: usize = 32;
const WIDER: usize = 4;

/// The interval that beams prove within the limits.
pub(super) fn solve(
    instance: &Instance,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let mut solution = before(instance, "phase")?;
    let bound = phase::bound(instance);
    let theta = bound.theta;
    solution.within_phases(bound)?;
    for labels in &phase::labellings(instance, theta) {
        for straggler in 0..instance.groups().len() {
            for first in Unit::ALL {
                if solution.interval.is_exact() || limits.stopped().is_some() {
                    break;
                }
                let schedule = simulate::phased(instance, Phased { labels, first, straggler });
                if let Some(schedule) = schedule {
                    solution.attain(replayed(instance, schedule, "phase")?)?;
                }
            }
        }
    }
    let rest = Rest::new(instance, theta);
    let mut width = FIRST;
    let meet = |solution: &mut Solution, upper| -> Result<(), Disagreement> {
        let upper = Upper::formula(upper, "phase bound, from every state that a search could not rule out");
        solution.interval = solution.interval.at_most(upper)?;
        Ok(())
    };
    solution.stop = loop {
        if solution.interval.is_exact() {
            break Stop::Proved;
        }
        let known = solution.interval.lower().cycles();
        match states::beam(
            instance,
            (width, known),
            Some(&|issued| rest.bound(issued)),
            limits,
            &report(observer),
        ) {
            Ok(promise) => {
                if let Some(schedule) = promise.schedule {
                    solution.attain(replayed(instance, schedule, "phase")?)?;
                }
                meet(&mut solution, promise.upper)?;
            }
            Err((stop, upper)) => {
                if let Some(upper) = upper {
                    meet(&mut solution, upper.max(known))?;
                }
                break if solution.interval.is_exact() { Stop::Proved } else { stop };
            }
        }
        let Some(wider) = width.checked_mul(WIDER) else { break Stop::MemoryLimit };
        width = wider;
    };
    if width > FIRST || !solution.interval.is_exact() {
        solution.notes.push(format!("search guided by the phase bound, up to {width} states a level"));
    }
    Ok(solution)
}
