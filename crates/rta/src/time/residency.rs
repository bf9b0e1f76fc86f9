//! How many blocks of a kernel a multiprocessor holds at once.

use thiserror::Error;

use crate::time::Launch;
use warpspan_model::device::{Between, Capability, Demand, Resources, WARP};

/// What a block needs of a multiprocessor, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// Registers of a thread.
    pub registers: Between,
    /// Bytes of shared memory of a block, with those that the launch adds.
    pub shared_memory: Between,
    /// The least number of blocks that the compiler left room for; 1 if it was not told any.
    pub least_resident: u64,
}

/// How many blocks a multiprocessor holds at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residency {
    /// At least so many.
    pub least: u64,
    /// At most so many.
    pub most: u64,
    /// What keeps a further block out where there are the most: `threads`, `shared memory`, `registers`,
    /// `block slots`.
    pub limits: Vec<&'static str>,
}

/// Why no multiprocessor holds a block.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a block needs {need} {what}: a multiprocessor of capability {version} gives it {most} at most")]
pub struct ResidencyError {
    need: u64,
    what: &'static str,
    version: &'static str,
    most: u64,
}

/// What limits the blocks of a multiprocessor, in the order of [`Resources::each`].
const LIMITS: [&str; 4] = ["threads", "shared memory", "registers", "block slots"];

impl Residency {
    /// How many blocks of a launch a multiprocessor of this capability holds at once.
    ///
    /// # Errors
    /// If not even one block fits.
    pub fn new(capability: &Capability, launch: &Launch, needs: &Use) -> Result<Self, ResidencyError> {
        let resident = capability.resident;
        let version = capability.version;
        let over = |need: u64, what, most: u64| {
            if need > most { Err(ResidencyError { need, what, version, most }) } else { Ok(()) }
        };
        let warps = launch.warps();
        over(warps * WARP, "threads in whole warps", resident.warps * WARP)?;
        let registers = launch.threads.saturating_mul(needs.registers.least);
        over(registers, "registers", resident.registers_per_block)?;
        over(needs.shared_memory.least, "bytes of shared memory", resident.shared_memory_per_block)?;
        let room = |blocks| Resources {
            threads: resident.warps * WARP,
            shared_memory: resident.shared_memory,
            registers: resident.registers,
            blocks,
        };
        // A launch that succeeds fits, so no more is needed than a block can have.
        let most_registers = needs.registers.most.min(resident.registers_per_block / (warps * WARP).max(1));
        let demand = |shared: u64, registers: u64| {
            Demand::new(launch.threads, WARP, shared, Between::exactly(registers)).on(&resident)
        };
        let (shared, registers) = (needs.shared_memory, needs.registers);
        let small = demand(shared.least, registers.least);
        let large =
            demand(shared.most.min(resident.shared_memory_per_block), most_registers.max(registers.least));
        let most = room(resident.blocks.most).resident(&small).least;
        let least = room(resident.blocks.least).resident(&large).least.max(needs.least_resident);
        let most = most.max(1);
        let placed = small.placed(&room(resident.blocks.most));
        let each = room(resident.blocks.most).each().into_iter().zip(placed.each());
        let limits = LIMITS
            .into_iter()
            .zip(each)
            .filter(|(_, (has, need))| has.checked_div(*need) == Some(most))
            .map(|(name, _)| name);
        Ok(Self { least: least.clamp(1, most), most, limits: limits.collect() })
    }

    /// Whether one number alone is possible.
    pub fn is_known(&self) -> bool {
        self.least == self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(version: &str, threads: u64, registers: [u64; 2], shared: [u64; 2]) -> Residency {
        let between = |[least, most]: [u64; 2]| Between { least, most };
        let needs = Use { registers: between(registers), shared_memory: between(shared), least_resident: 1 };
        Residency::new(&version.parse().unwrap(), &Launch { blocks: 9, threads }, &needs).unwrap()
    }

    /// Counted by hand from the limits of the programming guide.
    #[test]
    fn known_needs_give_one_number() {
        let known = |least, limit| Residency { least, most: least, limits: vec![limit] };
        // 48 warps in blocks of 8; 32 registers a thread allow 64 warps.
        assert_eq!(of("8.7", 256, [32; 2], [36; 2]), known(6, "threads"));
        // 64 registers a thread are 2048 a warp: 8 warps in each of four parts, and 4 blocks of 8 warps.
        assert_eq!(of("6.2", 256, [64; 2], [0; 2]), known(4, "registers"));
        // 20 KiB and 1 KiB of the system: 7 times in 164 KiB.
        assert_eq!(of("8.7", 64, [8; 2], [20 << 10; 2]), known(7, "shared memory"));
        assert_eq!(of("8.7", 32, [8; 2], [0; 2]), known(16, "block slots"));
    }

    #[test]
    fn what_is_unknown_leaves_a_range() {
        let found = of("8.7", 256, [20, 255], [0; 2]);
        // 255 registers leave room for one block of 8 warps in each quarter of 16384: 8160 a warp, 2 a part.
        assert_eq!((found.least, found.most), (1, 6));
        let found = of("8.7", 256, [40; 2], [0, 1 << 20]);
        assert_eq!((found.least, found.most), (1, 6));
        let floor = Use {
            registers: Between { least: 20, most: 255 },
            shared_memory: Between { least: 0, most: 0 },
            least_resident: 3,
        };
        let launch = Launch { blocks: 9, threads: 256 };
        let found = Residency::new(&"8.7".parse().unwrap(), &launch, &floor).unwrap();
        assert_eq!((found.least, found.most), (3, 6));
    }

    #[test]
    fn a_block_that_does_not_fit_is_refused() {
        let needs = |registers: u64, shared: u64| Use {
            registers: Between::exactly(registers),
            shared_memory: Between::exactly(shared),
            least_resident: 1,
        };
        let error = |registers, shared| {
            let launch = Launch { blocks: 1, threads: 1024 };
            Residency::new(&"8.7".parse().unwrap(), &launch, &needs(registers, shared))
                .unwrap_err()
                .to_string()
        };
        let end = "a multiprocessor of capability 8.7 gives it";
        assert_eq!(error(65, 0), format!("a block needs 66560 registers: {end} 65536 at most"));
        assert!(error(1, 1 << 20).starts_with("a block needs 1048576 bytes of shared memory: "));
    }
}
