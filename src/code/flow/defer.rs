//! Threads of a warp that part in a pass of a loop and do not meet again in it.
//!
//! Where the ways of a branch may leave the loop, or end the routine, without meeting before, the threads that went one way wait until the
//! others have left the loop, and only then go on: what they still have to do of the pass comes later. Each such way
//! adds a pass to the bound of the loop (`docs/extract.md`).

use crate::code::flow::view::{View, Way};

/// What threads that part do to the passes of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Deferred {
    /// How many rests of a pass may come later, a pass.
    pub(super) rests: u64,
    /// Whether several groups of threads may make passes of their own.
    pub(super) splits: bool,
}

/// Looks at every branch of a pass that is not uniform. The error is the node of a branch inside of a loop of the
/// pass, whose ways leave both loops.
pub(super) fn deferred(
    view: &View,
    uniform: impl Fn(usize) -> bool,
) -> Result<(Deferred, Option<usize>), usize> {
    let mut sum = Deferred::default();
    let mut at = None;
    for node in 0..view.nodes.len() {
        let ways: Vec<Way> = view.ways[node].iter().copied().filter(|&way| way != Way::Exit).collect();
        if ways.len() < 2 || view.merge[node].is_some() || uniform(node) {
            continue;
        }
        let back = |way: Way| view.comes_back(way);
        if !ways.iter().any(|&way| view.leaves(way)) {
            continue; // they meet at the header
        }
        let lettered = |way: Way| matches!(way, Way::To(_));
        let waits = |number: usize, way: Way| {
            let mut others = ways.iter().enumerate().filter(|&(other, _)| other != number);
            lettered(way) && others.any(|(_, &other)| lettered(other) || back(other))
        };
        let rests = ways.iter().enumerate().filter(|&(number, &way)| waits(number, way)).count();
        if rests > 0 {
            if view.cycle[node].is_some() {
                return Err(node);
            }
            at = at.or(Some(node));
            sum.rests = sum.rests.saturating_add(u64::try_from(rests).unwrap_or(u64::MAX));
        }
        sum.splits |= ways.iter().filter(|&&way| back(way)).count() > 1;
    }
    Ok((sum, at))
}
