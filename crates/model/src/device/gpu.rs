//! A GPU.

use crate::device::{REGISTER_PARTS, Resources};
use crate::time::Clock;

/// A GPU of equal multiprocessors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gpu {
    /// The number of multiprocessors, 1 or more.
    pub multiprocessors: u64,
    /// What each multiprocessor has.
    pub resources: Resources,
    /// The number of equal parts into which the registers of a multiprocessor are divided. A warp takes all
    /// its registers from one of them. It is 1 where nothing is known of parts.
    pub register_parts: u64,
    /// The clock of the multiprocessors, where it is known.
    pub clock: Option<Clock>,
}

impl Gpu {
    /// The GPU of the NVIDIA Jetson TX2: two multiprocessors of compute capability 6.2 (Pa19 section 2.2).
    pub const JETSON_TX2: Self = Self {
        multiprocessors: 2,
        resources: Resources { threads: 2048, shared_memory: 64 << 10, registers: 65_536, blocks: 32 },
        register_parts: REGISTER_PARTS,
        clock: None,
    };
}
