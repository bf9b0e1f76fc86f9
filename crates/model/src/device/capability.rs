//! Multiprocessors by compute capability: their units, and how much is resident at once.
//!
//! A number that the sources leave open is an interval, and bounds take the end that makes them longer: the
//! fewest load/store units; the most resident blocks where more of them take longer; the fewest resident
//! blocks where the question is whether all start at once. The rows and their sources are in
//! [`CAPABILITIES`].
//!
//! The model has no limit on the total issue width. The hardware has one.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::Deserialize;
use thiserror::Error;

use crate::assumption::{Assumption, Id};
use crate::device::between::{Between, ends};
use crate::device::tables::{Text, read, text};
use crate::{Multiprocessor, ThroughputError, Unit};

/// What is known of each compute capability: `gpus/capabilities.toml`.
pub static CAPABILITIES: LazyLock<Vec<Capability>> =
    LazyLock::new(|| read::<Capabilities>(include_str!("../../gpus/capabilities.toml")).capability);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Capabilities {
    capability: Vec<Capability>,
}

/// What one multiprocessor holds at once, and how much of it one block may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resident {
    /// Warps.
    pub warps: u64,
    /// Blocks.
    #[serde(deserialize_with = "ends")]
    pub blocks: Between,
    /// Registers of 32 bits.
    pub registers: u64,
    /// Registers that one block may have.
    pub registers_per_block: u64,
    /// Registers that one thread may have.
    pub registers_per_thread: u64,
    /// Bytes of shared memory.
    pub shared_memory: u64,
    /// Bytes of shared memory that one block may have. Where more than 48 KiB must be asked for, the block
    /// has asked for it.
    pub shared_memory_per_block: u64,
    /// Bytes of shared memory that each block takes in addition to its own.
    pub reserved_shared_memory: u64,
    /// The unit, in bytes, in which shared memory is given to a block (`cuda_occupancy.h` of the CUDA
    /// toolkit).
    pub shared_memory_unit: u64,
    /// The unit in which registers are given to a warp (from the same file).
    pub registers_unit: u64,
}

/// What is assumed without a source, and why. Each text is empty where nothing is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Assumed {
    /// The assumption about the load/store units.
    #[serde(deserialize_with = "text")]
    pub load_store_units: Text,
    /// The assumption about the CUDA cores.
    #[serde(deserialize_with = "text")]
    pub cuda_cores: Text,
    /// The assumption about what is resident at once.
    #[serde(deserialize_with = "text")]
    pub resident: Text,
}

impl fmt::Display for Assumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [self.load_store_units, self.cuda_cores, self.resident];
        let said: Vec<&str> = all.into_iter().filter(|text| !text.is_empty()).collect();
        f.write_str(&said.join("; "))
    }
}

/// What is known of the multiprocessors of a compute capability. Warps have 32 threads in each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capability {
    /// The version as NVIDIA writes it, `major.minor`.
    #[serde(deserialize_with = "text")]
    pub version: Text,
    /// The number of load/store units, which give the sigma of L in Be12.
    #[serde(deserialize_with = "ends")]
    pub load_store_units: Between,
    /// The number of CUDA cores, which give the sigma of C in Be12.
    pub cuda_cores: u64,
    /// What is resident at once.
    pub resident: Resident,
    /// The most kernels that a device of this capability runs at once, whatever room its multiprocessors have. The CUDA C++ Programming
    /// Guide calls it the maximum number of resident grids per device.
    pub resident_kernels: u64,
    /// The bytes of the memory of a multiprocessor of which a driver makes its first cache and shared memory; none where that is not
    /// known, or these are two memories.
    pub unified_cache: Option<u64>,
    /// How often a line may be in L2: once for each of its halves, where it has two.
    pub copies_in_l2: u64,
    /// The sources of the numbers of units.
    #[serde(deserialize_with = "text")]
    pub source: Text,
    /// What is assumed without a source.
    #[serde(default)]
    pub assumed: Assumed,
}

/// A compute capability that is not in [`CAPABILITIES`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no compute capability {0:?} is known: want one of {list}, or give the units", list = Capability::all())]
pub struct CapabilityError(pub String);

impl Capability {
    /// Whether L1 and shared memory are parts of one memory, which the driver divides as a kernel needs it. They are
    /// two memories in Maxwell and Pascal. Source: CUDA C++ Programming Guide, compute capabilities.
    pub fn divides_shared_memory(&self) -> bool {
        !["5", "6"].contains(&self.version.split('.').next().unwrap_or_default())
    }

    /// The bytes that shared memory leaves of the unified cache to L1 where it is as large as it can be.
    pub fn first_cache(&self) -> Option<u64> {
        self.unified_cache?.checked_sub(self.resident.shared_memory)
    }

    /// All known capabilities, for messages: `2.0, 2.1, ...`.
    pub fn all() -> String {
        CAPABILITIES.iter().map(|known| known.version).collect::<Vec<_>>().join(", ")
    }

    /// The multiprocessor of this capability, with the fewest load/store units that it may have.
    ///
    /// # Errors
    /// Never for the rows of [`CAPABILITIES`].
    pub fn multiprocessor(&self) -> Result<Multiprocessor, ThroughputError> {
        Multiprocessor::from_units(self.load_store_units.least, self.cuda_cores, 32)
    }

    /// The multiprocessor with the most load/store units that it may have, for lower bounds.
    ///
    /// # Errors
    /// As [`Capability::multiprocessor`].
    pub fn fastest(&self) -> Result<Multiprocessor, ThroughputError> {
        Multiprocessor::from_units(self.load_store_units.most, self.cuda_cores, 32)
    }

    /// What numbers rest on for which this capability gave the sigmas of these units, if there are any; the figures without a source alone,
    /// where there are such.
    pub fn assumes(&self, units: &[Unit]) -> Option<Assumption> {
        let Between { least, most } = self.load_store_units;
        let figures = |is_open: &dyn Fn(&str) -> bool| {
            let of_cores = is_open(self.assumed.cuda_cores) && units.contains(&Unit::CudaCore);
            let of_load_store = is_open(self.assumed.load_store_units) && units.contains(&Unit::LoadStore);
            let cores = of_cores.then(|| format!("{} CUDA cores", self.cuda_cores));
            let load_store = of_load_store.then(|| {
                if least < most {
                    format!("{least} load/store units; sources leave {least} to {most} open")
                } else {
                    format!("{least} load/store units")
                }
            });
            cores.into_iter().chain(load_store).collect::<Vec<_>>().join(" and ")
        };
        let [all, open] = [figures(&|_| true), figures(&|why| !why.is_empty())];
        let subject = self.of_multiprocessor();
        if open.is_empty() {
            return (!all.is_empty()).then(|| Assumption::sourced(Id::GpuUnits, subject, all, self.source));
        }
        Some(Assumption::assumed(Id::GpuUnits, subject, open))
    }

    /// What numbers rest on that depend on what is resident at once, if that is assumed.
    pub fn assumes_resident(&self) -> Option<Assumption> {
        let resident = self.assumed.resident;
        (!resident.is_empty())
            .then(|| Assumption::assumed(Id::GpuResident, self.of_multiprocessor(), resident))
    }

    fn of_multiprocessor(&self) -> String {
        format!("a multiprocessor of {}", self.version)
    }
}

impl FromStr for Capability {
    type Err = CapabilityError;

    fn from_str(text: &str) -> Result<Self, CapabilityError> {
        CAPABILITIES
            .iter()
            .find(|capability| capability.version == text.trim())
            .copied()
            .ok_or_else(|| CapabilityError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;
    use crate::assumption::Kind;

    fn of(version: &str) -> Capability {
        version.parse().unwrap()
    }

    #[test]
    fn every_row_is_a_multiprocessor_and_2_0_is_that_of_be12() {
        for capability in CAPABILITIES.iter() {
            capability.multiprocessor().unwrap();
        }
        let fermi = of("2.0").multiprocessor().unwrap();
        assert_eq!(fermi.sigma(Unit::LoadStore).to_string(), "1/2");
        assert_eq!(fermi.sigma(Unit::CudaCore).to_string(), "1");
        let fermi_2_1 = of("2.1").multiprocessor().unwrap();
        assert_eq!(fermi_2_1.sigma(Unit::CudaCore).to_string(), "3/2");
        assert!("4.0".parse::<Capability>().is_err());
    }

    /// Where the number of load/store units is not settled, the fewest are used: 16 make sigma 1/2, while 32
    /// would make it 1.
    #[test]
    fn what_is_not_settled_is_taken_at_its_pessimistic_end() {
        for version in ["3.2", "5.3", "7.2", "8.7", "10.0", "10.3", "11.0"] {
            let sigma = of(version).multiprocessor().unwrap().sigma(Unit::LoadStore);
            assert_eq!(sigma.to_string(), "1/2", "{version}");
            assert!(!of(version).assumed.load_store_units.is_empty(), "{version}");
        }
        for capability in CAPABILITIES.iter() {
            let settled = |between: Between, why: &str| between.least == between.most || !why.is_empty();
            assert!(settled(capability.load_store_units, capability.assumed.load_store_units));
            assert!(settled(capability.resident.blocks, capability.assumed.resident));
        }
    }

    #[test]
    fn what_is_assumed_of_the_sigmas_is_said() {
        let said = |version: &str, units: &[Unit]| {
            of(version).assumes(units).map_or_else(String::new, |one| one.value)
        };
        assert_eq!(said("8.7", &Unit::ALL), "16 load/store units; sources leave 16 to 32 open");
        assert_eq!(said("8.7", &[Unit::CudaCore]), "128 CUDA cores");
        assert_eq!(said("8.7", &[]), "");
        assert_eq!(said("6.2", &Unit::ALL), "32 load/store units");
        assert!(said("8.8", &Unit::ALL).starts_with("128 CUDA cores and 16 load/store units; "));
        assert_eq!(said("8.8", &[Unit::CudaCore]), "128 CUDA cores");
        // For 12.0 only the number of resident blocks is open, and no sigma rests on it.
        for version in ["2.0", "3.5", "7.0", "8.0", "8.6", "9.0", "12.0"] {
            let sourced = of(version).assumes(&Unit::ALL).unwrap();
            assert_eq!(sourced.kind, Kind::Sourced, "{version}");
        }
        assert_eq!(said("8.0", &Unit::ALL), "64 CUDA cores and 32 load/store units");
        assert!(of("7.2").assumes_resident().is_some() && of("8.7").assumes_resident().is_none());
    }

    /// These numbers were typed in again from the table of the CUDA Programming Guide 13 and deviceQuery of
    /// four Jetsons.
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
