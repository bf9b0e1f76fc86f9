//! What every engine can say and do.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::engines::phase::Domain;
use crate::engines::portfolio::{Found, SolveError};
use crate::engines::states;
use crate::limits::{Ending, Limits};
use crate::model::{Cycles, Instance};
use crate::source::{Message, Remedy};

/// The name of what answered, or of whose schedule it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EngineName {
    /// The closed form, or the phase bound and the search that it guides.
    Phase,
    /// The exhaustive search over states.
    States,
    /// One beam.
    Beam,
    /// The binary ILP.
    Ilp,
    /// The segments between barriers, which several engines solved.
    Segments,
    /// The bound of structured programs.
    Program,
    /// A simulated policy.
    Simulate,
}

impl EngineName {
    /// Its name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Phase => "phase",
            Self::States => "states",
            Self::Beam => "beam",
            Self::Ilp => "ilp",
            Self::Segments => "segments",
            Self::Program => "program",
            Self::Simulate => "simulate",
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for EngineName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

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

/// Why an engine does not take an instance.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum NotApplicable {
    /// The closed form does not hold for it.
    Domain(#[from] Domain),
    /// The ILP takes no barriers.
    Barriers,
    /// The engine does not take the barriers of several blocks.
    Blocks,
}

impl NotApplicable {
    /// What the engine does not take, and what would do.
    pub fn message(&self) -> Message {
        match self {
            Self::Domain(why) => Message::text(why),
            Self::Barriers => {
                Message::of(Remedy::Engine("ilp")).then(" takes no barriers: want another engine")
            }
            Self::Blocks => Message::text("barriers of several blocks: only ")
                .remedy(Remedy::Engine("auto"))
                .then(" or phase takes them; one block is solved by any but ilp"),
        }
    }
}

/// What an engine will have to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Nothing that could be too much: it uses what it is given.
    Any,
    /// So many states, `u64::MAX` standing for more than 64 bits count.
    States(u64),
    /// A model of up to so many nonzeros, `u64::MAX` standing for more than 64 bits count.
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

/// What an engine will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forecast {
    /// What it will have to look at.
    pub(super) size: Size,
    /// Whether it may fit into the memory limit.
    pub(super) fits: bool,
    /// How long it will take, where that can be told.
    pub(super) time: Option<Duration>,
}

impl Forecast {
    /// The forecast of an engine that uses the memory and the time it is given.
    pub(super) const ANY: Self = Self { size: Size::Any, fits: true, time: None };
}

/// An engine: it narrows what is known of the worst case of an instance.
///
/// What it finds is a claim. [`Found`] replays its schedules, and refuses bounds that cross.
pub(super) trait Engine: Sync {
    /// Its name.
    fn name(&self) -> EngineName;

    /// Whether it takes an instance.
    ///
    /// # Errors
    /// Why not.
    fn applies(&self, instance: &Instance) -> Result<(), NotApplicable>;

    /// What it will take to solve an instance that it applies to.
    fn predict(&self, instance: &Instance, limits: &Limits) -> Forecast;

    /// Solves an instance that it applies to, on top of what is known before any engine runs.
    ///
    /// # Errors
    /// If it fails, or two sources disagree. A limit that is reached is not an error.
    fn solve(
        &self,
        instance: &Instance,
        limits: &Limits,
        observer: Option<Observer<'_>>,
    ) -> Result<(Found, Ending), SolveError> {
        let mut found = Found::simulated(instance, limits)?;
        let ending = self.narrow(instance, &mut found, limits, observer)?;
        Ok((found, ending))
    }

    /// Narrows what is known of an instance that it applies to, and says how that ended.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    fn narrow(
        &self,
        instance: &Instance,
        found: &mut Found,
        limits: &Limits,
        observer: Option<Observer<'_>>,
    ) -> Result<Ending, SolveError>;
}
