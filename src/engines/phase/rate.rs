//! a(s): the cycles that each further warp adds.

use crate::model::{Kernel, Unit};

/// The maximal alternating blocks of a kernel: cut between every two equal neighbours, and at barriers.
pub(super) fn blocks(kernel: &Kernel) -> impl Iterator<Item = &[Unit]> {
    kernel.segments().flat_map(|segment| segment.chunk_by(|a, b| a != b))
}

/// a = sum over the blocks of ceil(l / 2): the cycles that each warp beyond the first adds, for W >= 3.
///
/// ```
/// use warpspan::engines::phase::rate;
///
/// for (kernel, a) in [("LLCLL", 4), ("LCL", 2), ("LLCCL", 3), ("LLLLCCCC", 7), ("LLCCLLCC", 5), ("L|C", 2)] {
///     assert_eq!(rate(&kernel.parse()?), a);
/// }
/// # Ok::<(), warpspan::model::CodeError>(())
/// ```
pub fn rate(kernel: &Kernel) -> u64 {
    blocks(kernel).map(|block| block.len().div_ceil(2) as u64).sum()
}

/// A best labelling, a letter an instruction: each block by its first letter, the last letter of an even block by
/// itself. Which parts of the kernel act as one load/store phase, which as a compute phase.
pub fn labels(kernel: &Kernel) -> String {
    let label = |block: &[Unit]| {
        let last = if block.len().is_multiple_of(2) { block[block.len() - 1] } else { block[0] };
        let mut letters = vec![block[0].letter(); block.len() - 1];
        letters.push(last.letter());
        letters
    };
    blocks(kernel).flat_map(label).collect()
}
