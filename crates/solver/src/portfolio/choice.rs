//! Which engines are tried, in which order, and when.

use std::time::Duration;

use crate::portfolio::closed_form::ClosedForm;
use crate::portfolio::engine::{Engine, Forecast, Run, Size};
use crate::portfolio::guided::{Beam, Guided};
use crate::portfolio::ilp::Ilp;
use crate::portfolio::states::States;
use crate::portfolio::{EngineName, NotApplicable, Note, Solution, SolveError, cross_check};
use warpspan_ilp::{self as ilp, Options};
use warpspan_model::Instance;

/// The choice of the engine that solves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// The engines in the order that suits the instance: the closed form, the states, the phase bound with
    /// its search, the ILP. Another engine checks the answer where that is quick.
    #[default]
    Auto,
    /// The exhaustive search over states.
    States,
    /// A beam that keeps this number of states after each cycle, those for which the phase bound is largest.
    Beam(usize),
    /// The binary ILP.
    Ilp(Options),
    /// The closed form, or the phase bound and the search that it guides.
    Phase,
}

/// An engine in a list, and when it is tried.
struct Stage<'a> {
    engine: &'a dyn Engine,
    /// Whether it is tried on an instance that it applies to, given the forecast. Without a rule it is tried
    /// always, and no forecast is made.
    when: Option<fn(&Forecast) -> bool>,
    /// The most time that it may take before other engines follow.
    time: Option<Duration>,
    /// Whether its answer stands even if it is not exact.
    last: bool,
}

impl<'a> Stage<'a> {
    /// An engine that is tried wherever it applies, and whose answer stands.
    const fn always(engine: &'a dyn Engine) -> Self {
        Self { engine, when: None, time: None, last: true }
    }

    /// An engine that is tried where the forecast allows it, and whose answer stands.
    const fn if_forecast(when: fn(&Forecast) -> bool, engine: &'a dyn Engine) -> Self {
        Self { engine, when: Some(when), time: None, last: true }
    }

    /// An engine that is tried for a limited time, before those that follow.
    const fn for_time(engine: &'a dyn Engine, time: Duration) -> Self {
        Self { engine, when: None, time: Some(time), last: false }
    }
}

/// How long the search guided by the phase bound may take before the exhaustive search or the ILP is tried.
const GUIDED_TIME: Duration = Duration::from_secs(10);

/// The closed form where it applies. Elsewhere the states if they are few, and otherwise the phase bound and
/// its search. Where that leaves a gap, the states after all, or the ILP.
static AUTO: [Stage<'static>; 5] = [
    Stage::always(&ClosedForm),
    Stage::if_forecast(takes_a_moment, &States),
    Stage::for_time(&Guided, GUIDED_TIME),
    Stage::if_forecast(|forecast| forecast.fits, &States),
    Stage::if_forecast(is_a_small_model, &Ilp(&SMALL)),
];

static PHASE: [Stage<'static>; 2] = [Stage::always(&ClosedForm), Stage::always(&Guided)];

/// The options of the ILP if none are given.
static SMALL: Options = Options::DEFAULT;

/// State spaces up to this size are searched before anything else, if that is quick.
const FEW_STATES: u64 = 2_000_000;
const QUICK: Duration = Duration::from_secs(1);

/// Whether the states are so few that a search takes a fraction of a second.
fn takes_a_moment(forecast: &Forecast) -> bool {
    let few = matches!(forecast.size, Size::States(states) if states <= FEW_STATES);
    few && forecast.time.is_some_and(|time| time <= QUICK)
}

/// Models estimated at more nonzeros than this take too long to be of use. The model of LLCLL with 15 warps,
/// which has 18,000 nonzeros once its windows are drawn, takes 40 s.
const PROMISING_NONZEROS: u64 = 200_000;

/// Whether this build has a solver and the model is small enough to be of use.
fn is_a_small_model(forecast: &Forecast) -> bool {
    ilp::AVAILABLE && matches!(forecast.size, Size::Nonzeros(nonzeros) if nonzeros <= PROMISING_NONZEROS)
}

impl EngineChoice {
    /// Whether one of the engines takes an instance.
    pub(super) fn applies(&self, instance: &Instance) -> Result<(), NotApplicable> {
        let one_of = |stages: &[Stage<'_>]| {
            let mut refused = Ok(());
            for stage in stages {
                refused = stage.engine.applies(instance);
                if refused.is_ok() {
                    break;
                }
            }
            refused
        };
        match self {
            Self::States => States.applies(instance),
            Self::Beam(width) => Beam(*width).applies(instance),
            Self::Ilp(options) => Ilp(options).applies(instance),
            Self::Phase => one_of(&PHASE),
            Self::Auto => one_of(&AUTO),
        }
    }

    /// Solves an instance by one engine, or by several one after another.
    ///
    /// # Errors
    /// If none applies, one fails, or two disagree.
    pub(super) fn answer(&self, instance: &Instance, run: Run<'_>) -> Result<Solution, SolveError> {
        let one = |engine: &dyn Engine| try_in_order(&[Stage::always(engine)], instance, run);
        match self {
            Self::States => one(&States),
            Self::Beam(width) => one(&Beam(*width)),
            Self::Ilp(options) => one(&Ilp(options)),
            Self::Phase => try_in_order(&PHASE, instance, run),
            Self::Auto => {
                let mut solution = try_in_order(&AUTO, instance, run)?;
                if solution.engine == EngineName::States {
                    cross_check::by_phases(instance, &mut solution)?;
                }
                Ok(solution)
            }
        }
    }
}

/// Tries engines in order, each on top of what those before it found, until one answers.
fn try_in_order(
    stages: &[Stage<'_>],
    instance: &Instance,
    Run { limits, observer }: Run<'_>,
) -> Result<Solution, SolveError> {
    let mut answer: Option<Solution> = None;
    let mut refused = NotApplicable::Blocks;
    for (at, Stage { engine, when, time, last }) in stages.iter().enumerate() {
        if let Err(why) = engine.applies(instance) {
            refused = why;
            continue;
        }
        let last = *last || stages[at + 1..].iter().all(|later| later.engine.applies(instance).is_err());
        if when.is_some_and(|when| !when(&engine.predict(instance, limits))) {
            continue;
        }
        let shorter = time.filter(|_| !last).map(|time| limits.within(time));
        let run = Run { limits: shorter.as_ref().unwrap_or(limits), observer };
        let solution = match answer.take() {
            None => {
                let (found, ending) = engine.solve(instance, run)?;
                Solution::new(engine.name(), found, ending)
            }
            Some(mut solution) => {
                solution.ending = engine.narrow(instance, &mut solution.found, run)?;
                solution
            }
        };
        solution.found.tell(observer);
        if last || solution.found.interval.is_exact() || limits.stopped().is_some() {
            return Ok(solution);
        }
        answer = Some(solution);
    }
    let Some(mut solution) = answer else { return Err(refused.into()) };
    // the time limit of a stage is not the user's, so it is not reported
    solution.ending = solution.found.no_further();
    solution.found.notes.push(Note::NothingFits);
    Ok(solution)
}
