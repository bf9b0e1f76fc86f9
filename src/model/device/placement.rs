//! Whether all blocks fit on the multiprocessors at once.

use thiserror::Error;

use crate::model::device::{Gpu, Resources};

/// The blocks do not all fit at once.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{placed} of {all} blocks fit on {} multiprocessors of {} threads, {} bytes of shared memory and {} blocks each: all \
     must run at once",
    gpu.multiprocessors, gpu.resources.threads, gpu.resources.shared_memory, gpu.resources.blocks
)]
pub(crate) struct NoRoom {
    gpu: Gpu,
    placed: u64,
    all: u64,
}

/// Places all blocks, which are given as pairs of a number of blocks and the resources that each of them
/// takes. The largest go first, each to the multiprocessor that has room for it and the most threads left.
///
/// A GPU may place blocks of different kernels in another way, so success shows only that a way exists.
///
/// # Errors
/// If some block finds no room.
pub(crate) fn place_all(gpu: &Gpu, demands: &[(u64, Resources)]) -> Result<(), NoRoom> {
    let all = demands.iter().fold(0_u64, |sum, (blocks, _)| sum.saturating_add(*blocks));
    let no_room = |placed| NoRoom { gpu: gpu.clone(), placed, all };
    let most = gpu.multiprocessors.saturating_mul(gpu.resources.blocks);
    if all > most {
        return Err(no_room(most));
    }
    let mut free = vec![gpu.resources; usize::try_from(gpu.multiprocessors.min(all)).unwrap_or(usize::MAX)];
    let mut order: Vec<&(u64, Resources)> = demands.iter().collect();
    order.sort_by_key(|(_, block)| std::cmp::Reverse((block.threads, block.shared_memory)));
    let mut placed = 0;
    for (blocks, block) in order {
        for _ in 0..*blocks {
            let roomy = free.iter_mut().filter(|room| room.fits(block) > 0);
            let room = roomy.max_by_key(|room| room.threads).ok_or_else(|| no_room(placed))?;
            room.change(block, 1, true);
            placed += 1;
        }
    }
    Ok(())
}
