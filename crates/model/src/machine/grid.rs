//! Blocks that follow one another on a machine.

use std::sync::Arc;

use crate::Group;
use crate::machine::{Machine, MachineError, MachineWorkload, Step};
use crate::program::Piece;

/// The blocks of one launch of a kernel, which wait in one queue for room on equal multiprocessors.
///
/// The semantics is that of [`Grid`](crate::Grid) with one difference: a block *ends* at the end of the
/// cycle in which the last result of its warps arrives, not in the cycle of their last issue. The schedulers of
/// the warps of a block that takes a free slot are the adversary's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineGrid {
    together: MachineWorkload,
    warps_per_block: u64,
    blocks: u64,
    resident: u64,
    multiprocessors: u64,
}

impl MachineGrid {
    /// A grid of `blocks` blocks of `warps` warps each, all of which one multiprocessor holds at once.
    ///
    /// # Errors
    /// If there is no block, a block has no warps, or there are too many warps.
    pub fn new(
        machine: Arc<Machine>,
        code: Piece<Step>,
        warps: u64,
        blocks: u64,
    ) -> Result<Self, MachineError> {
        let all = warps.checked_mul(blocks).ok_or(MachineError::Overflow)?;
        let groups = vec![Group { code, warps: all }];
        let together = MachineWorkload::new(machine, groups)?.in_blocks_of(warps)?;
        Ok(Self { together, warps_per_block: warps, blocks, resident: blocks, multiprocessors: 1 })
    }

    /// The same blocks on several multiprocessors with `resident` slots each.
    ///
    /// # Errors
    /// If there is no multiprocessor or no slot.
    pub fn on(self, multiprocessors: u64, resident: u64) -> Result<Self, MachineError> {
        if multiprocessors == 0 || resident == 0 {
            return Err(MachineError::NoRoom);
        }
        let groups = vec![Group {
            code: self.code().clone(),
            warps: resident.min(self.blocks) * self.warps_per_block,
        }];
        let together = MachineWorkload::new(self.together.shared_machine(), groups)?
            .in_blocks_of(self.warps_per_block)?;
        Ok(Self { together, resident, multiprocessors, ..self })
    }

    /// The machine of each multiprocessor.
    pub fn machine(&self) -> &Machine {
        self.together.machine()
    }

    /// What each warp runs.
    pub fn code(&self) -> &Piece<Step> {
        &self.together.groups()[0].code
    }

    /// As many blocks as one multiprocessor holds at once, which start together.
    pub fn together(&self) -> &MachineWorkload {
        &self.together
    }

    /// The number of warps of a block.
    pub fn warps_per_block(&self) -> u64 {
        self.warps_per_block
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The number of blocks that a multiprocessor holds at once.
    pub fn resident(&self) -> u64 {
        self.resident
    }

    /// The number of multiprocessors.
    pub fn multiprocessors(&self) -> u64 {
        self.multiprocessors
    }

    /// Whether one multiprocessor holds all blocks at once, so that none follows another, and each scheduler is known to get
    /// as many warps of each block as in [`together`](Self::together): there is only one, or warps are
    /// [spread](Machine::spreads) and it divides their number. Else schedulers may get other numbers of warps.
    pub fn starts_together(&self) -> bool {
        let schedulers = self.machine().schedulers();
        let placed =
            schedulers == 1 || self.machine().spreads() && self.warps_per_block.is_multiple_of(schedulers);
        placed && self.multiprocessors == 1 && self.blocks <= self.resident
    }
}
