//! Which engines are tried, in which order, and when.

use std::time::Duration;

use crate::engines::ilp::{self, Options};
use crate::engines::portfolio::closed_form::ClosedForm;
use crate::engines::portfolio::engine::{Engine, Forecast, Size};
use crate::engines::portfolio::guided::{Beam, Guided};
use crate::engines::portfolio::ilp::Ilp;
use crate::engines::portfolio::states::States;
use crate::engines::portfolio::{EngineName, NotApplicable, Note, Observer, Solution, SolveError, second};
use crate::limits::Limits;
use crate::model::Instance;

/// Which engine is to solve.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// The closed form, the states, the phase bound with its search, the ILP, in the order that suits the instance; checked by
    /// the others where that is quick.
    #[default]
    Auto,
    /// The exhaustive search over states.
    States,
    /// So many states after each cycle, those from which the phase bound promises most.
    Beam(usize),
    /// The binary ILP.
    Ilp(Options),
    /// The closed form, or the phase bound and the search that it guides.
    Phase,
}

/// An engine in a list, and when it is tried.
struct Stage<'a> {
    engine: &'a dyn Engine,
    /// Whether it is tried on an instance that it applies to, by what it will take.
    when: fn(&Forecast) -> bool,
    /// How long it may take at most, where others follow.
    time: Option<Duration>,
    /// Whether its answer stands even if it is not exact.
    last: bool,
}

impl<'a> Stage<'a> {
    /// An engine that is tried wherever it applies, and whose answer stands.
    const fn always(engine: &'a dyn Engine) -> Self {
        Self { engine, when: |_| true, time: None, last: true }
    }

    /// An engine that is tried where what it will take is little enough, and whose answer stands.
    const fn if_it(when: fn(&Forecast) -> bool, engine: &'a dyn Engine) -> Self {
        Self { engine, when, time: None, last: true }
    }

    /// An engine that is tried for so long, before those that follow.
    const fn at_first(engine: &'a dyn Engine, time: Duration) -> Self {
        Self { engine, when: |_| true, time: Some(time), last: false }
    }
}

/// How long the search guided by the phase bound may take before the exhaustive search or the ILP is tried.
const GUIDED_TIME: Duration = Duration::from_secs(10);

/// The closed form where it applies; else the states where they are few, else the phase bound and its search, and where that
/// leaves a gap the states after all, or the ILP.
static AUTO: [Stage<'static>; 5] = [
    Stage::always(&ClosedForm),
    Stage::if_it(takes_a_moment, &States),
    Stage::at_first(&Guided, GUIDED_TIME),
    Stage::if_it(|forecast| forecast.fits, &States),
    Stage::if_it(is_a_small_model, &Ilp(&SMALL)),
];

static PHASE: [Stage<'static>; 2] = [Stage::always(&ClosedForm), Stage::always(&Guided)];

/// The options of the ILP where nobody names any.
static SMALL: Options = Options::DEFAULT;

/// State spaces no larger than this are searched before anything else, if that is quick.
const FEW_STATES: u64 = 2_000_000;
const QUICK: Duration = Duration::from_secs(1);

/// Whether the states are so few that to search them takes a fraction of a second.
fn takes_a_moment(forecast: &Forecast) -> bool {
    let few = matches!(forecast.size, Size::States(states) if states <= FEW_STATES);
    few && forecast.time.is_some_and(|time| time <= QUICK)
}

/// Models estimated at more nonzeros than this take longer than anybody waits: LLCLL with 15 warps, of 18,000 when its windows
/// are drawn, takes 40 s.
const PROMISING_NONZEROS: u64 = 200_000;

/// Whether there is a solver, and the model is small enough to be of use.
fn is_a_small_model(forecast: &Forecast) -> bool {
    ilp::AVAILABLE && matches!(forecast.size, Size::Nonzeros(nonzeros) if nonzeros <= PROMISING_NONZEROS)
}

impl EngineChoice {
    /// What one engine, or one after another, finds of an instance.
    ///
    /// # Errors
    /// If none applies, one fails, or two disagree.
    pub(super) fn answer(
        &self,
        instance: &Instance,
        limits: &Limits,
        observer: Option<Observer<'_>>,
    ) -> Result<Solution, SolveError> {
        let one = |engine: &dyn Engine| run(&[Stage::always(engine)], instance, limits, observer);
        match self {
            Self::States => one(&States),
            Self::Beam(width) => one(&Beam(*width)),
            Self::Ilp(options) => one(&Ilp(options)),
            Self::Phase => run(&PHASE, instance, limits, observer),
            Self::Auto => {
                let mut solution = run(&AUTO, instance, limits, observer)?;
                if solution.engine == EngineName::States {
                    second::by_phases(instance, &mut solution)?;
                }
                Ok(solution)
            }
        }
    }
}

/// Tries engines in order, each on top of what those before it found, until one answers.
fn run(
    stages: &[Stage<'_>],
    instance: &Instance,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let mut answer: Option<Solution> = None;
    let mut refused = NotApplicable::Blocks;
    for (at, Stage { engine, when, time, last }) in stages.iter().enumerate() {
        if let Err(why) = engine.applies(instance) {
            refused = why;
            continue;
        }
        let last = *last || stages[at + 1..].iter().all(|later| later.engine.applies(instance).is_err());
        if !when(&engine.predict(instance, limits)) {
            continue;
        }
        let shorter = time.filter(|_| !last).map(|time| limits.within(time));
        let within = shorter.as_ref().unwrap_or(limits);
        let solution = match answer.take() {
            None => {
                let (found, ending) = engine.solve(instance, within, observer)?;
                Solution::new(engine.name(), found, ending)
            }
            Some(mut solution) => {
                solution.ending = engine.narrow(instance, &mut solution.found, within, observer)?;
                solution
            }
        };
        if last || solution.found.interval.is_exact() || limits.stopped().is_some() {
            return Ok(solution);
        }
        answer = Some(solution);
    }
    let Some(mut solution) = answer else { return Err(refused.into()) };
    solution.ending = solution.found.no_further(); // and not the time limit of a stage, which is not the user's
    solution.found.notes.push(Note::NothingFits);
    Ok(solution)
}
