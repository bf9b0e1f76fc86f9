//! Blocks that follow one another in the slots of multiprocessors.

use std::collections::BTreeMap;

use crate::schedule::launch::Slots;
use crate::schedule::{Start, Violation};

/// A block that has started.
#[derive(Clone, Copy)]
struct Placed {
    multiprocessor: u64,
    slot: u64,
    /// The number of its issues so far.
    issues: u64,
    /// The first cycle after all of its results so far.
    ends: u64,
}

pub(super) struct Blocks {
    slots: Slots,
    placed: BTreeMap<u64, Placed>,
    /// By multiprocessor and slot, the block that is there.
    present: BTreeMap<(u64, u64), u64>,
}

impl Blocks {
    pub(super) fn new(slots: Slots) -> Self {
        Self { slots, placed: BTreeMap::new(), present: BTreeMap::new() }
    }

    pub(super) fn has_started(&self, block: u64) -> bool {
        self.placed.contains_key(&block)
    }

    /// The multiprocessor of a block that has started.
    pub(super) fn multiprocessor(&self, block: u64) -> u64 {
        self.placed.get(&block).map_or(0, |placed| placed.multiprocessor)
    }

    /// Notes an issue of a block with `all` instructions, whose result is there for cycle `ready`. If that was the last one,
    /// returns the cycle from which on the slot of the block is empty, the multiprocessor, and the slot: a block ends when
    /// its last result is there.
    pub(super) fn issued(&mut self, block: u64, all: u64, ready: u64) -> Option<(u64, u64, u64)> {
        let placed = self.placed.get_mut(&block)?;
        (placed.issues, placed.ends) = (placed.issues + 1, placed.ends.max(ready));
        (placed.issues == all).then_some((placed.ends, placed.multiprocessor, placed.slot))
    }

    /// Empties a slot.
    pub(super) fn leave(&mut self, multiprocessor: u64, slot: u64) {
        self.present.remove(&(multiprocessor, slot));
    }

    /// Puts a block into its slot.
    pub(super) fn start(&mut self, start: &Start) -> Result<(), Violation> {
        let &Start { cycle, multiprocessor, slot, block } = start;
        let named = [
            ("block", block, self.slots.blocks),
            ("multiprocessor", multiprocessor, self.slots.multiprocessors),
            ("slot", slot, self.slots.resident),
        ];
        if let Some((what, index, most)) = named.into_iter().find(|(_, index, most)| index >= most) {
            return Err(Violation::NoSuch {
                cycle,
                what,
                of: "launch",
                found: index.saturating_add(1),
                most,
            });
        }
        if self.has_started(block) {
            return Err(Violation::StartsTwice { cycle, block: block + 1 });
        }
        if let Some(holds) = self.present.insert((multiprocessor, slot), block) {
            let (block, holds) = (block + 1, holds + 1);
            let (slot, multiprocessor) = (slot + 1, multiprocessor + 1);
            return Err(Violation::Occupied { cycle, block, slot, multiprocessor, holds });
        }
        self.placed.insert(block, Placed { multiprocessor, slot, issues: 0, ends: 0 });
        Ok(())
    }

    /// Looks for a slot that is empty while a block waits.
    pub(super) fn find_empty(&self, cycle: u64) -> Result<(), Violation> {
        let waiting = self.slots.blocks - self.placed.len() as u64;
        let all = u128::from(self.slots.resident) * u128::from(self.slots.multiprocessors);
        let empty = all - self.present.len() as u128;
        if waiting > 0 && empty > 0 { Err(Violation::EmptySlot { cycle, empty, waiting }) } else { Ok(()) }
    }
}
