//! One streaming multiprocessor.

use crate::{PerUnit, Throughput, ThroughputError, Unit};

/// A streaming multiprocessor: a sigma for each kind of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Multiprocessor {
    sigma: PerUnit<Throughput>,
}

impl Multiprocessor {
    /// The multiprocessor with these sigmas.
    pub fn new(sigma_l: Throughput, sigma_c: Throughput) -> Self {
        Self {
            sigma: PerUnit::from_fn(|unit| match unit {
                Unit::LoadStore => sigma_l,
                Unit::CudaCore => sigma_c,
            }),
        }
    }

    /// The multiprocessor with these numbers of units of each kind, for warps of `warp_size` threads (Be12
    /// Eq. 1-2).
    ///
    /// # Errors
    /// As [`Throughput::from_units`].
    pub fn from_units(
        load_store_units: u64,
        cuda_cores: u64,
        warp_size: u64,
    ) -> Result<Self, ThroughputError> {
        Ok(Self::new(
            Throughput::from_units(load_store_units, warp_size)?,
            Throughput::from_units(cuda_cores, warp_size)?,
        ))
    }

    /// The sigma of a unit, as it was given.
    pub fn sigma(&self, unit: Unit) -> Throughput {
        self.sigma[unit]
    }
}

impl Default for Multiprocessor {
    /// A multiprocessor that accepts one warp a cycle on each unit.
    fn default() -> Self {
        Self::new(Throughput::ONE, Throughput::ONE)
    }
}
