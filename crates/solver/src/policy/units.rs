//! The instances of units, and which of them are held.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use warpspan_model::machine::{Letter, LetterId, Machine};

/// Instances of a unit that one scheduler or all of them see.
#[derive(Debug, Clone)]
struct Bank {
    instances: u64,
    /// The cycle that was looked at last.
    cycle: u64,
    /// The number of issues of occupancy 1 in this cycle.
    now: u64,
    /// The first cycle in which each instance is free again that an issue of a larger occupancy holds.
    held: BinaryHeap<Reverse<u64>>,
}

impl Bank {
    /// Whether an instance is free. Cycles may not go back.
    fn is_free(&mut self, cycle: u64) -> bool {
        if self.cycle != cycle {
            (self.cycle, self.now) = (cycle, 0);
            while self.held.peek().is_some_and(|&Reverse(free)| free <= cycle) {
                self.held.pop();
            }
        }
        self.now + (self.held.len() as u64) < self.instances
    }

    /// Holds an instance, one of which is free.
    fn hold(&mut self, cycle: u64, occupancy: u64) {
        if occupancy == 1 {
            self.now += 1;
        } else {
            self.held.push(Reverse(cycle + occupancy));
        }
    }

    /// The first cycle, not before this one, in which an instance is free if no other warp takes it.
    fn free_from(&mut self, cycle: u64) -> u64 {
        if self.is_free(cycle) {
            return cycle;
        }
        let next = self.held.peek().filter(|_| self.now == 0);
        next.map_or(cycle + 1, |&Reverse(free)| free)
    }
}

/// Where a letter issues.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The bank of scheduler 0, or the one of all schedulers.
    bank: usize,
    shared: bool,
    occupancy: u64,
}

/// All instances of a machine.
#[derive(Debug)]
pub(super) struct Units {
    banks: Vec<Bank>,
    letters: Vec<Place>,
    /// A letter of each unit.
    kinds: Vec<LetterId>,
}

impl Units {
    pub(super) fn new(machine: &Machine, schedulers: usize) -> Self {
        let mut banks = Vec::new();
        let mut first = Vec::new();
        for unit in machine.units() {
            first.push(banks.len());
            let bank = Bank { instances: unit.instances, cycle: 0, now: 0, held: BinaryHeap::new() };
            banks.extend(std::iter::repeat_n(bank, if unit.shared { 1 } else { schedulers }));
        }
        let place = |letter: &Letter| Place {
            bank: first[letter.unit],
            shared: machine.units()[letter.unit].shared,
            occupancy: letter.occupancy,
        };
        let kinds = (0..machine.units().len()).filter_map(LetterId::new).collect();
        Self { banks, letters: machine.letters().iter().map(place).collect(), kinds }
    }

    fn bank(&mut self, letter: LetterId, scheduler: usize) -> &mut Bank {
        let Place { bank, shared, .. } = self.letters[letter.index()];
        &mut self.banks[if shared { bank } else { bank + scheduler }]
    }

    /// Whether a scheduler may issue a letter.
    pub(super) fn take(&mut self, letter: LetterId, scheduler: usize, cycle: u64) -> bool {
        let occupancy = self.letters[letter.index()].occupancy;
        let bank = self.bank(letter, scheduler);
        let free = bank.is_free(cycle);
        if free {
            bank.hold(cycle, occupancy);
        }
        free
    }

    /// Whether all instances that a scheduler sees are held.
    pub(super) fn are_full(&mut self, scheduler: usize, cycle: u64) -> bool {
        (0..self.kinds.len()).all(|kind| !self.bank(self.kinds[kind], scheduler).is_free(cycle))
    }

    /// The first cycle, not before this one, in which a scheduler may issue a letter if no other warp takes
    /// the instance.
    pub(super) fn free_from(&mut self, letter: LetterId, scheduler: usize, cycle: u64) -> u64 {
        self.bank(letter, scheduler).free_from(cycle)
    }
}
