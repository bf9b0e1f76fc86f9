//! What a piece of code reads and changes.

use std::collections::BTreeSet;

use crate::own::places::{NOW, OVER, Places};
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;

/// The places that a piece reads and those that it raises, but for the times of the warp as a whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    /// Tokens that it needs and units that it uses.
    pub(super) reads: BTreeSet<usize>,
    /// Tokens that it sets and units that it uses.
    pub(super) raises: BTreeSet<usize>,
}

impl Scope {
    pub(super) fn of(piece: &Piece<Step>, machine: &Machine, places: &Places) -> Self {
        let mut scope = Self::default();
        for step in piece.letters() {
            let unit = places.unit(machine.letter(step.letter).unit);
            scope.reads.extend(unit);
            scope.raises.extend(unit);
            if let Some(waits) = &step.waits {
                scope.reads.extend(waits.needs.iter().filter_map(|&token| places.token(token)));
                scope.raises.extend(waits.sets.iter().filter_map(|&token| places.token(token)));
            }
        }
        scope
    }

    /// Everything that either of the two reads and raises.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self { reads: &self.reads | &other.reads, raises: &self.raises | &other.raises }
    }

    /// The places from which the result of a piece may be reached.
    pub(super) fn inputs(&self, piece: &Piece<Step>) -> Vec<usize> {
        let over = piece.has_barrier().then_some(OVER);
        [NOW].into_iter().chain(over).chain(self.reads.iter().copied()).collect()
    }
}
