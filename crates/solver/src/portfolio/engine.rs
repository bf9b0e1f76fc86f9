//! The trait that every engine implements, and what it says of itself.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use crate::portfolio::{Found, SolveError};
use warpspan_check::bound::Interval;
use warpspan_engines::phase::Domain;
use warpspan_engines::states;
use warpspan_model::limits::{Ending, Limits};
use warpspan_model::source::{Message, Remedy};
use warpspan_model::{Cycles, Instance, words};

words! {
    /// The name of the engine that answered, or whose schedule it is.
    #[derive(Hash)]
    EngineName {
        /// The closed form, or the phase bound and the search that it guides.
        Phase = "phase",
        /// The exhaustive search over states.
        States = "states",
        /// A search by a single beam.
        Beam = "beam",
        /// The binary ILP.
        Ilp = "ilp",
        /// Several engines, which solved the segments between barriers.
        Segments = "segments",
        /// The bound of structured programs.
        Program = "program",
        /// The bound of blocks that follow one another, and schedules of simple rules.
        Relay = "relay",
        /// A simulated policy.
        Simulate = "simulate",
        /// The bounds of machines with latency and issue width.
        Latency = "latency",
    }
}

/// The progress of an engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    /// What is known of the worst case by now.
    Known(Interval),
    /// The branch and bound of the ILP.
    Tree {
        /// The number of nodes done.
        nodes: i64,
        /// The makespan of the best solution found, if there is one.
        found: Option<u64>,
        /// The bound on the makespan within the horizon, once one is known.
        bound: Option<u64>,
    },
    /// The search over states.
    States(states::Progress),
    /// The search over the states of a grid.
    Grid {
        /// The number of states visited.
        states: u64,
    },
    /// The search guided by the phase bound.
    Beam {
        /// The number of states visited.
        states: u64,
        /// The cycle that their schedules have reached.
        cycle: Cycles,
    },
}

/// A function that is called with the progress, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);

/// Where an engine ends, and whom it tells how far it has come.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) limits: &'a Limits,
    pub(super) observer: Option<Observer<'a>>,
}

/// Why an engine does not accept an instance.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum NotApplicable {
    /// The closed form does not hold for it.
    Domain(#[from] Domain),
    /// The ILP accepts no barriers.
    Barriers,
    /// The engine does not accept the barriers of several blocks.
    Blocks,
    /// The engine does not accept blocks that follow one another.
    Grid,
    /// The engine does not accept machines with latency, or not this workload on one.
    Machine,
}

impl NotApplicable {
    /// What the engine does not accept, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::Domain(why) => Message::text(why),
            Self::Barriers => {
                Message::of(Remedy::Engine("ilp")).then(" takes no barriers: want another engine")
            }
            Self::Blocks => Message::text("barriers of several blocks: only ")
                .remedy(Remedy::Engine("auto"))
                .then(" or phase takes them; one block is solved by any but ilp"),
            Self::Grid => Message::text("blocks that follow one another: only ")
                .remedy(Remedy::Engine("auto"))
                .then(", states or phase takes them"),
            Self::Machine => Message::text("a machine with latency and issue width: only ")
                .remedy(Remedy::Engine("auto"))
                .then(" takes it, and states for straight lines that start together"),
        }
    }
}

/// The size of the problem that an engine faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// The engine adapts to the memory and time that it is given.
    Any,
    /// The number of states, where `u64::MAX` stands for more than 64 bits can count.
    States(u64),
    /// An upper estimate of the nonzeros of the model, where `u64::MAX` stands for more than 64 bits can
    /// count.
    Nonzeros(u64),
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any size"),
            Self::States(u64::MAX) => f.write_str("too many states to count"),
            Self::States(states) => write!(f, "{states} states"),
            Self::Nonzeros(u64::MAX) => f.write_str("its model has too many nonzeros to count"),
            Self::Nonzeros(nonzeros) => write!(f, "its model has up to {nonzeros} nonzeros"),
        }
    }
}

/// A forecast of the resources that an engine needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forecast {
    /// The size of the problem.
    pub(super) size: Size,
    /// Whether it may fit into the memory limit.
    pub(super) fits: bool,
    /// The time that it will take, where that can be predicted.
    pub(super) time: Option<Duration>,
}

impl Forecast {
    /// The forecast of an engine that uses the memory and the time it is given.
    pub(super) const ANY: Self = Self { size: Size::Any, fits: true, time: None };
}

/// An engine, which narrows the interval that is known to contain the worst case of an instance.
///
/// Its results are claims. [`Found`] replays its schedules, and refuses bounds that contradict each other.
pub(super) trait Engine: Sync {
    /// The name of the engine.
    fn name(&self) -> EngineName;

    /// Checks that the engine accepts an instance.
    ///
    /// # Errors
    /// The reason why it does not.
    fn applies(&self, instance: &Instance) -> Result<(), NotApplicable>;

    /// Predicts the resources needed to solve an instance that the engine applies to.
    fn predict(&self, instance: &Instance, limits: &Limits) -> Forecast;

    /// Solves an instance that the engine applies to, on top of what is known before any engine runs.
    ///
    /// # Errors
    /// If it fails, or two sources disagree. A limit that is reached is not an error.
    fn solve(&self, instance: &Instance, run: Run<'_>) -> Result<(Found, Ending), SolveError> {
        let mut found = Found::simulated(instance, run.limits)?;
        found.tell(run.observer);
        let ending = self.narrow(instance, &mut found, run)?;
        Ok((found, ending))
    }

    /// Narrows what is known of an instance that the engine applies to, and says how that ended.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    fn narrow(&self, instance: &Instance, found: &mut Found, run: Run<'_>) -> Result<Ending, SolveError>;
}
