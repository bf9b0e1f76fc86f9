//! A grid of equal blocks, more than the multiprocessors may hold at once.

use crate::{Code, Launchable, Multiprocessor, Workload, WorkloadError};

/// The blocks of one launch of a kernel, which wait in one queue for room on equal multiprocessors.
///
/// A multiprocessor has `resident` slots, each of which holds one block. In cycle 1 blocks fill the slots, any
/// block any slot. A block *ends* in the cycle in which the last of its warps issues its last instruction. If
/// blocks wait, one of them takes the free slot and its warps are ready in the next cycle; which of several
/// free slots it takes is the adversary's choice, as is everything else that the
/// [semantics](crate) leaves open. No slot is empty while a block waits. The makespan is the last cycle
/// in which a warp issues on any multiprocessor.
///
/// On multiprocessors that are a [`Machine`](crate::machine::Machine), a block ends at the end of the cycle in which the last result of its warps
/// arrives, not in the cycle of their last issue. The schedulers of the warps of a block that takes a free slot are the
/// adversary's choice.
///
/// ```
/// use warpspan_model::{Code, Grid};
///
/// let grid = Grid::new("LCL".parse::<Code>()?, Default::default(), 1, 4)?.on(1, 2)?;
/// assert_eq!((grid.blocks(), grid.at_once(), grid.starts_together()), (4, 2, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid<W = Workload> {
    block: W,
    together: W,
    blocks: u64,
    resident: u64,
    multiprocessors: u64,
}

impl Grid {
    /// A grid on the paper's multiprocessor of `blocks` blocks of `warps` warps each, all of which one multiprocessor holds at once.
    ///
    /// # Errors
    /// If there is no block or a block has no warps, or the letters of all blocks are too many to count.
    pub fn new(
        code: impl Into<Code>,
        multiprocessor: Multiprocessor,
        warps: u64,
        blocks: u64,
    ) -> Result<Self, WorkloadError> {
        Self::of(Workload::single(code, warps, multiprocessor)?, blocks)
    }

    /// Whether all blocks start in cycle 1, so that none follows another.
    pub fn starts_together(&self) -> bool {
        self.resident.saturating_mul(self.multiprocessors) >= self.blocks
    }
}

impl<W: Launchable> Grid<W> {
    /// Blocks like this one, which has one group. Numbers of all of them fit, so those of any part of them do.
    pub(crate) fn of(block: W, blocks: u64) -> Result<Self, W::Error> {
        let together = block.several(blocks)?;
        Ok(Self { block, together, blocks, resident: blocks, multiprocessors: 1 })
    }

    /// The same blocks on several multiprocessors with `resident` slots each.
    ///
    /// # Errors
    /// If there is no multiprocessor or no slot.
    pub fn on(self, multiprocessors: u64, resident: u64) -> Result<Self, W::Error> {
        if multiprocessors == 0 || resident == 0 {
            return Err(W::NO_ROOM);
        }
        let together = self.block.several(resident.min(self.blocks))?;
        Ok(Self { together, resident, multiprocessors, ..self })
    }

    /// What each warp runs.
    pub fn code(&self) -> &W::Code {
        &self.block.group().code
    }

    /// One block alone.
    pub fn block(&self) -> &W {
        &self.block
    }

    /// As many blocks as one multiprocessor holds at once, which start together.
    pub fn together(&self) -> &W {
        &self.together
    }

    /// The number of warps of a block.
    pub fn warps_per_block(&self) -> u64 {
        self.block.group().warps
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The number of slots of a multiprocessor.
    pub fn resident(&self) -> u64 {
        self.resident
    }

    /// The number of multiprocessors.
    pub fn multiprocessors(&self) -> u64 {
        self.multiprocessors
    }

    /// The most blocks that one multiprocessor can hold at once.
    pub fn at_once(&self) -> u64 {
        self.resident.min(self.blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        let grid =
            |warps, blocks| Grid::new("LL".parse::<Code>().unwrap(), Default::default(), warps, blocks);
        assert_eq!(grid(0, 1).unwrap_err(), WorkloadError::NoWarps(1));
        assert_eq!(grid(1, 0).unwrap_err(), WorkloadError::NoWarps(1));
        assert_eq!(grid(1 << 31, 1 << 30).unwrap_err(), WorkloadError::Overflow);
        assert_eq!(grid(1, 2).unwrap().on(0, 1).unwrap_err(), WorkloadError::NoRoom);
        assert_eq!(grid(1, 2).unwrap().on(1, 0).unwrap_err(), WorkloadError::NoRoom);
    }

    #[test]
    fn slots_hold_no_more_blocks_than_there_are() {
        let grid = Grid::new("L|C".parse::<Code>().unwrap(), Default::default(), 3, 5).unwrap();
        let slots = |multiprocessors, resident| grid.clone().on(multiprocessors, resident).unwrap();
        assert_eq!((slots(1, 9).at_once(), slots(1, 9).together().total_warps()), (5, 15));
        assert_eq!((slots(1, 2).at_once(), slots(1, 2).together().total_warps()), (2, 6));
        assert_eq!(slots(1, 2).together().warps_per_block(), Some(3));
        assert!(slots(3, 2).starts_together() && !slots(2, 2).starts_together());
        assert!(slots(u64::MAX, 2).starts_together());
    }
}
