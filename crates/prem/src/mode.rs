//! The modes of a schedule, and the rules that say which phases must be kept apart.

use strum::{Display, IntoStaticStr};

/// The part of a tile that waits for a start time of its own (Kr19 section 3.2.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Mode {
    /// Whole tiles; the blocks of a kernel start together.
    TileKernel,
    /// Whole tiles; each block has its own offset.
    TileBlock,
    /// Prefetch with computation, and writeback; the blocks of a kernel start together.
    PhaseKernel,
    /// Prefetch with computation, and writeback; each block has its own offset.
    PhaseBlock,
}

impl Mode {
    /// All four modes.
    pub const ALL: [Self; 4] = [Self::TileKernel, Self::TileBlock, Self::PhaseKernel, Self::PhaseBlock];

    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        self.into()
    }

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

/// A rule that says which memory phases must not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Rule {
    /// One memory phase at a time, whoever's.
    Strict,
    /// Memory phases of a kernel run against nothing but computation of other kernels; its own
    /// blocks are free.
    Relaxed,
}

impl Rule {
    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
