//! The modes of a schedule, and the rules that say which phases must be kept from overlapping.

use crate::TileSet;
use warpspan_model::words;

words! {
    /// The part of a tile that waits for a start time of its own (Kr19 section 3.2.5).
    #[derive(Hash)]
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    #[schemars(description = "What waits for start times.")]
    Mode {
        /// Whole tiles; the blocks of a kernel start together.
        #[schemars(description = "Whole tiles, all blocks of a kernel together.")]
        TileKernel = "tile-kernel",
        /// Whole tiles; each block has its own offset.
        #[schemars(description = "Whole tiles, each block at a time of its own.")]
        TileBlock = "tile-block",
        /// Prefetch with computation, and writeback; the blocks of a kernel start together.
        #[schemars(description = "Prefetches and writebacks, all blocks of a kernel together.")]
        PhaseKernel = "phase-kernel",
        /// Prefetch with computation, and writeback; each block has its own offset.
        #[schemars(description = "Prefetches and writebacks, each block at a time of its own.")]
        PhaseBlock = "phase-block",
    }
}

impl Mode {
    /// Whether each block has its own offset.
    pub fn is_block_wise(self) -> bool {
        matches!(self, Self::TileBlock | Self::PhaseBlock)
    }

    /// Whether writebacks wait for a start time of their own.
    #[doc(hidden)]
    pub fn times_writebacks(self) -> bool {
        matches!(self, Self::PhaseKernel | Self::PhaseBlock)
    }
}

/// The slots of a mode as kernel and block, in the order of kernels and blocks.
pub(super) fn places(tile_set: &TileSet, mode: Mode) -> Vec<(usize, Option<u64>)> {
    let kernels = tile_set.kernels().iter().enumerate();
    if mode.is_block_wise() {
        kernels.flat_map(|(k, kernel)| (0..kernel.blocks).map(move |block| (k, Some(block)))).collect()
    } else {
        kernels.map(|(k, _)| (k, None)).collect()
    }
}

words! {
    /// A rule that says which memory phases must not overlap.
    #[derive(Hash)]
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    #[schemars(description = "Which memory phases may not overlap.")]
    Rule {
        /// One memory phase at a time, of whichever kernel or block.
        #[schemars(description = "One memory phase at a time, of whichever kernel and block.")]
        Strict = "strict",
        /// Memory phases of a kernel run against nothing but computation of other kernels; its own
        /// blocks are free.
        #[schemars(description = "Memory phases of different kernels do not overlap; blocks of one kernel are free.")]
        Relaxed = "relaxed",
    }
}
