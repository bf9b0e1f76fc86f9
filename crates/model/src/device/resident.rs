//! How many blocks a multiprocessor holds at once. No other module decides that.
//!
//! A block has whole warps: 33 threads are two warps. A multiprocessor gives registers to a warp and shared
//! memory to a block in units, and from capability 8.0 on takes 1 KiB in addition to what a block asks for.
//! Registers lie in four partitions, and a warp takes all of its own from one (`cuda_occupancy.h` of the CUDA
//! toolkit; the Programming Guide, "Technical Specifications per Compute Capability"). If the capability of a
//! GPU is not named, its units are not known. A block then takes at least what it asks for
//! ([`Demand::least`]) and at most that in the largest units ([`Demand::most`]), so that the number of blocks
//! that fit lies between two counts ([`Resources::resident`]).
//!
//! Where shared memory and a cache divide one memory between them, the shared memory is assumed to be
//! configured as large as possible.

use crate::device::resources::{REGISTER_PARTS, round_up};
use crate::device::{Between, Demand, Resources};

impl Resources {
    /// How many blocks of one kind an empty multiprocessor with these resources holds at once.
    pub fn resident(&self, block: &Demand) -> Between {
        let most = self.fits(&block.least());
        let a_warp = round_up(block.registers_per_warp.most, block.registers_unit.most);
        let of_one = (self.registers / REGISTER_PARTS).checked_div(a_warp);
        let by_registers = of_one.map_or(u64::MAX, |warps| warps * REGISTER_PARTS / block.warps.max(1));
        Between { least: self.fits(&block.most()).min(by_registers).min(most), most }
    }

    /// Whether a multiprocessor with these resources surely holds all of these blocks at once, in whatever order
    /// blocks of these kinds come and go: each kind with its number of blocks.
    ///
    /// A warp finds no part with room for its registers only if less than its registers is free in each part.
    pub fn holds(&self, blocks: &[(Demand, u64)]) -> bool {
        let sum = |need: fn(&Resources) -> u64| {
            let need = |&(demand, blocks): &(Demand, u64)| need(&demand.most()).checked_mul(blocks);
            blocks.iter().try_fold(0_u64, |sum, kind| sum.checked_add(need(kind)?))
        };
        let of = |sum: Option<u64>, available: u64| sum.is_some_and(|sum| sum <= available);
        let a_warp =
            |(block, _): &(Demand, u64)| round_up(block.registers_per_warp.most, block.registers_unit.most);
        let largest = blocks.iter().filter(|(_, blocks)| *blocks > 0).map(a_warp).max().unwrap_or(0);
        // Each part but that of the warp may have a gap that is just too small.
        let gaps =
            largest.saturating_sub(1).saturating_mul(REGISTER_PARTS - 1) + self.registers % REGISTER_PARTS;
        let registers = sum(|need| need.registers).and_then(|sum| sum.checked_add(gaps));
        of(sum(|need| need.threads), self.threads)
            && of(sum(|need| need.shared_memory), self.shared_memory)
            && of(sum(|need| need.blocks), self.blocks)
            && (largest == 0 || of(registers, self.registers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Capability;

    const TX2: Resources =
        Resources { threads: 2048, shared_memory: 64 << 10, registers: 65_536, blocks: 32 };

    fn block(threads: u64, shared_memory: u64, registers: u64) -> Demand {
        Demand::new(threads, 32, shared_memory, Between::exactly(registers))
    }

    #[test]
    fn warps_are_whole() {
        let room = Resources { threads: 1024, ..TX2 };
        assert_eq!(room.resident(&block(33, 0, 0)), Between::exactly(16));
        assert_eq!(room.resident(&block(32, 0, 0)), Between::exactly(32));
        assert_eq!(room.resident(&block(65, 0, 0)), Between::exactly(10));
        assert_eq!(room.resident(&block(1024, 0, 0)), Between::exactly(1));
        assert_eq!(room.resident(&block(1025, 0, 0)), Between::exactly(0));
    }

    /// 33 registers a thread are given as 40. That is 1280 for a warp, so 12 warps fit in each quarter of
    /// 16384, 48 in all, which are 24 blocks of two warps. A plain division would give 31.
    #[test]
    fn registers_and_shared_memory_lie_between_two_counts() {
        let two_warps = block(64, 0, 33);
        assert_eq!(TX2.resident(&two_warps), Between { least: 24, most: 31 });
        let block = block(32, 4096, 0);
        let on = |version: &str| {
            let capability: Capability = version.parse().unwrap();
            TX2.resident(&block.on(&capability.resident))
        };
        assert_eq!(on("6.2"), Between::exactly(16));
        assert_eq!(on("8.7"), Between::exactly(12));
        assert_eq!(TX2.resident(&block), Between { least: 12, most: 16 });
    }

    /// Places blocks one by one and warp by warp, each warp in the part that has the most registers left.
    fn placed(room: Resources, threads: u64, shared: u64, registers: u64) -> u64 {
        let warps = (1..=threads).filter(|thread| thread % 32 == 1).count();
        let (mut parts, mut memory, mut threads) =
            ([room.registers / 4; 4], room.shared_memory, room.threads);
        for blocks in 0..room.blocks {
            for _ in 0..warps {
                let part = parts.iter_mut().max().unwrap();
                if *part < registers || threads < 32 {
                    return blocks;
                }
                *part -= registers;
                threads -= 32;
            }
            if memory < shared {
                return blocks;
            }
            memory -= shared;
        }
        room.blocks
    }

    #[test]
    fn placing_block_by_block_comes_to_the_least() {
        for threads in [1, 32, 33, 64, 96, 100, 160, 256, 513, 1024] {
            for registers in [8, 16, 33, 40, 64, 72, 100, 128, 255] {
                for shared in [0, 100, 1024, 5000, 20_000, 40_000] {
                    let tx2: Capability = "6.2".parse().unwrap();
                    let demand = block(threads, shared, registers).on(&tx2.resident);
                    let found = TX2.resident(&demand);
                    assert_eq!(TX2.fits(&demand.placed(&TX2)), found.least, "{threads} {registers} {shared}");
                    let (mut given, mut memory) = (0, 0);
                    while given < 32 * registers {
                        given += 256;
                    }
                    while memory < shared {
                        memory += 256;
                    }
                    let placed = placed(TX2, threads, memory, given);
                    assert_eq!(found.least, placed, "{threads} {registers} {shared}");
                    assert!(found.most >= placed);
                    let unknown = TX2.resident(&block(threads, shared, registers));
                    assert!(unknown.least <= placed && placed <= unknown.most);
                }
            }
        }
    }
}
