//! The ILP as an engine.

use std::time::Duration;

use crate::portfolio::engine::{Engine, Forecast, Run, Size};
use crate::portfolio::findings::{Claim, Found, Length};
use crate::portfolio::{EngineName, NotApplicable, Note, Progress, SolveError};
use warpspan_check::bound::Upper;
use warpspan_engines::phase;
use warpspan_ilp::{self as ilp, IlpError, Options, Outcome};
use warpspan_model::Instance;
use warpspan_model::limits::{Ending, Limits, NotExact, Stop};

/// The binary ILP, built with these options.
pub(super) struct Ilp<'a>(pub(super) &'a Options);

/// The time to solve a model for each nonzero of the estimate. A solve seldom takes longer.
const TIME_A_NONZERO: Duration = Duration::from_micros(8);

impl Engine for Ilp<'_> {
    fn name(&self) -> EngineName {
        EngineName::Ilp
    }

    fn applies(&self, instance: &Instance) -> Result<(), NotApplicable> {
        if !instance.has_barriers() {
            return Ok(());
        }
        Err(if instance.segments().is_some() { NotApplicable::Barriers } else { NotApplicable::Blocks })
    }

    fn predict(&self, instance: &Instance, limits: &Limits) -> Forecast {
        forecast(instance, phase::bound(instance).makespan, self.0, limits)
    }

    fn solve(&self, instance: &Instance, run: Run<'_>) -> Result<(Found, Ending), SolveError> {
        let mut found = Found::simulated(instance, run.limits)?;
        let phases = phase::bound(instance);
        let longest = phases.makespan;
        if ilp::AVAILABLE && self.0.horizon.is_safe(instance, longest) {
            found.within_phases(phases)?;
        }
        found.tell(run.observer);
        let ending = self.search(instance, longest, &mut found, run)?;
        if found.interval.is_exact() && ending != Ending::Proved {
            found.notes.push(Note::IlpOvertaken);
        }
        Ok((found, ending))
    }

    fn narrow(&self, instance: &Instance, found: &mut Found, run: Run<'_>) -> Result<Ending, SolveError> {
        let longest = phase::bound(instance).makespan;
        let ending = self.search(instance, longest, found, run)?;
        Ok(found.or_proved(ending))
    }
}

impl Ilp<'_> {
    /// Solves the model, of which no schedule is longer than `longest`, and combines what is known with what the solver finds. The ending is that of the
    /// solver. The interval may be exact because of other engines.
    fn search(
        &self,
        instance: &Instance,
        longest: Upper,
        found: &mut Found,
        Run { limits, observer }: Run<'_>,
    ) -> Result<Ending, SolveError> {
        let Self(options) = self;
        let tell = |state: ilp::Progress| {
            if let Some(observer) = observer {
                let ilp::Progress { nodes, found, bound } = state;
                observer(Progress::Tree { nodes, found, bound });
            }
        };
        let outcome = match ilp::solve(instance, longest, options, limits, Some(&tell)) {
            Ok(outcome) => outcome,
            Err(error @ IlpError::TooLarge { .. }) => {
                found.notes.push(Note::IlpTooLarge(error));
                return Ok(Stop::MemoryLimit.into());
            }
            Err(IlpError::NoSolver) => {
                let (lower, upper) = (found.interval.lower().cycles(), found.interval.upper().cycles());
                return Err(SolveError::NoHighs { lower, upper });
            }
            Err(error) => {
                let usage = matches!(error, IlpError::Write { .. });
                return Err(SolveError::Ilp { message: error.message(), usage });
            }
        };
        found.model = Some(outcome.size);
        found.notes.push(Note::Model {
            formulation: options.formulation,
            plain: options.plain,
            horizon: outcome.horizon,
        });
        let &Outcome { stop, safe, horizon, infeasible, .. } = &outcome;
        if !safe {
            let safe = found.interval.upper().cycles();
            found.notes.push(Note::ShortHorizon { which: options.horizon, horizon, safe, infeasible });
        }
        let claim = claim(&outcome)?.map(Claim::winning_ties);
        found.meet(instance, outcome.upper, claim)?;
        match stop {
            Some(stop) => Ok(stop.into()),
            None if found.interval.is_exact() => Ok(Ending::Proved),
            None if !safe => Ok(NotExact::Horizon.into()),
            None => {
                let message =
                    "HiGHS stops as if it had proved an optimum that its dual bound does not confirm".into();
                Err(SolveError::Ilp { message, usage: false })
            }
        }
    }
}

/// The forecast for the model over the horizon of the options, if no schedule is longer than `longest`.
pub(super) fn forecast(instance: &Instance, longest: Upper, options: &Options, limits: &Limits) -> Forecast {
    let horizon = options.horizon.cycles(instance, longest);
    let size = ilp::estimate(instance, options.formulation, options.plain, horizon);
    Forecast {
        size: Size::Nonzeros(size.nonzeros),
        fits: ilp::AVAILABLE && size.bytes() <= limits.memory,
        time: u32::try_from(size.nonzeros).ok().map(|nonzeros| TIME_A_NONZERO * nonzeros),
    }
}

/// The schedule of the solver, if it found one.
///
/// # Errors
/// If it found none within a safe horizon.
pub(super) fn claim(outcome: &Outcome) -> Result<Option<Claim>, SolveError> {
    if outcome.safe && outcome.infeasible {
        let message =
            format!("HiGHS finds no schedule within the safe horizon of {}: this is a bug", outcome.horizon);
        return Err(SolveError::Ilp { message: message.into(), usage: false });
    }
    let claimed = outcome.objective.unwrap_or_default();
    // An incumbent may claim fewer cycles than its schedule takes, but a proved optimum may not.
    let length = if outcome.stop.is_none() { Length::Exactly(claimed) } else { Length::AtLeast(claimed) };
    let claim = |schedule| Claim::new(EngineName::Ilp, schedule).of(length);
    Ok(outcome.schedule.clone().map(claim))
}
