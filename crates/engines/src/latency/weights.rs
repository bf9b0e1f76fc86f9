//! The weight of an issue of another warp in the critical path of a warp, as `docs/machines.md` proves.
//!
//! | other warp | its unit is one of the followed warp's | it is not |
//! |---|---|---|
//! | on the same scheduler | (n-1)/m + max(1/m, 1/d) | 1/d |
//! | on another one, unit shared | n/m | 0 |
//! | on another one, unit private | 0 | 0 |
//!
//! All weights are whole multiples of one part of a cycle, so nothing is rounded.

use std::collections::BTreeSet;

use crate::latency::LatencyError;
use crate::latency::context::{Context, common};
use crate::latency::error::{plus, times};
use warpspan_model::machine::{LetterId, Machine};

/// The weights of the letters of a machine.
pub(super) struct Weights<'a> {
    pub(super) machine: &'a Machine,
    width: Option<u64>,
    /// The number of parts of a cycle in which weights are counted.
    pub(super) parts: i128,
}

impl<'a> Weights<'a> {
    pub(super) fn new(context: &Context<'a>) -> Result<Self, LatencyError> {
        let machine = context.machine();
        let units: BTreeSet<usize> = context.units.iter().flatten().copied().collect();
        let instances = units.into_iter().map(|unit| machine.units()[unit].instances);
        let parts = common(instances.chain(context.width))?;
        Ok(Self { machine, width: context.width, parts })
    }

    /// The weight of a letter of a warp on the same scheduler, for a warp with these units.
    pub(super) fn same(&self, letter: LetterId, units: &BTreeSet<usize>) -> Result<i128, LatencyError> {
        let [unit, slot] = self.split(letter, units)?;
        plus(unit, slot)
    }

    /// The parts of that weight: what the unit keeps the followed warp from, and what the issue slot does.
    pub(super) fn split(&self, letter: LetterId, units: &BTreeSet<usize>) -> Result<[i128; 2], LatencyError> {
        let slot = self.slot();
        let letter = self.machine.letter(letter);
        if !units.contains(&letter.unit) {
            return Ok([0, slot]);
        }
        let one = self.parts / i128::from(self.machine.units()[letter.unit].instances);
        let later = times(one, letter.occupancy - 1)?;
        // In the cycle of the issue, the larger of both counts.
        if one >= slot { Ok([plus(later, one)?, 0]) } else { Ok([later, slot]) }
    }

    /// What an issue takes of the slots of its scheduler in a cycle.
    pub(super) fn slot(&self) -> i128 {
        self.width.map_or(0, |width| self.parts / i128::from(width))
    }

    /// The weight of a letter of a warp on another scheduler, for a warp with these units.
    pub(super) fn other(&self, letter: LetterId, units: &BTreeSet<usize>) -> Result<i128, LatencyError> {
        let letter = self.machine.letter(letter);
        let unit = &self.machine.units()[letter.unit];
        if !unit.shared || !units.contains(&letter.unit) {
            return Ok(0);
        }
        times(self.parts / i128::from(unit.instances), letter.occupancy)
    }
}
