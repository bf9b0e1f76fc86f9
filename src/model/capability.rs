//! Multiprocessors by compute capability: their units, and what is resident at once.
//!
//! # Sources
//!
//! Cores: the CUDA C++ Programming Guide up to 12.9, table of arithmetic throughput, and from 13.0 on the CUDA C++ Best Practices
//! Guide, "Throughput of Native Arithmetic Instructions" (results a cycle and multiprocessor of 32-bit floating-point
//! additions). Load/store units: the architecture's white paper, text or drawing of the multiprocessor. Resident warps, blocks,
//! registers and shared memory: the Programming Guide, "Technical Specifications per Compute Capability" (up to 12.9) and "Compute
//! Capabilities" (from 13.0 on, <https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html>).
//! What the capability's row says it assumes was not found there. What the sources leave open is an interval, and bounds take the
//! end that makes them longer: the fewest units, the most resident blocks where more of them take longer, the fewest where it is
//! asked whether all start at once.
//!
//! The model has no limit on the total issue width, which the hardware has.

use std::str::FromStr;

use thiserror::Error;

use crate::model::{Multiprocessor, ThroughputError};

/// A number that is not known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Between {
    /// It is not less.
    pub least: u64,
    /// It is not more.
    pub most: u64,
}

impl Between {
    /// A number that is known.
    pub const fn exactly(number: u64) -> Self {
        Self { least: number, most: number }
    }
}

/// What one multiprocessor holds at once, and what a block of it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resident {
    /// Warps.
    pub warps: u64,
    /// Blocks.
    pub blocks: Between,
    /// Registers of 32 bits.
    pub registers: u64,
    /// Registers that one block may have.
    pub registers_per_block: u64,
    /// Registers that one thread may have.
    pub registers_per_thread: u64,
    /// Bytes of shared memory.
    pub shared_memory: u64,
    /// Bytes of shared memory that one block may have, once it has asked for more than 48 KiB where that is needed.
    pub shared_memory_per_block: u64,
    /// Bytes of shared memory that each block takes beside its own.
    pub reserved_shared_memory: u64,
    /// Shared memory is given to a block in units of so many bytes (`cuda_occupancy.h` of the CUDA toolkit).
    pub shared_memory_unit: u64,
    /// Registers are given to a warp in units of so many (the same).
    pub registers_unit: u64,
}

/// Units in one multiprocessor of a compute capability; warps have 32 threads in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    /// As NVIDIA writes it, `major.minor`.
    pub version: &'static str,
    /// Load/store units, the L of Be12.
    pub load_store_units: Between,
    /// CUDA cores, the C of Be12.
    pub cuda_cores: Between,
    /// What is resident at once.
    pub resident: Resident,
    /// Where the units are from.
    pub source: &'static str,
    /// What is taken for granted without a source; empty for nothing.
    pub assumed: &'static str,
}

const KIB: u64 = 1 << 10;

/// So many warps, blocks and KiB of shared memory, in all and of a block; 64 K registers.
const fn resident(warps: u64, blocks: u64, shared_memory: u64, of_a_block: u64) -> Resident {
    Resident {
        warps,
        blocks: Between::exactly(blocks),
        registers: 64 * KIB,
        registers_per_block: 64 * KIB,
        registers_per_thread: 255,
        shared_memory: shared_memory * KIB,
        shared_memory_per_block: of_a_block * KIB,
        reserved_shared_memory: 0,
        shared_memory_unit: 256,
        registers_unit: 256,
    }
}

/// The same where the system takes 1 KiB of each block, which leaves a block as much less.
const fn reserving(warps: u64, blocks: u64, shared_memory: u64) -> Resident {
    Resident {
        reserved_shared_memory: KIB,
        shared_memory_unit: 128,
        ..resident(warps, blocks, shared_memory, shared_memory - 1)
    }
}

const FERMI: Resident = Resident {
    registers: 32 * KIB,
    registers_per_block: 32 * KIB,
    registers_per_thread: 63,
    shared_memory_unit: 128,
    registers_unit: 64,
    ..resident(48, 8, 48, 48)
};
const KEPLER: Resident = resident(64, 16, 48, 48);
const ADA: Resident = reserving(48, 24, 100);
const BLACKWELL: Resident = reserving(64, 32, 228);
const THOR: Resident = reserving(48, 24, 228);
const RTX_BLACKWELL: Resident = Resident { blocks: Between { least: 24, most: 32 }, ..ADA };

const fn exactly(load_store_units: u64, cuda_cores: u64) -> [Between; 2] {
    [Between::exactly(load_store_units), Between::exactly(cuda_cores)]
}

/// 16 or 32 load/store units: all that multiprocessors of four partitions are drawn with, 4 or 8 in each.
const fn unsettled(cuda_cores: u64) -> [Between; 2] {
    [Between { least: 16, most: 32 }, Between::exactly(cuda_cores)]
}

const NO_DRAWING: &str =
    "load/store units: no drawing of the multiprocessor was found, 16 or 32 as in others of its time";

/// The compute capabilities known.
pub const CAPABILITIES: [Capability; 28] = [
    row("2.0", exactly(16, 32), FERMI, "Fermi white paper (2009); Be12 section 3", ""),
    row(
        "2.1",
        exactly(16, 48),
        FERMI,
        "CUDA C Programming Guide 4.2, appendix F.4",
        "load/store units: as 2.0",
    ),
    row(
        "3.0",
        exactly(32, 192),
        Resident { registers_per_thread: 63, ..KEPLER },
        "GeForce GTX 680 white paper (2012)",
        "",
    ),
    row(
        "3.2",
        unsettled(192),
        Resident { registers_per_block: 32 * KIB, ..KEPLER },
        "cores: Programming Guide 9, one column with 3.0",
        "load/store units: no drawing of Tegra K1 was found, 16 or 32 as in others of its time",
    ),
    row("3.5", exactly(32, 192), KEPLER, "Kepler GK110 white paper (2012)", ""),
    row(
        "3.7",
        exactly(32, 192),
        Resident { registers: 128 * KIB, ..resident(64, 16, 112, 48) },
        "Kepler GK110/210 white paper (2014)",
        "",
    ),
    row("5.0", exactly(32, 128), resident(64, 32, 64, 48), "GeForce GTX 750 Ti white paper (2014)", ""),
    row("5.2", exactly(32, 128), resident(64, 32, 96, 48), "GeForce GTX 980 white paper (2014)", ""),
    row(
        "5.3",
        unsettled(128),
        Resident { registers_per_block: 32 * KIB, ..resident(64, 32, 64, 48) },
        "cores: Programming Guide 9; deviceQuery of Jetson Nano",
        NO_DRAWING,
    ),
    row(
        "6.0",
        exactly(16, 64),
        resident(64, 32, 64, 48),
        "Tesla P100 white paper (2016), drawing of the GP100 multiprocessor",
        "",
    ),
    row("6.1", exactly(32, 128), resident(64, 32, 96, 48), "GeForce GTX 1080 white paper (2016)", ""),
    row(
        "6.2",
        exactly(32, 128),
        Resident { registers_per_block: 32 * KIB, ..resident(64, 32, 64, 48) },
        "cores: Programming Guide 9; deviceQuery of Jetson TX2",
        "load/store units: as 6.1, which is drawn with the same four partitions of 32 cores",
    ),
    row("7.0", exactly(32, 64), resident(64, 32, 96, 96), "Tesla V100 white paper (2017)", ""),
    row(
        "7.2",
        unsettled(64),
        resident(64, 32, 96, 96),
        "cores: deviceQuery of Jetson AGX Xavier",
        "load/store units: no drawing of Xavier was found, 16 or 32 as in others of its time; the rest as 7.0",
    ),
    row(
        "7.5",
        exactly(16, 64),
        resident(32, 16, 64, 64),
        "Turing white paper (2018), drawing of the TU102 multiprocessor",
        "",
    ),
    row(
        "8.0",
        exactly(32, 64),
        reserving(64, 32, 164),
        "A100 white paper (2020), drawing of the GA100 multiprocessor",
        "",
    ),
    row(
        "8.6",
        exactly(16, 128),
        reserving(48, 16, 100),
        "GA102 white paper (2020), drawing of the multiprocessor",
        "",
    ),
    row(
        "8.7",
        unsettled(128),
        reserving(48, 16, 164),
        "cores: Jetson AGX Orin technical brief, deviceQuery of Jetson Orin NX",
        NO_DRAWING,
    ),
    row(
        "8.8",
        unsettled(128),
        reserving(48, 16, 100),
        "CUDA C++ Core Libraries, arch_traits: as 8.6; not in the guide",
        "units: cores as 8.6; load/store units 16 or 32",
    ),
    row("8.9", exactly(16, 128), ADA, "Ada white paper (2022), drawing of the AD102 multiprocessor", ""),
    row(
        "9.0",
        exactly(32, 128),
        BLACKWELL,
        "H100 white paper (2022), drawing of the GH100 multiprocessor",
        "",
    ),
    row("10.0", unsettled(128), BLACKWELL, "cores: Best Practices Guide 13", NO_DRAWING),
    row("10.1", unsettled(128), THOR, "the number of 11.0 in CUDA 12.8 and 12.9", NO_DRAWING),
    row("10.3", unsettled(128), BLACKWELL, "cores: Best Practices Guide 13", NO_DRAWING),
    row(
        "10.7",
        [Between { least: 16, most: 32 }, Between { least: 64, most: 128 }],
        reserving(32, 16, 328),
        "resident: CUDA Programming Guide 13.4; units: no source",
        "16 or 32 load/store units, 64 or 128 cores, as in others of its time; shared memory: the oversized configuration, which \
         a kernel must ask for",
    ),
    row("11.0", unsettled(128), THOR, "cores: Jetson Thor, 2560 on 20 multiprocessors", NO_DRAWING),
    row(
        "12.0",
        exactly(16, 128),
        RTX_BLACKWELL,
        "cores: RTX Blackwell white paper (2025); load/store units: Huerta et al., MICRO 2025, a request of a warp in two cycles",
        "resident blocks: 24 in the Programming Guide 13, 32 in 12.9 and in the Blackwell Tuning Guide",
    ),
    row(
        "12.1",
        exactly(16, 128),
        RTX_BLACKWELL,
        "Programming Guide 13, one column with 12.0",
        "load/store units: as 12.0; resident blocks: 24 in the Programming Guide 13, 32 in 12.9",
    ),
];

const fn row(
    version: &'static str,
    [load_store_units, cuda_cores]: [Between; 2],
    resident: Resident,
    source: &'static str,
    assumed: &'static str,
) -> Capability {
    Capability { version, load_store_units, cuda_cores, resident, source, assumed }
}

/// A compute capability that is not in [`CAPABILITIES`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no compute capability {0:?} is known: want one of {list}, or give the units", list = Capability::all())]
pub struct CapabilityError(pub String);

impl Capability {
    /// The capabilities known, for messages: `2.0, 2.1, ...`.
    pub fn all() -> String {
        CAPABILITIES.map(|capability| capability.version).join(", ")
    }

    /// The multiprocessor of this capability, with the fewest units that it may have.
    ///
    /// # Errors
    /// Never for the rows of [`CAPABILITIES`].
    pub fn multiprocessor(&self) -> Result<Multiprocessor, ThroughputError> {
        Multiprocessor::from_units(self.load_store_units.least, self.cuda_cores.least, 32)
    }
}

impl FromStr for Capability {
    type Err = CapabilityError;

    fn from_str(text: &str) -> Result<Self, CapabilityError> {
        CAPABILITIES
            .into_iter()
            .find(|capability| capability.version == text.trim())
            .ok_or_else(|| CapabilityError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Unit;

    fn of(version: &str) -> Capability {
        version.parse().unwrap()
    }

    #[test]
    fn every_row_is_a_multiprocessor_and_2_0_is_that_of_be12() {
        for capability in CAPABILITIES {
            capability.multiprocessor().unwrap();
        }
        let fermi = of("2.0").multiprocessor().unwrap();
        assert_eq!(fermi.sigma(Unit::LoadStore).to_string(), "1/2");
        assert_eq!(fermi.sigma(Unit::CudaCore).to_string(), "1");
        let fermi_2_1 = of("2.1").multiprocessor().unwrap();
        assert_eq!(fermi_2_1.sigma(Unit::CudaCore).to_string(), "3/2");
        assert!("4.0".parse::<Capability>().is_err());
    }

    /// Where the load/store units are not settled, the fewest are used: 16 make sigma 1/2, 32 would make 1.
    #[test]
    fn what_is_not_settled_is_taken_at_its_pessimistic_end() {
        for version in ["3.2", "5.3", "7.2", "8.7", "10.0", "10.3", "11.0"] {
            let sigma = of(version).multiprocessor().unwrap().sigma(Unit::LoadStore);
            assert_eq!(sigma.to_string(), "1/2", "{version}");
            assert!(!of(version).assumed.is_empty(), "{version}");
        }
        for capability in CAPABILITIES {
            let settled = |between: Between| between.least == between.most;
            let all = [capability.load_store_units, capability.cuda_cores, capability.resident.blocks];
            assert!(all.into_iter().all(settled) || !capability.assumed.is_empty(), "{}", capability.version);
        }
    }

    /// From the table of the CUDA Programming Guide 13 and deviceQuery of four Jetsons, typed in again.
    #[test]
    fn resident_limits_of_the_guide() {
        for (version, warps, blocks, shared) in [
            ("7.5", 32, 16, 64),
            ("8.0", 64, 32, 164),
            ("8.6", 48, 16, 100),
            ("8.7", 48, 16, 164),
            ("8.9", 48, 24, 100),
            ("9.0", 64, 32, 228),
            ("10.0", 64, 32, 228),
            ("10.3", 64, 32, 228),
            ("10.7", 32, 16, 328),
            ("11.0", 48, 24, 228),
            ("12.0", 48, 24, 100),
            ("12.1", 48, 24, 100),
            ("6.2", 64, 32, 64),
            ("5.3", 64, 32, 64),
            ("7.2", 64, 32, 96),
        ] {
            let Resident { warps: found, blocks: most, shared_memory, .. } = of(version).resident;
            assert_eq!((found, most.least, shared_memory), (warps, blocks, shared << 10), "{version}");
        }
        assert_eq!(of("3.7").resident.registers, 128 << 10);
        for version in ["3.2", "5.3", "6.2"] {
            assert_eq!(of(version).resident.registers_per_block, 32 << 10, "{version}");
        }
        assert_eq!(of("8.7").resident.shared_memory_per_block, 163 << 10);
    }
}
