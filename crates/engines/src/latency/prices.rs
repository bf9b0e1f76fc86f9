//! The price lists of the phase bound with width and latency: the price of a letter that a warp's labelling takes, and
//! of one that it leaves.

use std::collections::BTreeSet;

use crate::latency::LatencyError;
use crate::latency::context::{Context, common};
use crate::latency::matrix::Matrix;
use crate::latency::most::along;
use crate::own::OwnError;
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::{Divergence, Piece};

/// The most units of which every set is tried. Of more units, only those sets that hold the units with the
/// fewest instances.
const MOST_UNITS: usize = 12;

/// A price list.
#[derive(Debug, Clone)]
pub(super) struct Prices<'a> {
    machine: &'a Machine,
    /// The number of parts of a cycle in which prices are counted.
    pub(super) parts: i128,
    /// The price of each unit of the workload, by the number of the unit.
    units: Vec<Option<Price>>,
    /// p, the price of a letter that is not taken.
    left: i128,
    /// The number of states of a labelling.
    size: usize,
}

/// The price of the letters of a unit.
#[derive(Debug, Clone, Copy)]
struct Price {
    /// omega, the price of a letter that is taken.
    taken: i128,
    /// Whether the unit is neutral: its letters are always taken, next to any letter.
    neutral: bool,
    /// The state of a labelling after a letter of the unit was taken.
    state: usize,
}

impl<'a> Prices<'a> {
    /// The uniform list: omega is max(1/m, 1/d), p is 1/d, and no unit is neutral.
    pub(super) fn uniform(context: &Context<'a>) -> Result<Self, LatencyError> {
        let units = present(context);
        let of = |unit: &usize| context.machine().units()[*unit].instances;
        let parts = common(units.iter().map(of).chain(context.width))?;
        let left = context.width.map_or(0, |width| parts / i128::from(width));
        let price = |unit: &usize| ((parts / i128::from(of(unit))).max(left), false);
        Ok(Self::new(context, parts, left, &units, price))
    }

    /// The neutral lists: all sets R of units whose instances a scheduler can fill in one cycle. Each other
    /// unit is neutral, and r slots used for neutral units are worth one cycle.
    pub(super) fn neutral(context: &Context<'a>) -> Result<Vec<Self>, LatencyError> {
        let units = present(context);
        let of = |unit: &usize| context.machine().units()[*unit].instances;
        let mut all = Vec::new();
        for chosen in sets(&units) {
            let full: u128 = chosen.iter().map(|unit| u128::from(of(unit))).sum();
            // If the width never limits, every unit may be in R.
            let slots = match context.width {
                Some(width) if full > width.into() => continue,
                Some(width) if chosen.is_empty() => Some(width),
                Some(width) => Some(u64::try_from(u128::from(width) + 1 - full).unwrap_or(width)),
                None if chosen.len() < units.len() => continue,
                None => None,
            };
            let parts = common(units.iter().map(of).chain(slots))?;
            let slot = slots.map_or(0, |slots| parts / i128::from(slots));
            let price = |unit: &usize| match parts / i128::from(of(unit)) {
                one if chosen.contains(unit) => (one, false),
                one => (one.max(slot), true),
            };
            all.push(Self::new(context, parts, 0, &units, price));
        }
        Ok(all)
    }

    fn new(
        context: &Context<'a>,
        parts: i128,
        left: i128,
        present: &[usize],
        price: impl Fn(&usize) -> (i128, bool),
    ) -> Self {
        let machine = context.machine();
        let mut units = vec![None; machine.units().len()];
        for (state, unit) in (1..).zip(present) {
            let (taken, neutral) = price(unit);
            units[*unit] = Some(Price { taken, neutral, state });
        }
        Self { machine, parts, units, left, size: present.len() + 1 }
    }

    /// best: the most that a labelling of a path of this code is worth, in parts of a cycle. A labelling takes
    /// letters or leaves them; it takes all neutral ones, and of two unequal neighbours that are not neutral
    /// it does not take both.
    pub(super) fn best(&self, code: &Piece<Step>) -> Result<i128, LatencyError> {
        Ok(self.piece(code)?.most())
    }

    /// From the state after what is before the letter to that after it. State 0 is after a letter that was
    /// left or is neutral, and each unit has a state for after one of its letters was taken.
    fn letter(&self, step: &Step) -> Matrix {
        let Some(price) = self.units[self.machine.letter(step.letter).unit] else {
            return Matrix::identity(self.size);
        };
        if price.neutral {
            return self.any_order(price.taken);
        }
        let mut matrix = self.any_order(self.left);
        matrix.set(0, price.state, price.taken);
        matrix.set(price.state, price.state, price.taken);
        matrix
    }

    fn piece(&self, code: &Piece<Step>) -> Result<Matrix, LatencyError> {
        match code {
            Piece::Letters { letter, count, .. } => self.letter(letter).power(*count),
            // Only code without barriers comes here. A barrier would be a free change of label.
            Piece::Barrier { .. } => Ok(self.any_order(0)),
            Piece::Sequence(pieces) => {
                let mut all = Matrix::identity(self.size);
                for piece in pieces.iter() {
                    all = all.then(&self.piece(piece)?)?;
                }
                Ok(all)
            }
            Piece::Branch { arms, .. } if arms.is_empty() => Ok(Matrix::identity(self.size)),
            Piece::Branch { arms, divergence: Divergence::Uniform, .. } => {
                arms.iter().try_fold(Matrix::nowhere(self.size), |all, arm| Ok(all.or(&self.piece(arm)?)))
            }
            // The arms may follow one another in any order, or alternate: as if every letter were taken.
            Piece::Branch { .. } => Ok(self.any_order(along(code, &|step| self.most_worth(step))?)),
            &Piece::Loop { ref body, least, most, line } => {
                let rounds = most.checked_sub(least).ok_or(OwnError::Rounds { line, least, most })?;
                let body = self.piece(body)?;
                let more = body.or(&Matrix::identity(self.size)).power(rounds)?;
                body.power(least)?.then(&more)
            }
        }
    }

    /// Letters that are worth this much together, after which any letter may be taken.
    fn any_order(&self, worth: i128) -> Matrix {
        let mut matrix = Matrix::nowhere(self.size);
        (0..self.size).for_each(|before| matrix.set(before, 0, worth));
        matrix
    }

    /// The most that a letter is worth, whether it is taken or not.
    fn most_worth(&self, step: &Step) -> i128 {
        self.units[self.machine.letter(step.letter).unit].map_or(0, |price| price.taken.max(self.left))
    }
}

/// The units of all letters of the workload, those with the fewest instances first.
pub(super) fn present(context: &Context<'_>) -> Vec<usize> {
    let units: BTreeSet<usize> = context.units.iter().flatten().copied().collect();
    let mut units: Vec<usize> = units.into_iter().collect();
    units.sort_by_key(|&unit| context.machine().units()[unit].instances);
    units
}

/// The sets of units that are tried.
fn sets(units: &[usize]) -> Vec<BTreeSet<usize>> {
    if units.len() > MOST_UNITS {
        return (0..=units.len()).map(|number| units[..number].iter().copied().collect()).collect();
    }
    let set = |bits: u32| (0..).zip(units).filter(move |(at, _)| bits >> at & 1 == 1).map(|(_, &unit)| unit);
    (0..1_u32 << units.len()).map(|bits| set(bits).collect()).collect()
}
