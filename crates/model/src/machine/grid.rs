//! Blocks that follow one another on a machine.

use std::sync::Arc;

use crate::Group;
use crate::grid::Grid;
use crate::machine::{Machine, MachineError, MachineWorkload, Step};
use crate::program::Piece;

/// Blocks that follow one another on a machine.
pub type MachineGrid = Grid<MachineWorkload>;

impl Grid<MachineWorkload> {
    /// A grid of `blocks` blocks of `warps` warps each, all of which one machine holds at once.
    ///
    /// # Errors
    /// If there is no block, a block has no warps, or there are too many warps.
    pub fn on_machine(
        machine: Arc<Machine>,
        code: Piece<Step>,
        warps: u64,
        blocks: u64,
    ) -> Result<Self, MachineError> {
        Self::of(MachineWorkload::new(machine, vec![Group { code, warps }])?, blocks)
    }

    /// The machine of each multiprocessor.
    pub fn machine(&self) -> &Machine {
        self.block().machine()
    }

    /// Whether one multiprocessor holds all blocks at once, so that none follows another, and each scheduler is known to get
    /// as many warps of each block as in [`together`](Self::together): there is only one, or warps are
    /// [spread](Machine::spreads) and it divides their number. Else schedulers may get other numbers of warps.
    pub fn starts_together(&self) -> bool {
        let schedulers = self.machine().schedulers();
        let placed =
            schedulers == 1 || self.machine().spreads() && self.warps_per_block().is_multiple_of(schedulers);
        placed && self.multiprocessors() == 1 && self.blocks() <= self.resident()
    }
}
