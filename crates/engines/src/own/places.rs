//! The numbers of the times that code changes and reads: a place in a vector for each.

use std::collections::BTreeMap;

use crate::own::{MOST_TOKENS, OwnError};
use warpspan_model::machine::{Letter, Machine, Step};
use warpspan_model::program::Piece;

/// The first cycle in which the warp may issue if it waits for nothing.
pub(super) const NOW: usize = 0;
/// The last cycle in which it has issued.
pub(super) const LAST: usize = 1;
/// The first cycle after all results and all holds of units.
pub(super) const OVER: usize = 2;

/// The places of a code: those above, and the first cycle in which each unit and each token is free.
///
/// A token has a place only if the code sets it. A unit has one only if some instruction holds it beyond its
/// own step, since otherwise the next instruction finds it free.
#[derive(Debug)]
pub(super) struct Places {
    units: Vec<Option<usize>>,
    tokens: BTreeMap<u16, usize>,
    length: usize,
}

impl Places {
    pub(super) fn new(code: &Piece<Step>, machine: &Machine) -> Result<Self, OwnError> {
        let mut units = vec![None; machine.units().len()];
        let mut tokens = BTreeMap::new();
        let mut length = OVER + 1;
        let mut next = || {
            length += 1;
            length - 1
        };
        for step in code.letters() {
            let letter = machine.letter(step.letter);
            if letter.occupancy > step_of(step, letter) {
                units[letter.unit].get_or_insert_with(&mut next);
            }
            for &token in step.waits.iter().flat_map(|waits| waits.needs.iter().chain(&waits.sets)) {
                tokens.entry(token).or_insert_with(&mut next);
            }
        }
        if tokens.len() > MOST_TOKENS {
            return Err(OwnError::Tokens(tokens.len()));
        }
        Ok(Self { units, tokens, length })
    }

    /// The number of places.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The place of a unit.
    pub(super) fn unit(&self, unit: usize) -> Option<usize> {
        self.units[unit]
    }

    /// The places of tokens, as far as they have any.
    pub(super) fn tokens<'t>(&'t self, tokens: &'t [u16]) -> impl Iterator<Item = usize> + 't {
        tokens.iter().filter_map(|token| self.tokens.get(token).copied())
    }

    /// The places of all tokens and units.
    pub(super) fn of_resources(&self) -> std::ops::Range<usize> {
        OVER + 1..self.length
    }
}

/// The number of cycles after the issue of a step from which on the next instruction may issue, 1 or more.
pub(super) fn step_of(step: &Step, letter: &Letter) -> u64 {
    step.waits.as_ref().map_or(letter.latency.most, |waits| u64::from(waits.stall.max(1)))
}
