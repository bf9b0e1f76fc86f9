//! What a multiprocessor has, and what blocks take of it.

/// The number of threads in a warp.
pub const WARP: u64 = 32;
/// The number of parts that a multiprocessor has, each with its own registers. Multiprocessors with fewer
/// parts hold no fewer warps.
pub const REGISTER_PARTS: u64 = 4;

/// What a block takes, or what a multiprocessor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Resources {
    /// Threads. For a block these are the threads of its whole warps.
    pub threads: u64,
    /// Bytes of shared memory.
    pub shared_memory: u64,
    /// Registers of 32 bits.
    pub registers: u64,
    /// Block slots.
    pub blocks: u64,
}

impl Resources {
    /// The four resources in order.
    pub fn each(&self) -> [u64; 4] {
        [self.threads, self.shared_memory, self.registers, self.blocks]
    }

    /// How many blocks that take `block` fit into these resources (rules R1 to R3 of the GPU).
    pub fn fits(&self, block: &Self) -> u64 {
        let fit = |(available, need): (u64, u64)| available.checked_div(need).unwrap_or(u64::MAX);
        self.each().into_iter().zip(block.each()).map(fit).min().unwrap_or(0)
    }

    /// Takes away the resources of this many blocks, or gives them back.
    #[doc(hidden)]
    pub fn change(&mut self, block: &Self, blocks: u64, take: bool) {
        let each = [&mut self.threads, &mut self.shared_memory, &mut self.registers, &mut self.blocks];
        for (available, need) in each.into_iter().zip(block.each()) {
            *available = if take { *available - need * blocks } else { *available + need * blocks };
        }
    }
}

pub(super) fn round_up(number: u64, unit: u64) -> u64 {
    number.div_ceil(unit.max(1)).saturating_mul(unit)
}
