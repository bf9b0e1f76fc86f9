//! The search, depth first and without recursion, since a schedule may be long.

use rustc_hash::FxHashMap;

use crate::grid::choices::{each_round, share, successors};
use crate::grid::state::{Key, Rules};
use warpspan_model::limits::{Limits, Stop};

/// The fewest and the most cycles left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) best: u64,
    pub(super) worst: u64,
}

/// A state whose successors are being searched. Each successor is the keys of one state after the cycle: the cycles
/// left are the most of any of them, and none are left if there is no key.
struct Frame {
    key: Key,
    after: Vec<Vec<Key>>,
    /// The successor that is examined next.
    at: usize,
}

pub(super) struct Search<'a> {
    rules: &'a Rules<'a>,
    limits: &'a Limits,
    report: &'a dyn Fn(u64),
    known: FxHashMap<Key, Known>,
    /// The bytes of all keys, and of the successors of frames.
    bytes: u64,
    steps: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(rules: &'a Rules<'a>, limits: &'a Limits, report: &'a dyn Fn(u64)) -> Self {
        Self { rules, limits, report, known: FxHashMap::default(), bytes: 0, steps: 0 }
    }

    /// The number of states left.
    pub(super) fn states(&self) -> u64 {
        self.known.len() as u64
    }

    /// The extremes of the whole grid, over all ways to fill the slots at the start.
    pub(super) fn start(&mut self) -> Result<Known, Stop> {
        let ways = self.ways_to_start()?;
        for keys in &ways {
            for key in keys {
                self.explore(key.clone())?;
            }
        }
        self.extremes(&ways).ok_or(Stop::MemoryLimit)
    }

    /// The keys of each state of the first cycle.
    fn ways_to_start(&mut self) -> Result<Vec<Vec<Key>>, Stop> {
        let rules = self.rules;
        let mut ways = Vec::new();
        self.each_start(&mut |starts, waiting| {
            let fresh = |&count: &u64| rules.with_fresh(&[], count);
            ways.push(rules.keys(waiting, starts.iter().map(fresh).collect()));
        })?;
        ways.sort_unstable();
        ways.dedup();
        Ok(ways)
    }

    /// Calls `visit` with the number of blocks of each multiprocessor at the start, for each way to fill the
    /// slots, and with the number of blocks that wait.
    pub(super) fn each_start(&self, visit: &mut impl FnMut(&[u64], u64)) -> Result<(), Stop> {
        let Rules { resident, multiprocessors, blocks, .. } = *self.rules;
        let free = vec![resident as u64; multiprocessors];
        let room = free.iter().fold(0_u64, |sum, &free| sum.saturating_add(free));
        share(&free, room.min(blocks), &mut Vec::new(), &mut |starts| {
            self.limits.go_on()?;
            // Multiprocessors are alike, so the fullest come first.
            if starts.is_sorted_by(|a, b| a >= b) {
                visit(starts, blocks.saturating_sub(room));
            }
            Ok(())
        })
    }

    /// What is known of a state that was left.
    pub(super) fn known(&self, key: &Key) -> Option<Known> {
        self.known.get(key).copied()
    }

    /// The extremes over the successors of a state, if all of them are known.
    fn extremes(&self, after: &[Vec<Key>]) -> Option<Known> {
        let mut all: Option<Known> = None;
        for keys in after {
            let mut one = Known { best: 0, worst: 0 };
            for key in keys {
                let Known { best, worst } = self.known(key)?;
                one = Known { best: one.best.max(best), worst: one.worst.max(worst) };
            }
            all =
                Some(all.map_or(one, |all| Known {
                    best: all.best.min(one.best),
                    worst: all.worst.max(one.worst),
                }));
        }
        all
    }

    /// Finds the extremes of a state and of all states that can follow it.
    fn explore(&mut self, from: Key) -> Result<(), Stop> {
        if self.known.contains_key(&from) {
            return Ok(());
        }
        let mut frames = vec![self.frame(from)?];
        while let Some(frame) = frames.last_mut() {
            let mut unknown = None;
            while unknown.is_none() && frame.at < frame.after.len() {
                unknown = frame.after[frame.at].iter().find(|key| !self.known.contains_key(*key)).cloned();
                frame.at += usize::from(unknown.is_none());
            }
            if let Some(key) = unknown {
                let frame = self.frame(key)?;
                frames.push(frame);
                continue;
            }
            let Some(frame) = frames.pop() else { break };
            // Every successor is known here, and something issues in every state, so there is one.
            let Some(Known { best, worst }) = self.extremes(&frame.after) else { break };
            self.bytes -= bytes(&frame.after);
            self.bytes += bytes_of(&frame.key);
            self.known.insert(frame.key, Known { best: best + 1, worst: worst + 1 });
            self.go_on()?;
        }
        Ok(())
    }

    fn frame(&mut self, key: Key) -> Result<Frame, Stop> {
        let after = self.after(&key)?;
        self.bytes += bytes(&after);
        Ok(Frame { key, after, at: 0 })
    }

    /// The keys of each state that can follow in one cycle.
    fn after(&mut self, key: &Key) -> Result<Vec<Vec<Key>>, Stop> {
        let rules = self.rules;
        let (waiting, all) = rules.state(key);
        let options: Vec<_> = all.iter().map(|blocks| successors(rules, blocks)).collect();
        let mut after = Vec::new();
        let before = self.bytes;
        each_round(&options, waiting, &mut |chosen, starts| {
            let next = chosen.iter().zip(starts);
            let next = next.map(|(successor, &count)| rules.with_fresh(&successor.blocks, count));
            after.push(rules.keys(waiting - starts.iter().sum::<u64>(), next.collect()));
            self.bytes += after.last().map_or(0, |keys| bytes(std::slice::from_ref(keys)));
            self.go_on()
        })?;
        // The frame counts what is left of them without repetitions.
        self.bytes = before;
        after.sort_unstable();
        after.dedup();
        Ok(after)
    }

    /// Checks the limits now and then.
    fn go_on(&mut self) -> Result<(), Stop> {
        const LOOK: u64 = 1 << 10;
        self.steps += 1;
        if !self.steps.is_multiple_of(LOOK) {
            return Ok(());
        }
        if self.steps.is_multiple_of(LOOK << 6) {
            (self.report)(self.states());
        }
        // When the table grows, the old one is kept until all states are in the new one.
        let slot = size_of::<(Key, Known)>() as u64 + 1;
        let table = (self.known.capacity() as u64).saturating_mul(slot).saturating_mul(3);
        if table.saturating_add(self.bytes) > self.limits.memory {
            return Err(Stop::MemoryLimit);
        }
        self.limits.go_on()
    }
}

/// The bytes that a key takes outside of the table.
fn bytes_of(key: &Key) -> u64 {
    size_of_val::<[u16]>(key) as u64 + 16
}

/// The bytes of the successors of a frame.
fn bytes(after: &[Vec<Key>]) -> u64 {
    let keys = |keys: &Vec<Key>| keys.iter().map(|key| bytes_of(key) + 16).sum::<u64>() + 40;
    after.iter().map(keys).sum()
}
