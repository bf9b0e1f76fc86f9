//! What is going on at the start of a cycle of the oracle.

use super::oracle::Member;
use super::pauses::Pause;

/// A result that is not there yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pending {
    pub(super) cycles: u64,
    /// Whether servers may keep it.
    pub(super) of_memory: bool,
    /// Whether the next instruction waits for it, whatever that is.
    pub(super) in_order: bool,
    pub(super) tokens: Vec<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Warp {
    pub(super) of: Member,
    pub(super) segment: usize,
    pub(super) at: usize,
    pub(super) stall: u64,
    pub(super) pending: Vec<Pending>,
}

/// A multiprocessor: its blocks, and for each unit and scheduler the cycles for which instances are held.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Place {
    pub(super) blocks: Vec<Vec<Warp>>,
    pub(super) held: Vec<Vec<u64>>,
}

/// A server, in parts of an amount that make its numbers whole.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Pool {
    pub(super) waits: u64,
    pub(super) owed: u64,
    pub(super) left: Option<u64>,
    pub(super) pause: Pause,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) places: Vec<Place>,
    pub(super) waiting: usize,
    pub(super) pools: Vec<Pool>,
}

/// The warps of a block that starts.
pub(super) fn fresh(block: &[Member]) -> Vec<Warp> {
    block.iter().map(|&of| Warp { of, segment: 0, at: 0, stall: 0, pending: vec![] }).collect()
}
