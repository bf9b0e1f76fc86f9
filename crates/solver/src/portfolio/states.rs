//! The exhaustive search as an engine.

use std::time::Duration;

use crate::portfolio::engine::{Engine, Forecast, Run, Size};
use crate::portfolio::findings::{Claim, Found, Length};
use crate::portfolio::{EngineName, NotApplicable, Note, Observer, Progress, SolveError};
use warpspan_engines::beam::{self, Breadth};
use warpspan_engines::phase::{self, Remaining};
use warpspan_engines::states::{self, Method, Outcome};
use warpspan_model::limits::{Ending, Limits};
use warpspan_model::{Instance, Unit};

/// The engine that searches all states.
pub(super) struct States;

impl Engine for States {
    fn name(&self) -> EngineName {
        EngineName::States
    }

    fn applies(&self, instance: &Instance) -> Result<(), NotApplicable> {
        if instance.has_barriers() { Err(NotApplicable::Blocks) } else { Ok(()) }
    }

    /// The number of states, and the time that the search takes as far as it can be predicted from this
    /// number and from the number of choices in each state.
    fn predict(&self, instance: &Instance, limits: &Limits) -> Forecast {
        let states::Prediction { states, method, .. } = states::predict(instance, limits);
        let rate = if method == Some(Method::Dense) { DENSE } else { LEVELS };
        let choices = Unit::ALL.map(|unit| choices(instance, unit)).into_iter().fold(1, u64::saturating_mul);
        let work = states.saturating_mul(choices);
        let time = Duration::from_micros(work.saturating_mul(1_000_000) / rate);
        Forecast { size: Size::States(states), fits: method.is_some(), time: method.map(|_| time) }
    }

    fn narrow(&self, instance: &Instance, found: &mut Found, run: Run<'_>) -> Result<Ending, SolveError> {
        let Run { limits, observer } = run;
        match states::solve(instance, limits, &report(observer)) {
            Ok(outcome) => exhausted(instance, found, outcome),
            Err(error) => {
                found.notes.push(Note::Unfinished(error));
                found.meet(instance, error.upper, None)?;
                look_for_longer(instance, found, limits)?;
                Ok(error.ending)
            }
        }
    }
}

/// Combines what is known with what the search over all states found.
fn exhausted(instance: &Instance, found: &mut Found, outcome: Outcome) -> Result<Ending, SolveError> {
    let claim = |schedule, cycles| Claim::new(EngineName::States, schedule).of(Length::Exactly(cycles));
    let longest = outcome.schedule.map(|schedule| claim(schedule, outcome.worst.cycles()));
    if longest.is_none() {
        found.notes.push(Note::NoWorstSchedule);
    }
    found.meet(instance, Some(outcome.worst), longest)?;
    match (outcome.best, outcome.best_schedule) {
        (Some(best), Some(schedule)) => {
            found.best_witness = Some(claim(schedule, best).replayed(instance)?);
        }
        (Some(_), None) => found.notes.push(Note::NoBestSchedule),
        (None, _) => found.notes.push(Note::NoBestCase),
    }
    found.notes.push(Note::Searched(outcome.method));
    found.best_case = outcome.best;
    found.states = Some(outcome.states);
    Ok(found.or_proved(outcome.stop))
}

fn report(observer: Option<Observer<'_>>) -> impl Fn(states::Progress) + Sync {
    move |progress| {
        if let Some(observer) = observer {
            observer(Progress::States(progress));
        }
    }
}

/// The breadth of the beam that runs after a limit has stopped the search.
const BEAM: Breadth = Breadth { width: 100, ways: 64 };
const BEAM_TIME: Duration = Duration::from_secs(3);

/// Looks for a longer schedule after a search that could not finish. It leaves the upper bound alone, because
/// this engine's upper bounds do not rest on phases.
fn look_for_longer(instance: &Instance, found: &mut Found, limits: &Limits) -> Result<(), SolveError> {
    if found.interval.is_exact() || !beam::takes(instance) {
        return Ok(());
    }
    let (known, limits) = (found.interval.lower().cycles(), limits.within(BEAM_TIME));
    let remaining = Remaining::new(instance, phase::bound(instance).theta);
    let outcome = beam::search(instance, &remaining, BEAM, known, &limits, &|_, _| ());
    if let Some(schedule) = outcome.schedule {
        found.meet(instance, None, Some(Claim::new(EngineName::Beam, schedule)))?;
        found.notes.push(Note::LongestOfBeam(BEAM.width));
    }
    Ok(())
}

/// The number of states that the dense sweep does in a second at sigma 1, on a slow machine. A search by
/// levels reaches about a tenth of the states, and with all states counted its rate is the same.
const DENSE: u64 = 40_000_000;
const LEVELS: u64 = 5_000_000;

/// An upper bound on how many times more ways there are to fill a unit than at sigma 1: the ways to share
/// sigma among the instructions that want it.
fn choices(instance: &Instance, unit: Unit) -> u64 {
    let places: u64 = instance.groups().iter().map(|group| group.kernel.count(unit)).sum();
    let places = places.min(instance.total_warps()).max(1); // no more places can have a warp
    let (mut ways, sigma) = (1_u64, instance.sigma(unit));
    for place in 1..places {
        ways = match ways.checked_mul(sigma.saturating_add(place)) {
            Some(ways) => ways / place, // the division is exact, because the result is a binomial coefficient
            None => return u64::MAX,
        };
    }
    ways.div_ceil(places)
}
