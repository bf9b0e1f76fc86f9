//! Why groups do not make a workload.

use thiserror::Error;

/// Why groups and a multiprocessor do not make a workload.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WorkloadError {
    /// There is no group.
    #[error("no kernel is given: want a kernel and a number of warps")]
    NoGroup,
    /// A group has no warps.
    #[error("group {0} has zero warps: want 1 or more")]
    NoWarps(usize),
    /// A block has no warps.
    #[error("zero warps a block: want 1 or more")]
    NoBlock,
    /// No block of a grid fits anywhere.
    #[error("zero multiprocessors or zero blocks at once: want 1 or more of each")]
    NoRoom,
    /// The expansion to sub-warps makes a kernel too long.
    #[error(
        "the kernel of group {0} is too long after its expansion to sub-warps: raise sigma or shorten it"
    )]
    TooLong(usize),
    /// The cycle counts would not fit into 64 bits.
    #[error(
        "warps times instructions exceed 2^61: cycle counts would overflow; use fewer warps or instructions"
    )]
    Overflow,
}
