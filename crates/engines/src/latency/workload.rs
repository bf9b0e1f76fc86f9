//! The bound on a workload whose warps are those of equal blocks, which start together.

use crate::latency::LatencyError;
use crate::latency::bounds::MachineBounds;
use crate::latency::costs::Block;
use crate::latency::follow::{Blocks, completion};
use warpspan_check::bound::Upper;
use warpspan_model::machine::MachineWorkload;

/// The [bound on blocks](completion) for those of a workload, which start together: it may be smaller than the bounds on its warps. None
/// if there are several kernels or a block of another size.
///
/// Warp i is on scheduler i mod S, so each scheduler has its share of the warps of a block.
///
/// # Errors
/// As [`completion`].
pub fn as_blocks(workload: &MachineWorkload) -> Result<Option<Upper>, LatencyError> {
    let [group] = workload.groups() else { return Ok(None) };
    let warps = workload.warps_per_block().unwrap_or(group.warps).min(group.warps);
    if warps == 0 || group.warps % warps != 0 {
        return Ok(None);
    }
    let machine = workload.shared_machine();
    let (block, number) = (Block { code: &group.code, warps }, group.warps / warps);
    let blocks = Blocks { block, number, resident: number, multiprocessors: 1, spread: machine.spreads() };
    completion(&machine, &blocks, 0).map(Some)
}

impl MachineBounds {
    /// The same with the [bound on the blocks of the workload](as_blocks) where that is smaller.
    ///
    /// # Errors
    /// As [`as_blocks`].
    pub fn with_blocks(mut self, workload: &MachineWorkload) -> Result<Self, LatencyError> {
        if let Some(blocks) = as_blocks(workload)? {
            let less = |than: Upper| if blocks.cycles() < than.cycles() { blocks } else { than };
            (self.makespan, self.completion) = (less(self.makespan), less(self.completion));
        }
        Ok(self)
    }
}
