//! Multiprocessors by compute capability: their units, and what is resident at once.
//!
//! What the sources leave open is an interval, and bounds take the end that makes them longer: the fewest load/store units, the most
//! resident blocks where more of them take longer, the fewest where it is asked whether all start at once. The rows and their
//! sources are in [`CAPABILITIES`].
//!
//! The model has no limit on the total issue width, which the hardware has.

use std::str::FromStr;

use thiserror::Error;

use crate::model::capability_table::CAPABILITIES;
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
    pub cuda_cores: u64,
    /// What is resident at once.
    pub resident: Resident,
    /// Where the units are from.
    pub source: &'static str,
    /// What is taken for granted without a source; empty for nothing.
    pub assumed: &'static str,
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

    /// The multiprocessor of this capability, with the fewest load/store units that it may have.
    ///
    /// # Errors
    /// Never for the rows of [`CAPABILITIES`].
    pub fn multiprocessor(&self) -> Result<Multiprocessor, ThroughputError> {
        Multiprocessor::from_units(self.load_store_units.least, self.cuda_cores, 32)
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
            let all = [capability.load_store_units, capability.resident.blocks];
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
