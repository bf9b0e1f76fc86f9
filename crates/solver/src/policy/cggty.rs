//! The policy of the warp schedulers of modern NVIDIA cores.

use crate::policy::{Candidate, Last, SortWarps};

/// Compiler-guided, greedy, then youngest: the warp issued last goes first for as long as it can issue, and
/// then the youngest that can (R. Huerta and others, *Analyzing modern NVIDIA GPU cores*, MICRO 2025).
///
/// The compiler guides it by the stall counts and the dependences of instructions
/// ([`Waits`](warpspan_model::machine::Waits)): a warp cannot issue before they are over. As under
/// [`Gto`](super::Gto), the warp issued last stays the one issued last in cycles without an issue.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cggty;

impl SortWarps for Cggty {
    fn sort(&mut self, last: Last, warps: &[Candidate], queue: &mut Vec<u32>) {
        let greedy =
            last.greedy.filter(|greedy| warps.binary_search_by_key(&greedy.warp, |c| c.warp).is_ok());
        queue.extend(greedy.map(|greedy| greedy.warp));
        queue.extend(warps.iter().rev().filter(|&&c| Some(c) != greedy).map(|candidate| candidate.warp));
    }
}
