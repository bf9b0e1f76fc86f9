//! What a piece of code reads and changes.

use std::collections::BTreeSet;

use crate::own::places::{NOW, OVER, Places};
use warpspan_model::machine::{Machine, Step};

/// The places that a piece reads and those that it raises, but for the times of the warp as a whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    /// Tokens that it needs and units that it uses.
    pub(super) reads: BTreeSet<usize>,
    /// Tokens that it sets and units that it uses.
    pub(super) raises: BTreeSet<usize>,
    /// Whether it has a barrier.
    pub(super) barrier: bool,
}

impl Scope {
    /// That of a step.
    pub(super) fn of_step(step: &Step, machine: &Machine, places: &Places) -> Self {
        let mut scope = Self::default();
        let unit = places.unit(machine.letter(step.letter).unit);
        scope.reads.extend(unit);
        scope.raises.extend(unit);
        if let Some(waits) = &step.waits {
            scope.reads.extend(places.tokens(&waits.needs));
            scope.raises.extend(places.tokens(&waits.sets));
        }
        scope
    }

    /// Adds everything that another one reads and raises.
    pub(super) fn add(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.raises.extend(&other.raises);
        self.barrier |= other.barrier;
    }

    /// The places from which the result of a piece may be reached.
    pub(super) fn inputs(&self) -> Vec<usize> {
        let over = self.barrier.then_some(OVER);
        [NOW].into_iter().chain(over).chain(self.reads.iter().copied()).collect()
    }
}
