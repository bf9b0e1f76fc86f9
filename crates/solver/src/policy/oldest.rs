//! The policy "oldest first".

use crate::policy::{Candidate, Last, SortWarps};

/// The older warp goes first, whatever was issued before (OLD in Si21 Algorithm 5).
#[derive(Debug, Clone, Copy, Default)]
pub struct Oldest;

impl SortWarps for Oldest {
    fn sort(&mut self, _: Last, warps: &[Candidate], queue: &mut Vec<u32>) {
        queue.extend(warps.iter().map(|candidate| candidate.warp));
    }
}
