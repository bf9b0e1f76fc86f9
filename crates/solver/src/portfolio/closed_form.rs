//! The closed form as an engine: its schedule is replayed before its value counts as attained.

use crate::portfolio::engine::{Engine, Forecast, Run};
use crate::portfolio::findings::{Claim, Found, Length};
use crate::portfolio::{Disagreement, EngineName, NotApplicable, Note, SolveError};
use warpspan_check::bound::{Interval, Lower, critical_path};
use warpspan_engines::phase::{self, ClosedForm as Closed, Domain};
use warpspan_model::Instance;
use warpspan_model::limits::{Ending, Limits, Stop};

/// The closed form of one kernel at sigma 1.
pub(super) struct ClosedForm;

impl Engine for ClosedForm {
    fn name(&self) -> EngineName {
        EngineName::Phase
    }

    fn applies(&self, instance: &Instance) -> Result<(), NotApplicable> {
        Ok(phase::applies(instance)?)
    }

    fn predict(&self, _: &Instance, _: &Limits) -> Forecast {
        Forecast::ANY
    }

    fn solve(&self, instance: &Instance, run: Run<'_>) -> Result<(Found, Ending), SolveError> {
        match phase::solve(instance, run.limits) {
            Ok(closed) => Ok((attained(instance, &closed, run.limits)?, Ending::Proved)),
            Err(why @ Domain::Pairs(_)) => {
                let mut found = Found::simulated(instance, run.limits)?;
                let ending = self.narrow(instance, &mut found, run)?;
                found.notes.push(Note::Pairs(why));
                Ok((found, ending))
            }
            Err(why) => Err(NotApplicable::from(why).into()),
        }
    }

    /// Narrows the interval by the theorem for any number of warps, which takes almost no time.
    fn narrow(&self, instance: &Instance, found: &mut Found, run: Run<'_>) -> Result<Ending, SolveError> {
        let upper = phase::upper(instance).map_err(NotApplicable::from)?;
        found.meet(instance, Some(upper), None)?;
        Ok(found.or_proved(run.limits.stopped().unwrap_or(Stop::MemoryLimit)))
    }
}

/// The value of the closed form, with the schedule that attains it if that is not too large.
fn attained(instance: &Instance, closed: &Closed, limits: &Limits) -> Result<Found, Disagreement> {
    let known = Interval::new(closed.lower, closed.upper)?.at_most(critical_path(instance))?;
    let mut found = Found { phase: Some(closed.into()), ..Found::new(known) };
    match closed.schedule(limits) {
        Some(schedule) => {
            let claim = Claim::new(EngineName::Phase, schedule).of(Length::Exactly(closed.lower.cycles()));
            let witness = claim.replayed(instance)?;
            found.interval = Interval::new(Lower::replayed(&witness), closed.upper)?;
            found.witness = Some(witness);
        }
        None => found.notes.push(Note::Unreplayed),
    }
    Ok(found)
}
