//! Whether all blocks fit on the multiprocessors at once: a block that waits for another to end never meets its times.

use thiserror::Error;

/// What the multiprocessors hold, each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gpu {
    /// How many there are.
    pub multiprocessors: u64,
    /// Threads.
    pub threads: u64,
    /// Bytes of shared memory.
    pub shared_memory: u64,
    /// Blocks.
    pub blocks: u64,
}

/// Blocks of a kernel and what each needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// The kernel.
    pub kernel: String,
    /// Its blocks.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u64,
    /// Bytes of shared memory of a block.
    pub shared_memory: u64,
}

/// The blocks do not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{placed} of {all} blocks fit on {} multiprocessors of {} threads, {} bytes of shared memory and {} blocks each: all \
     must run at once",
    gpu.multiprocessors, gpu.threads, gpu.shared_memory, gpu.blocks
)]
pub struct NoRoom {
    gpu: Gpu,
    placed: u64,
    all: u64,
}

impl Gpu {
    /// The GPU of the Jetson TX2 (Kr19 Table 3.1; limits of compute capability 6.2).
    pub const JETSON_TX2: Self = Self { multiprocessors: 2, threads: 2048, shared_memory: 65536, blocks: 32 };

    /// Places all blocks, the largest first, each on the multiprocessor with the most threads left that has room.
    ///
    /// How a GPU places blocks of different kernels is its own affair; this shows only that there is room.
    ///
    /// # Errors
    /// If some block finds no room.
    pub fn place(&self, demands: &[Demand]) -> Result<(), NoRoom> {
        let all = demands.iter().fold(0_u64, |sum, demand| sum.saturating_add(demand.blocks));
        let most = self.multiprocessors.saturating_mul(self.blocks);
        if all > most {
            return Err(NoRoom { gpu: *self, placed: most, all });
        }
        let mut free = vec![*self; usize::try_from(self.multiprocessors.min(all)).unwrap_or(usize::MAX)];
        let mut order: Vec<&Demand> = demands.iter().collect();
        order.sort_by_key(|demand| std::cmp::Reverse((demand.threads, demand.shared_memory)));
        let mut placed = 0;
        for demand in order {
            for _ in 0..demand.blocks {
                let room = |one: &&mut Self| {
                    one.blocks > 0
                        && one.threads >= demand.threads
                        && one.shared_memory >= demand.shared_memory
                };
                let Some(one) = free.iter_mut().filter(room).max_by_key(|one| one.threads) else {
                    return Err(NoRoom { gpu: *self, placed, all });
                };
                one.blocks -= 1;
                one.threads -= demand.threads;
                one.shared_memory -= demand.shared_memory;
                placed += 1;
            }
        }
        Ok(())
    }
}
