//! The state between two cycles in which something happens.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::schedule::agenda::Agenda;
use crate::schedule::launch::Rules;
use crate::schedule::replay::blocks::Blocks;
use crate::schedule::{Start, Violation, WarpName};
use warpspan_model::Cycles;
use warpspan_model::machine::Letter;

/// A warp that is not ready before something else happens: its block starts, a barrier opens.
pub(super) const NEVER: u64 = u64::MAX;

pub(super) struct Warp {
    pub(super) group: u32,
    /// The index of the next instruction.
    pub(super) next: u32,
    /// The cycle from which on the next instruction is ready, or `NEVER`.
    pub(super) ready: u64,
    /// The cycle of the last issue, 0 before the first.
    pub(super) issued: u64,
    /// The first cycle after all of its results so far.
    pub(super) results: u64,
}

/// The events of a cycle.
pub(super) enum Event {
    /// The next instruction of a warp is ready.
    Ready(usize),
    /// An instance of a unit is free again.
    Free(Instances),
    /// A slot of a multiprocessor is empty.
    Empty(u64, u64),
}

/// A scheduler of a multiprocessor.
pub(super) type Scheduler = (u64, u64);

/// The instances of a unit that a scheduler sees: those of its multiprocessor if the unit is shared, else its own.
pub(super) type Instances = (usize, u64, Option<u64>);

/// The warps of a block that have reached its next barrier, and the end of their latencies.
#[derive(Default)]
pub(super) struct Barrier {
    pub(super) come: u64,
    pub(super) opens: u64,
}

/// Lowers a count by one, and removes it at zero.
pub(super) fn one_less<K: Ord>(counts: &mut BTreeMap<K, u64>, of: K) {
    if let Entry::Occupied(mut count) = counts.entry(of) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

pub(super) struct Replay<'a> {
    pub(super) rules: &'a Rules<'a>,
    /// The warps of all groups in their order.
    pub(super) warps: Vec<Warp>,
    /// By group, the place of its first warp in `warps`.
    pub(super) first: Vec<usize>,
    /// By group, the number of warps of the groups before it, those without letters included: by this number warps are
    /// pinned to schedulers.
    pub(super) before: Vec<u64>,
    pub(super) agenda: Agenda<Event>,
    /// By scheduler and unit, the number of warps that are ready for it, if there are any.
    pub(super) ready: BTreeMap<(Scheduler, usize), u64>,
    /// The number of instances that are held.
    pub(super) held: BTreeMap<Instances, u64>,
    /// By scheduler, the instructions issued in this cycle.
    pub(super) used: BTreeMap<Scheduler, u64>,
    /// By warp and token, the first cycle in which the token is free, for those that were set.
    pub(super) tokens: BTreeMap<(usize, u16), u64>,
    /// By group and block.
    pub(super) barriers: BTreeMap<(usize, u64), Barrier>,
    pub(super) blocks: Option<Blocks>,
    pub(super) last_issues: Vec<Cycles>,
    pub(super) completions: Vec<Cycles>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(rules: &'a Rules<'a>) -> Self {
        let (mut warps, mut first, mut events) = (Vec::new(), Vec::new(), Vec::new());
        let (mut before, mut all) = (Vec::new(), 0_u64);
        for (group, of) in (0..).zip(&rules.groups) {
            first.push(warps.len());
            before.push(all);
            all = all.saturating_add(of.warps);
            let ready = if rules.slots.is_none() && !of.letters.is_empty() { 1 } else { NEVER };
            let number = if of.letters.is_empty() { 0 } else { of.warps };
            for _ in 0..number {
                if ready == 1 {
                    events.push(Event::Ready(warps.len()));
                }
                warps.push(Warp { group, next: 0, ready, issued: 0, results: 0 });
            }
        }
        let groups = rules.groups.len();
        Self {
            rules,
            warps,
            first,
            before,
            agenda: Agenda::new(events),
            ready: BTreeMap::new(),
            held: BTreeMap::new(),
            used: BTreeMap::new(),
            tokens: BTreeMap::new(),
            barriers: BTreeMap::new(),
            blocks: rules.slots.map(Blocks::new),
            last_issues: vec![Cycles(0); groups],
            completions: vec![Cycles(0); groups],
        }
    }

    /// Goes on to a cycle.
    pub(super) fn advance(&mut self, cycle: u64) {
        self.used.clear();
        for event in self.agenda.advance(cycle) {
            match event {
                Event::Ready(at) => self.count(at),
                Event::Free(instances) => one_less(&mut self.held, instances),
                Event::Empty(multiprocessor, slot) => {
                    if let Some(blocks) = &mut self.blocks {
                        blocks.leave(multiprocessor, slot);
                    }
                }
            }
        }
    }

    /// Starts the blocks of a cycle, whose warps are ready in it.
    pub(super) fn start(&mut self, cycle: u64, starts: &[Start]) -> Result<(), Violation> {
        let Some(blocks) = &mut self.blocks else { return Ok(()) };
        for start in starts {
            blocks.start(start)?;
        }
        blocks.find_empty(cycle)?;
        for start in starts {
            let of = &self.rules.groups[0];
            let first = start.block * of.warps_per_block;
            for at in first..first + of.members(start.block) {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                self.warps[at].ready = cycle;
                self.count(at);
            }
        }
        Ok(())
    }

    /// Counts a warp whose next instruction is ready from now on.
    pub(super) fn count(&mut self, at: usize) {
        if let Some(letter) = self.letter(at) {
            *self.ready.entry((self.scheduler(at), letter.unit)).or_default() += 1;
        }
    }

    /// The next letter of a warp.
    pub(super) fn letter(&self, at: usize) -> Option<&'a Letter> {
        let warp = &self.warps[at];
        let letter = self.rules.groups[warp.group as usize].letters.get(warp.next as usize)?;
        Some(self.rules.machine.letter(*letter))
    }

    /// The number of a warp in its group, from 0.
    fn number(&self, at: usize) -> u64 {
        (at - self.first[self.warps[at].group as usize]) as u64
    }

    /// The block of a warp within its group, from 0.
    pub(super) fn block(&self, at: usize) -> u64 {
        self.number(at) / self.rules.groups[self.warps[at].group as usize].warps_per_block
    }

    pub(super) fn scheduler(&self, at: usize) -> Scheduler {
        let multiprocessor = self.blocks.as_ref().map_or(0, |blocks| blocks.multiprocessor(self.block(at)));
        let number = self.before[self.warps[at].group as usize] + self.number(at);
        (multiprocessor, number % self.rules.machine.schedulers())
    }

    pub(super) fn instances(&self, letter: &Letter, (multiprocessor, scheduler): Scheduler) -> Instances {
        let shared = self.rules.machine.units()[letter.unit].shared;
        (letter.unit, multiprocessor, (!shared).then_some(scheduler))
    }

    pub(super) fn name(&self, at: usize) -> WarpName {
        let (number, group) = (self.number(at), self.warps[at].group);
        if self.blocks.is_some() {
            let warps_per_block = self.rules.groups[group as usize].warps_per_block;
            WarpName { warp: number % warps_per_block + 1, of: "block", number: number / warps_per_block + 1 }
        } else {
            WarpName { warp: number + 1, of: "group", number: u64::from(group) + 1 }
        }
    }
}
