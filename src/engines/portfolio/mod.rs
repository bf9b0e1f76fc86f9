//! The answer to an instance: the narrowest interval that the engines prove within the limits.
//!
//! This is the one place that holds two engines side by side. Each gives a *claim*; a schedule is replayed before it
//! counts as a lower bound, a dual bound counts only over a safe horizon, and bounds that cross end the run with
//! [`SolveError::Disagreement`] instead of a number.
//!
//! | engine | applies to | lower bound from | upper bound from |
//! |---|---|---|---|
//! | [`Engine::Phase`] | one kernel, `sigma_L = sigma_C = 1` | its schedule, replayed | the theorem of [`crate::engines::phase`] |
//! | | everything else | a search guided by the phase bound, replayed | the phase bound, of all states not ruled out |
//! | [`Engine::States`] | what fits in memory | its schedule, replayed | having looked at every state |
//! | [`Engine::Ilp`] | everything small | HiGHS's schedule, replayed | HiGHS's dual bound |
//! | all | | schedules of [`crate::engines::simulate`], replayed | critical path |
//!
//! Programs with branches and loops have a bound only, see [`program()`].
//!
//! With barriers, the segments of one block are solved one by one and added up; for several blocks there are bounds and simulated
//! schedules.
//!
//! [`Engine::Auto`] takes the closed form where it applies, else the states where they are few, else the phase bound and its
//! search; where that leaves a gap, the states if they fit in memory, or the ILP. A second engine checks where that is quick
//! ([`Check`]).

mod barriers;
mod estimate;
mod exhaustive;
mod guided;
#[cfg(feature = "highs")]
mod ilp;
#[cfg(not(feature = "highs"))]
#[path = "no_ilp.rs"]
mod ilp;
mod phase;
mod program;
mod residents;
mod second;
mod table;

use std::time::{Duration, Instant};

use thiserror::Error;

use crate::bound::{Contradiction, Interval, Lower, bottleneck, critical_path};
use crate::engines::phase::Domain;
use crate::engines::portfolio::second::Budget;
use crate::engines::{simulate, states};
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance};
use crate::schedule::{Schedule, Violation, Witness, replay};
use crate::source::Message;

pub use estimate::{Terms, free_terms, terms};
pub use ilp::{IlpOptions, ModelSize};
pub use phase::Phase;
pub use program::program;
pub use residents::{Residents, ResidentsError, residents};
pub use second::{Agreement, Check};
pub use table::{Row, Side, Value, table};

/// Where an engine stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    /// The branch and bound of the ILP.
    Tree {
        /// Nodes done.
        nodes: i64,
        /// Makespan of the best solution found, if any.
        found: Option<u64>,
        /// What the makespan cannot exceed within the horizon, once that is known.
        bound: Option<u64>,
    },
    /// The search over states.
    States(states::Progress),
    /// The search guided by the phase bound.
    Beam {
        /// States looked at.
        states: u64,
        /// How far their schedules have come.
        cycle: Cycles,
    },
}

/// Is told of progress, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);

/// Which engine is to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The closed form, the states, the phase bound with its search, the ILP, in the order that suits the instance; checked by
    /// the others where that is quick.
    Auto,
    /// The exhaustive search over states.
    States,
    /// So many states after each cycle, those from which the phase bound promises most.
    Beam(usize),
    /// The binary ILP.
    Ilp,
    /// The closed form, or the phase bound and the search that it guides.
    Phase,
}

/// What is known of the worst case of an instance, and why.
#[derive(Debug, Clone)]
pub struct Solution {
    /// Lower <= worst case <= upper.
    pub interval: Interval,
    /// The engine that answered.
    pub engine: &'static str,
    /// Why it stopped, or is not exact although nothing stopped it.
    pub stop: Stop,
    /// A schedule that attains the lower bound; `None` if it was too large to write out and replay.
    pub witness: Option<Witness>,
    /// The smallest makespan, where every state was looked at.
    pub best_case: Option<Cycles>,
    /// A schedule that attains it.
    pub best_witness: Option<Witness>,
    /// Size of the ILP, if one was built to answer.
    pub model: Option<ModelSize>,
    /// States searched, if every one was.
    pub states: Option<u64>,
    /// The phases of the kernel, if the closed form applies.
    pub phase: Option<Phase>,
    /// What other engines said of the answer.
    pub checks: Vec<Check>,
    /// What else was done or should be known, a sentence each.
    pub notes: Vec<String>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// Why there is no solution.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The closed form does not apply.
    #[error(transparent)]
    Domain(#[from] Domain),
    /// The engine does not take the barriers.
    #[error("{0}")]
    Barriers(Message),
    /// The ILP is needed and this build has none.
    #[error(
        "this build has no ILP solver, which this instance needs: build with the feature `highs` (on by default); {0}"
    )]
    NoHighs(String),
    /// The ILP failed; a file that cannot be written is the user's to mend, anything else is not.
    #[error("{message}")]
    Ilp {
        /// What happened.
        message: String,
        /// Whether the user can mend it.
        usage: bool,
    },
    /// Two sources contradict each other: a bug in one of them.
    #[error("{0}")]
    Disagreement(#[from] Disagreement),
}

impl SolveError {
    /// What happened, and what would do.
    pub fn message(&self) -> Message {
        match self {
            Self::Barriers(what) => what.clone(),
            Self::Domain(_) | Self::NoHighs(_) | Self::Ilp { .. } | Self::Disagreement(_) => {
                Message::text(self)
            }
        }
    }
}

/// Two engines, or an engine and the verifier, contradict each other.
#[derive(Debug, Error)]
pub enum Disagreement {
    /// A lower bound above an upper bound.
    #[error(transparent)]
    Bounds(#[from] Contradiction),
    /// A schedule that breaks a rule.
    #[error("the schedule of engine {engine} is not valid: {violation}; this is a bug, please report it")]
    Schedule {
        /// Whose schedule.
        engine: &'static str,
        /// The first rule it breaks.
        violation: Violation,
    },
    /// A valid schedule of another length than claimed.
    #[error(
        "engine {engine} claims {claimed} cycles, its schedule takes {replayed}; this is a bug, please report it"
    )]
    Makespan {
        /// Whose schedule.
        engine: &'static str,
        /// What the engine says.
        claimed: Cycles,
        /// What the replay says.
        replayed: Cycles,
    },
}

/// Solves an instance within the limits.
///
/// ```
/// use warpspan::limits::Limits;
/// use warpspan::model::{Instance, Multiprocessor};
/// use warpspan::engines::portfolio::{Engine, IlpOptions, solve};
///
/// let instance = Instance::single("LLCLL".parse()?, 600, Multiprocessor::default())?;
/// let solution = solve(&instance, Engine::Phase, &IlpOptions::default(), &Limits::generous(), None)?;
/// assert!(solution.interval.is_exact());
/// assert_eq!(solution.interval.upper().cycles().0, 2401);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the engine does not apply or fails, or two sources disagree. A limit that is reached is not an error.
pub fn solve(
    instance: &Instance,
    engine: Engine,
    options: &IlpOptions,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    let start = Instant::now();
    let mut solution = match instance.has_barriers() {
        true => barriers::solve(instance, engine, options, limits, observer)?,
        false => {
            let solution = answer(instance, engine, options, limits, observer)?;
            second::look(instance, engine, solution, limits, &mut Budget::new(limits, start.elapsed()))?
        }
    };
    if solution.interval.is_exact() && solution.stop.not_exact().is_some() {
        solution.stop = Stop::Proved; // by others than the engine that gave up
    }
    solution.elapsed = start.elapsed();
    Ok(solution)
}

/// What one engine, or one after another, finds of an instance without barriers.
fn answer(
    instance: &Instance,
    engine: Engine,
    options: &IlpOptions,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    match engine {
        Engine::Phase => match phase::solve(instance, limits) {
            Err(SolveError::Domain(_)) => guided::solve(instance, limits, observer),
            closed => closed,
        },
        Engine::States => exhaustive::solve(instance, limits, observer),
        Engine::Beam(width) => guided::once(instance, width, limits, observer),
        Engine::Ilp => ilp::solve(instance, options, limits, observer),
        Engine::Auto => auto(instance, options, limits, observer),
    }
}

/// How long the search guided by the phase bound may take before the exhaustive search or the ILP is tried.
const GUIDED_TIME: Duration = Duration::from_secs(10);

/// The closed form where it applies; else the states where they are few, else the phase bound and its search, and where that
/// leaves a gap the states after all, or the ILP.
fn auto(
    instance: &Instance,
    options: &IlpOptions,
    limits: &Limits,
    observer: Option<Observer<'_>>,
) -> Result<Solution, SolveError> {
    match phase::solve(instance, limits) {
        Err(SolveError::Domain(_)) => {}
        closed => return closed,
    }
    if exhaustive::is_quick(instance, limits) {
        let mut solution = exhaustive::solve(instance, limits, observer)?;
        let phases = crate::engines::phase::bound(instance);
        if solution.interval.is_exact() {
            let upper = phases.upper().cycles();
            let result = match upper == solution.interval.upper().cycles() {
                true => Agreement::Agrees,
                false => Agreement::Consistent,
            };
            solution.checks.push(Check { by: "phase", result, detail: format!("at most {upper} cycles") });
        }
        solution.within_phases(phases)?;
        return Ok(solution);
    }
    let mut solution = guided::solve(instance, &limits.within(GUIDED_TIME), observer)?;
    if solution.interval.is_exact() || limits.stopped().is_some() {
        return Ok(solution);
    }
    solution.stop = Stop::NoEngine; // not the time limit of the search, which is not the user's
    if exhaustive::fits(instance, limits) {
        exhaustive::meet(instance, &mut solution, limits, observer)?;
    } else if !ilp::close(instance, &mut solution, options, limits, observer)? {
        solution.notes.push("more states than memory holds, and no ILP small enough to be of use".into());
    }
    Ok(solution)
}

impl Solution {
    /// Keeps a schedule that was replayed if it is longer than the one known, and the bound that it proves.
    fn attain(&mut self, witness: Witness) -> Result<(), Disagreement> {
        self.interval = self.interval.at_least(Lower::replayed(&witness))?;
        if self.witness.as_ref().is_none_or(|known| witness.makespan() > known.makespan()) {
            self.witness = Some(witness);
        }
        Ok(())
    }
}

/// What is known before an engine runs: the longest simulated schedule, replayed, and the critical path. It stands as if
/// no engine would run.
fn before(instance: &Instance, engine: &'static str, limits: &Limits) -> Result<Solution, Disagreement> {
    let mut witness: Option<Witness> = None;
    for schedule in simulate::schedules(instance, limits) {
        let simulated = replayed(instance, schedule, "simulate")?;
        if witness.as_ref().is_none_or(|longest| simulated.makespan() > longest.makespan()) {
            witness = Some(simulated);
        }
    }
    let lower = witness.as_ref().map_or_else(|| bottleneck(instance), Lower::replayed);
    Ok(Solution {
        interval: Interval::new(lower, critical_path(instance))?,
        engine,
        stop: Stop::NoEngine,
        witness,
        best_case: None,
        best_witness: None,
        model: None,
        states: None,
        phase: None,
        checks: Vec::new(),
        notes: Vec::new(),
        elapsed: Duration::ZERO,
    })
}

fn replayed(instance: &Instance, schedule: Schedule, engine: &'static str) -> Result<Witness, Disagreement> {
    replay(instance, schedule).map_err(|violation| Disagreement::Schedule { engine, violation })
}
