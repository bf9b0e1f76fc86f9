//! The rate a(s): the cycles that each further warp adds.

use warpspan_model::Labelling;
use warpspan_model::{Kernel, Unit};

/// The maximal alternating blocks of a kernel, which is cut between every two equal neighbours and at
/// barriers.
pub(super) fn blocks(kernel: &Kernel) -> impl Iterator<Item = &[Unit]> {
    kernel.segments().flat_map(alternating)
}

/// The maximal alternating blocks of a segment.
fn alternating(segment: &[Unit]) -> impl Iterator<Item = &[Unit]> {
    segment.chunk_by(|a, b| a != b)
}

/// The rate a = sum over the blocks of ceil(l / 2). It is the number of cycles that each warp beyond the
/// first adds, for W >= 3.
///
/// ```
/// use warpspan_engines::phase::rate;
///
/// for (kernel, a) in [("LLCLL", 4), ("LCL", 2), ("LLCCL", 3), ("LLLLCCCC", 7), ("LLCCLLCC", 5), ("L|C", 2)] {
///     assert_eq!(rate(&kernel.parse()?), a);
/// }
/// # Ok::<(), warpspan_model::CodeError>(())
/// ```
pub fn rate(kernel: &Kernel) -> u64 {
    blocks(kernel).map(|block| block.len().div_ceil(2) as u64).sum()
}

/// A best labelling: each block is labelled by its first letter, but the last letter of an even block by
/// itself. It says which parts of the kernel act as one load/store phase, and which as a compute phase.
pub fn labels(kernel: &Kernel) -> Labelling {
    let label = |block: &[Unit]| {
        let last = if block.len().is_multiple_of(2) { block[block.len() - 1] } else { block[0] };
        let mut labels = vec![block[0]; block.len() - 1];
        labels.push(last);
        labels
    };
    let of_segment = |segment: &[Unit]| alternating(segment).flat_map(label).collect();
    Labelling::of_segments(kernel.segments().map(of_segment))
}
