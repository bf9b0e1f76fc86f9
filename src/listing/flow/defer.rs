//! Threads of a warp that part in a pass of a loop and do not meet again in it.
//!
//! Where the ways of a branch may leave the loop, or end the routine, without meeting before, the threads that went one way wait until the
//! others have left the loop, and only then go on: what they still have to do of the pass comes later. So a pass comes in as many parts
//! as groups of threads may end it, and each part but one adds a pass to the bound of the loop (`docs/extract.md`).

use crate::listing::flow::view::{View, Way};

/// Groups of threads of a warp.
pub(super) const MOST_GROUPS: u64 = 32;

/// What threads that part do to the passes of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Deferred {
    /// How many parts of a pass may come later, a pass.
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
        if ways.iter().enumerate().any(|(number, &way)| waits(number, way)) {
            if view.cycle[node].is_some() {
                return Err(node);
            }
            at = at.or(Some(node));
        }
        sum.splits |= ways.iter().filter(|&&way| back(way)).count() > 1;
    }
    if at.is_some() {
        sum.rests = parts(view, uniform) - 1;
    }
    Ok((sum, at))
}

/// In how many parts a pass may come: how many groups of threads end it, by leaving after a letter of their own or by going
/// back to the header. Inside of loops of the pass none part that do not meet there.
fn parts(view: &View, uniform: impl Fn(usize) -> bool) -> u64 {
    let mut parts = vec![1_u64; view.nodes.len()];
    loop {
        let mut changed = false;
        for node in (0..view.nodes.len()).rev() {
            let of = |way: &Way| match *way {
                Way::To(to) => parts[to],
                Way::Back => 1,
                Way::Out | Way::Exit => 0,
            };
            let ways = view.ways[node].iter().map(of);
            let found = match view.merge[node] {
                Some(merge) => parts[merge],
                None if uniform(node) || view.cycle[node].is_some() => ways.max().unwrap_or(1),
                None => ways.fold(0, u64::saturating_add),
            };
            let found = found.clamp(1, MOST_GROUPS);
            changed |= found != parts[node];
            parts[node] = found;
        }
        if !changed {
            return parts[0];
        }
    }
}
