//! The policy "greedy, then oldest".

use crate::policy::{Candidate, Last, SortWarps};

/// The warp issued last goes first for as long as it can issue, and then the oldest that can (Si21 section
/// 4.2).
#[derive(Debug, Clone, Copy, Default)]
pub struct Gto;

impl SortWarps for Gto {
    fn sort(&mut self, last: Last, warps: &[Candidate], queue: &mut Vec<u32>) {
        greedy_then_oldest(last.greedy, warps.iter(), queue);
    }
}

/// Adds the greedy warp, if it is one of the warps, and then the others in their order.
pub(super) fn greedy_then_oldest<'a>(
    greedy: Option<Candidate>,
    warps: impl Iterator<Item = &'a Candidate> + Clone,
    queue: &mut Vec<u32>,
) {
    let is_greedy = |candidate: &&Candidate| Some(**candidate) == greedy;
    queue.extend(warps.clone().find(is_greedy).map(|candidate| candidate.warp));
    queue.extend(warps.filter(|candidate| !is_greedy(candidate)).map(|candidate| candidate.warp));
}
