//! The least even offsets, on the timer's grid, that keep memory phases from overlapping.
//!
//! # Theory
//!
//! For whole tiles and equal kernels, let P, C and W be the phases, T = P + C + W, T' = T rounded up to the timer, and
//! let S slots be at distance d in a hyperperiod of H = max(S d, T'). The memory phases do not overlap if and only if
//!
//! * S d < T', (S - 1) d <= C and d >= T' - C; or
//! * S d >= T', d >= max(P, W), and there is a k <= S with k d >= T and (k - 1) d <= C.
//!
//! The first is the case H = T': all prefetches lie within the computation of the first slot. In the second
//! case the k-th slot comes after the tile of the first slot, and the slots between them lie within its
//! computation. Each case has its least d in closed form; docs/prem.md has the proofs. For different kernels,
//! or where a rule leaves some pairs free, d is searched upwards: a pair that overlaps at d overlaps on a
//! whole interval of d, whose end is the next candidate.
//!
//! Where phases are scheduled, all prefetches come one after the other, and then all writebacks. So each
//! offset has a closed form in the durations and in the time that the computation of each slot must have
//! before its writeback. The writeback offset is the least for the prefetch offset that goes with it.

mod phase;
mod tile;

use crate::mode::places;
use crate::{Mode, Phases, Rule, TileSet};
use warpspan_model::time::Nanoseconds;

pub(super) use phase::{allowed_prefetch, allowed_writeback, writeback_base};
pub(super) use tile::forbidden;

/// The distances between the slots of a schedule whose slots are evenly spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offsets {
    /// Kr19's `PF_off`, the distance between the prefetches of one slot and the next.
    pub prefetch: Nanoseconds,
    /// Kr19's `WB_off`, the distance between their writebacks; it has no meaning where whole tiles are
    /// scheduled.
    pub writeback: Nanoseconds,
}

/// The least offsets on the timer's grid that the mode allows and that satisfy the rule; `None` if the rule forbids
/// overlaps of blocks that the mode starts together.
///
/// Where `prefetch` is given, the writeback offset is the least that goes with it. The offset of writebacks
/// is zero where whole tiles are scheduled.
pub fn least_offsets(
    tile_set: &TileSet,
    mode: Mode,
    rule: Rule,
    prefetch: Option<Nanoseconds>,
) -> Option<Offsets> {
    if !can_hold(tile_set, mode, rule) {
        return None;
    }
    let timer = tile_set.timer();
    let places = places(tile_set, mode);
    let all: Vec<Phases> = places.iter().map(|&(kernel, _)| tile_set.kernels()[kernel].phases).collect();
    let apart = |i: usize, j: usize| rule == Rule::Strict || places[i].0 != places[j].0;
    if !mode.times_writebacks() {
        let equal = all.windows(2).all(|pair| pair[0] == pair[1]);
        let kernels = tile_set.kernels();
        let every =
            rule == Rule::Strict || kernels.len() > 1 && tile_set.is_uniform() || !mode.is_block_wise();
        let least = match (equal && every, all.first()) {
            (true, Some(&phases)) => tile::closed_form(phases, all.len() as u64, timer),
            _ => tile::search(&all, timer, apart),
        };
        return Some(Offsets { prefetch: prefetch.unwrap_or(least), writeback: Nanoseconds::ZERO });
    }
    let distance = |i: usize| (i + 1..all.len()).find(|&j| apart(i, j)).map(|j| (j - i) as u64);
    let prefetch = prefetch.unwrap_or_else(|| {
        let apart = phase::apart(all.iter().map(|phases| phases.prefetch), distance);
        apart.max(allowed_prefetch(&all, timer)).round_up_to(timer)
    });
    let apart = phase::apart(all.iter().map(|phases| phases.writeback), distance);
    let writeback = apart.max(allowed_writeback(&all, timer, prefetch)).round_up_to(timer);
    Some(Offsets { prefetch, writeback })
}

/// Whether the rule can hold at all: blocks that start together have their memory phases at the same time.
pub fn can_hold(tile_set: &TileSet, mode: Mode, rule: Rule) -> bool {
    rule == Rule::Relaxed
        || mode.is_block_wise()
        || tile_set.kernels().iter().all(|kernel| kernel.blocks == 1)
}
