//! The phase bound and the search that it guides, for larger sigmas and mixes of kernels, where the closed
//! form does not apply.
//!
//! Beams of rising breadth follow one another. Each gives a lower bound with its schedule and an upper bound
//! from the states that it left out. The gap is closed by a beam that had room for every state from which a
//! schedule longer than the longest known may follow.
//!
//! If there are barriers and several blocks, the phase bound still holds with the rates of the segments added
//! up, and schedules are simulated, but no engine searches them.

use crate::portfolio::engine::{Engine, Forecast, Run};
use crate::portfolio::findings::{Claim, Found};
use crate::portfolio::{EngineName, NotApplicable, Note, Progress, SolveError};
use warpspan_engines::beam::{self, Breadth, Outcome};
use warpspan_engines::phase::{self, PhaseBound, Remaining};
use warpspan_engines::simulate::{self, Phased};
use warpspan_model::limits::{Ending, Limits, NotExact};
use warpspan_model::{Instance, Unit};

/// The breadth of the first beam.
const FIRST: Breadth = Breadth { width: 1, ways: 64 };
const MORE: usize = 4;

/// The engine that uses the phase bound, simulated phases and beams of rising breadth.
pub(super) struct Guided;

impl Engine for Guided {
    fn name(&self) -> EngineName {
        EngineName::Phase
    }

    fn applies(&self, _: &Instance) -> Result<(), NotApplicable> {
        Ok(())
    }

    fn predict(&self, _: &Instance, _: &Limits) -> Forecast {
        Forecast::ANY
    }

    fn narrow(&self, instance: &Instance, found: &mut Found, run: Run<'_>) -> Result<Ending, SolveError> {
        let Run { limits, observer } = run;
        let bound = phase::bound_while(instance, &|| limits.stopped().is_none());
        found.within_phases(bound.clone())?;
        if instance.has_barriers() {
            found.notes.push(Note::SeveralBlocks);
            return Ok(found.or_proved(NotExact::Blocks));
        }
        found.tell(observer);
        policies(instance, found, &bound, limits)?;
        found.tell(observer);
        if found.interval.is_exact() || !beam::takes(instance) {
            return Ok(found.no_further());
        }
        let remaining = Remaining::new(instance, bound.theta);
        let mut breadth = FIRST;
        let ending = loop {
            if found.interval.is_exact() {
                break Ending::Proved;
            }
            let outcome = one_beam(instance, found, (self.name(), &remaining, breadth), run)?;
            if outcome.ending != Ending::Proved {
                break found.or_proved(outcome.ending);
            }
            if !outcome.cut_by_width && outcome.cut_by_ways && breadth.ways < Breadth::MOST_WAYS {
                breadth.ways *= MORE;
            } else if outcome.cut_by_width && breadth.width.checked_mul(MORE).is_some() {
                breadth.width *= MORE;
            } else {
                break found.no_further();
            }
        };
        if breadth != FIRST || !found.interval.is_exact() {
            found.notes.push(Note::Guided(breadth.width));
        }
        Ok(ending)
    }
}

/// The engine that runs one beam with this number of states.
pub(super) struct Beam(pub(super) usize);

impl Engine for Beam {
    fn name(&self) -> EngineName {
        EngineName::Beam
    }

    fn applies(&self, instance: &Instance) -> Result<(), NotApplicable> {
        if instance.has_barriers() { Err(NotApplicable::Blocks) } else { Ok(()) }
    }

    fn predict(&self, instance: &Instance, _: &Limits) -> Forecast {
        Forecast { fits: beam::takes(instance), ..Forecast::ANY }
    }

    fn narrow(&self, instance: &Instance, found: &mut Found, run: Run<'_>) -> Result<Ending, SolveError> {
        if !beam::takes(instance) {
            return Ok(found.no_further());
        }
        let remaining = Remaining::new(instance, phase::bound(instance).theta);
        let breadth = Breadth { width: self.0, ..FIRST };
        let outcome = one_beam(instance, found, (self.name(), &remaining, breadth), run)?;
        Ok(found.or_proved(match outcome.ending {
            Ending::Proved => NotExact::Beam.into(),
            ending => ending,
        }))
    }
}

/// Combines what is known with what a beam finds beyond it.
pub(super) fn one_beam(
    instance: &Instance,
    found: &mut Found,
    (by, remaining, breadth): (EngineName, &Remaining, Breadth),
    Run { limits, observer }: Run<'_>,
) -> Result<Outcome, SolveError> {
    let report = |states, cycle| {
        if let Some(observer) = observer {
            observer(Progress::Beam { states, cycle });
        }
    };
    let known = found.interval.lower().cycles();
    let mut outcome = beam::search(instance, remaining, breadth, known, limits, &report);
    let claim = outcome.schedule.take().map(|schedule| Claim::new(by, schedule));
    found.meet(instance, Some(outcome.upper), claim)?;
    found.tell(observer);
    Ok(outcome)
}

/// Runs the straggler policy over good labellings, which makes schedules of any size in one pass.
pub(super) fn policies(
    instance: &Instance,
    found: &mut Found,
    bound: &PhaseBound,
    limits: &Limits,
) -> Result<(), SolveError> {
    if !simulate::takes(instance, limits) {
        return Ok(()); // then the labellings are not worth writing out either
    }
    for labels in &phase::labellings(instance, bound.theta) {
        for straggler in 0..instance.groups().len() {
            for first in Unit::ALL {
                if found.interval.is_exact() || limits.stopped().is_some() {
                    return Ok(());
                }
                let schedule = simulate::phased(instance, Phased { labels, first, straggler }, limits);
                let claim = schedule.map(|schedule| Claim::new(EngineName::Phase, schedule));
                found.meet(instance, None, claim)?;
            }
        }
    }
    Ok(())
}
