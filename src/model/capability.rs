//! Multiprocessors by compute capability.

use std::str::FromStr;

use thiserror::Error;

use crate::model::{Multiprocessor, ThroughputError};

/// Units in one multiprocessor of a compute capability; warps have 32 threads in all of them.
///
/// Cores: the CUDA C++ Programming Guide, table of arithmetic throughput (results a cycle and multiprocessor of
/// 32-bit floating-point additions). Load/store units: the architecture's white paper, text or drawing of the
/// multiprocessor. The model has no limit on the total issue width, which the hardware has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    /// As NVIDIA writes it, `major.minor`.
    pub version: &'static str,
    /// Load/store units, the L of Be12.
    pub load_store_units: u64,
    /// CUDA cores, the C of Be12.
    pub cuda_cores: u64,
    /// Where the numbers are from.
    pub source: &'static str,
}

/// The compute capabilities known, 2.0 to 9.0.
pub const CAPABILITIES: [Capability; 16] = [
    row("2.0", 16, 32, "Fermi white paper (2009); Be12 section 3"),
    row("2.1", 16, 48, "CUDA C Programming Guide 4.2, appendix F.4; load/store units as 2.0"),
    row("3.0", 32, 192, "GeForce GTX 680 white paper (2012)"),
    row("3.5", 32, 192, "Kepler GK110 white paper (2012)"),
    row("3.7", 32, 192, "Kepler GK110/210 white paper (2014)"),
    row("5.0", 32, 128, "GeForce GTX 750 Ti white paper (2014)"),
    row("5.2", 32, 128, "GeForce GTX 980 white paper (2014)"),
    row("6.0", 16, 64, "Tesla P100 white paper (2016), drawing of the GP100 multiprocessor"),
    row("6.1", 32, 128, "GeForce GTX 1080 white paper (2016)"),
    row("6.2", 32, 128, "as 6.1 (Jetson TX2); cores: Programming Guide"),
    row("7.0", 32, 64, "Tesla V100 white paper (2017)"),
    row("7.5", 16, 64, "Turing white paper (2018), drawing of the TU102 multiprocessor"),
    row("8.0", 32, 64, "A100 white paper (2020), drawing of the GA100 multiprocessor"),
    row("8.6", 16, 128, "GA102 white paper (2020), drawing of the multiprocessor"),
    row("8.9", 16, 128, "Ada white paper (2022), drawing of the AD102 multiprocessor"),
    row("9.0", 32, 128, "H100 white paper (2022), drawing of the GH100 multiprocessor"),
];

const fn row(
    version: &'static str,
    load_store_units: u64,
    cuda_cores: u64,
    source: &'static str,
) -> Capability {
    Capability { version, load_store_units, cuda_cores, source }
}

/// A compute capability that is not in [`CAPABILITIES`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no compute capability {0:?} is known: want one of {list}, or give the units", list = known())]
pub struct CapabilityError(pub String);

fn known() -> String {
    CAPABILITIES.map(|capability| capability.version).join(", ")
}

impl Capability {
    /// The multiprocessor of this capability.
    ///
    /// # Errors
    /// Never for the rows of [`CAPABILITIES`].
    pub fn multiprocessor(&self) -> Result<Multiprocessor, ThroughputError> {
        Multiprocessor::from_units(self.load_store_units, self.cuda_cores, 32)
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

    #[test]
    fn every_row_is_a_multiprocessor_and_2_0_is_that_of_be12() {
        for capability in CAPABILITIES {
            capability.multiprocessor().unwrap();
        }
        let fermi = "2.0".parse::<Capability>().unwrap().multiprocessor().unwrap();
        assert_eq!(fermi.sigma(Unit::LoadStore).to_string(), "1/2");
        assert_eq!(fermi.sigma(Unit::CudaCore).to_string(), "1");
        let fermi_2_1 = "2.1".parse::<Capability>().unwrap().multiprocessor().unwrap();
        assert_eq!(fermi_2_1.sigma(Unit::CudaCore).to_string(), "3/2");
        assert!("4.0".parse::<Capability>().is_err());
    }
}
