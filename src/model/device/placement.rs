//! Whether all blocks fit on the multiprocessors at once: a block that waits for another to end never meets its times.

use thiserror::Error;

use crate::model::device::{Gpu, Resources};

/// The blocks do not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{placed} of {all} blocks fit on {} multiprocessors of {} threads, {} bytes of shared memory and {} blocks each: all \
     must run at once",
    gpu.multiprocessors, gpu.resources.threads, gpu.resources.shared_memory, gpu.resources.blocks
)]
pub struct NoRoom {
    gpu: Gpu,
    placed: u64,
    all: u64,
}

/// Places all blocks, so many that take so much each, the largest first, each on the multiprocessor with the most threads left that
/// has room.
///
/// How a GPU places blocks of different kernels is its own affair; this shows only that there is room.
///
/// # Errors
/// If some block finds no room.
pub fn place_all(gpu: &Gpu, demands: &[(u64, Resources)]) -> Result<(), NoRoom> {
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
