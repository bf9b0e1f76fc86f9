//! The search through all states that can be reached, depth first, with an explicit stack.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::positions::Report;
use crate::positions::key::Key;
use crate::positions::layout::Layout;
use crate::positions::moves::Moves;
use warpspan_model::limits::{Limits, Stop};

/// The cycles left of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) worst: u32,
    pub(super) best: u32,
}

/// A state whose successors are being searched.
struct Open<K> {
    key: K,
    /// The index of its first successor.
    first: usize,
    /// The index of the successor that is next.
    next: usize,
    left: Left,
}

/// Between two looks at the limits, so many states are done.
const STATES_A_LOOK: usize = 1 << 12;

pub(super) struct Search<'a, K> {
    layout: &'a Layout,
    limits: &'a Limits,
    pub(super) moves: Moves<'a>,
    known: HashMap<K, Left, FxBuildHasher>,
    /// The bytes of the keys outside of the table.
    outside: u64,
    state: Vec<u32>,
    after: Vec<u32>,
}

impl<'a, K: Key> Search<'a, K> {
    pub(super) fn new(layout: &'a Layout, limits: &'a Limits) -> Self {
        let moves = Moves::new(layout, limits);
        let known = HashMap::default();
        Self { layout, limits, moves, known, outside: 0, state: layout.start(), after: Vec::new() }
    }

    /// The number of states done in which a warp can issue.
    pub(super) fn states(&self) -> u64 {
        (self.known.len() as u64).saturating_sub(1)
    }

    /// The cycles left of a state that the run has done, which need not be sorted.
    pub(super) fn left(&mut self, state: &[u32]) -> Option<Left> {
        let key = self.key(state);
        self.known.get(&key).copied()
    }

    /// Finds the cycles left of the start and of every state after it.
    pub(super) fn run(&mut self, report: Report<'_>) -> Result<(), Stop> {
        let end = self.key(&self.layout.end());
        self.enter(end, Left { worst: 0, best: 0 })?;
        let start = self.key(&self.layout.start());
        let (mut open, mut successors) = (Vec::new(), Vec::new());
        if !self.known.contains_key(&start) {
            open.push(self.open(start, &mut successors)?);
        }
        let mut looked = 0;
        while let Some(top) = open.last_mut() {
            if let Some((key, cycles)) = successors.get(top.next) {
                match self.known.get(key) {
                    Some(&left) => top.merge(left, *cycles),
                    None => {
                        let key = key.clone();
                        open.push(self.open(key, &mut successors)?);
                    }
                }
                continue;
            }
            let Some(Open { key, first, left, .. }) = open.pop() else { break };
            successors.truncate(first);
            if let Some(before) = open.last_mut() {
                before.merge(left, successors[before.next].1);
            }
            self.enter(key, left)?;
            if self.known.len() >= looked + STATES_A_LOOK {
                looked = self.known.len();
                report(self.states());
                self.limits.go_on()?;
            }
        }
        Ok(())
    }

    /// Begins with a state: finds its successors, each with the number of cycles until then.
    fn open(&mut self, key: K, successors: &mut Vec<(K, u32)>) -> Result<Open<K>, Stop> {
        let first = successors.len();
        let most = self.limits.memory.saturating_sub(self.bytes());
        let (layout, Self { moves, state, after, .. }) = (self.layout, self);
        key.unpack(&layout.bits, state);
        after.clear();
        moves.each(state, &mut |next, _| {
            after.extend_from_slice(next);
            // each is held as it is and as a key
            let bytes = 2 * size_of_val(&after[..]) + size_of_val(&successors[..]);
            if bytes as u64 > most { Err(Stop::MemoryLimit) } else { Ok(()) }
        })?;
        for next in after.chunks_mut(state.len()) {
            let cycles = 1 + moves.wait(next);
            layout.sort(next);
            successors.push((K::pack(next, &layout.bits), cycles));
        }
        // equal ones come of schedulers that are alike
        successors[first..].sort_unstable();
        let mut kept = first;
        for at in first..successors.len() {
            if kept == first || successors[kept - 1] != successors[at] {
                successors.swap(kept, at);
                kept += 1;
            }
        }
        successors.truncate(kept);
        Ok(Open { key, first, next: first, left: Left { worst: 0, best: u32::MAX } })
    }

    /// Keeps the cycles left of a state.
    fn enter(&mut self, key: K, left: Left) -> Result<(), Stop> {
        self.outside += key.bytes();
        // when the table is full it doubles, and for a while there are both
        let times = if self.known.len() == self.known.capacity() { 3 } else { 1 };
        if self.bytes().saturating_mul(times) > self.limits.memory {
            return Err(Stop::MemoryLimit);
        }
        self.known.insert(key, left);
        Ok(())
    }

    /// The memory of the table.
    fn bytes(&self) -> u64 {
        let entry = size_of::<(K, Left)>() as u64 + 1;
        ((self.known.capacity() as u64).saturating_mul(entry) / 7 * 8).saturating_add(self.outside)
    }

    /// The short form of a state.
    fn key(&mut self, state: &[u32]) -> K {
        self.state.copy_from_slice(state);
        self.layout.sort(&mut self.state);
        K::pack(&self.state, &self.layout.bits)
    }
}

impl<K> Open<K> {
    /// Takes note of the cycles left of the successor that is next.
    fn merge(&mut self, after: Left, cycles: u32) {
        self.left.worst = self.left.worst.max(cycles + after.worst);
        self.left.best = self.left.best.min(cycles + after.best);
        self.next += 1;
    }
}
