//! A problem that an engine is given.

use crate::portfolio::engine::Run;
use crate::portfolio::{EngineChoice, Observer, Solution, SolveError};
use warpspan_model::Instance;
use warpspan_model::limits::Limits;

/// A problem to solve, with limits whose time has begun.
pub(super) struct Task<'a> {
    pub(super) choice: &'a EngineChoice,
    pub(super) limits: Limits,
    pub(super) checked: bool,
    pub(super) observer: Option<Observer<'a>>,
}

impl<'a> Task<'a> {
    /// A problem that is part of another: nobody is told of its progress, and no second engine checks it.
    pub(super) fn quiet(choice: &'a EngineChoice, limits: &Limits) -> Self {
        Self { choice, limits: limits.clone(), checked: false, observer: None }
    }

    pub(super) fn answer(&self, instance: &Instance) -> Result<Solution, SolveError> {
        self.choice.answer(instance, Run { limits: &self.limits, observer: self.observer })
    }

    /// Whether a second engine is to check the answer.
    pub(super) fn is_checked(&self) -> bool {
        self.checked && *self.choice == EngineChoice::Auto
    }
}
