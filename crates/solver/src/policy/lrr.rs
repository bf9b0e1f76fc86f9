//! The policy "loose round robin".

use crate::policy::{Candidate, Last, SortWarps};

/// Each warp has its turn. If it cannot issue then, the next warp is tried (Si21 section 4.2).
///
/// The turn passes to the warp after the one issued last. If several issue in a cycle, it passes to the warp
/// after the *first* of them in the order tried. The turn therefore moves on by at least one warp and reaches
/// every warp, however many others issue beside it. If it moved on after the last of them, a warp could wait
/// for as long as another kernel keeps the other unit busy.
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
