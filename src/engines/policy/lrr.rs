//! Loose round robin.

use crate::engines::policy::{Candidate, Last, SortWarps};

/// Each warp in its turn, and the next where a warp cannot issue in its turn (Si21 section 4.2).
///
/// The turn passes to the warp after the one issued last. Where several issue in a cycle it passes to the warp after the
/// *first* of them in the order tried: so the turn goes on by one warp at least, and comes to every warp, however many
/// others issue beside it. To go on after the last of them would leave a warp waiting for as long as another kernel
/// keeps the other unit busy.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lrr;

impl SortWarps for Lrr {
    fn sort(&mut self, last: Last, warps: &[Candidate], queue: &mut Vec<u32>) {
        let turn =
            last.greedy.map_or(0, |last| warps.partition_point(|candidate| candidate.warp <= last.warp));
        let (before, after) = warps.split_at(turn);
        queue.extend(after.iter().chain(before).map(|candidate| candidate.warp));
    }
}
