//! The trait that every engine implements, and what it says of itself.

use std::fmt;
use std::time::Duration;

use crate::portfolio::engine_name::EngineName;
use crate::portfolio::error::NotApplicable;
use crate::portfolio::progress::Observer;
use crate::portfolio::{Found, SolveError};
use warpspan_model::Instance;
use warpspan_model::limits::{Ending, Limits};

/// Where an engine ends, and whom it tells how far it has come.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) limits: &'a Limits,
    pub(super) observer: Option<Observer<'a>>,
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
