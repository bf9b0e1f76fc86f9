//! What is asked.

use crate::Failure;
use crate::caches::{FirstCache, Held, Kept};
use crate::code::Code;
use crate::machine::Numbers;
use crate::parse::{Clocks, Sizes};
use crate::texts::{File, Listing};
use warpspan_kernel::input::{IdleDram, Moved};
use warpspan_model::limits::Limits;
use warpspan_model::time::Duration;

/// A launch of a kernel, and what is declared of it.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// The listing of the kernel.
    pub listing: Listing,
    /// What is known of its code.
    pub code: Code,
    /// The most passes of loops by all warps of all blocks together: `LABEL=N`.
    pub loop_totals: Vec<String>,
    /// The GPU; none where a system file names it.
    pub gpu: Option<String>,
    /// The blocks of the launch.
    pub grid: Sizes,
    /// The threads of a block.
    pub block: Sizes,
    /// How long the launch may take.
    pub deadline: Option<Duration>,
    /// How many lines are listed with what they add; none for all.
    pub top: Option<usize>,
    /// What is known of the launch besides its size.
    pub launch: LaunchFacts,
    /// What else is on the GPU.
    pub others: OtherKernels,
    /// The numbers of the machine.
    pub numbers: Numbers,
    /// What is declared of the traffic.
    pub traffic: Traffic,
    /// When whoever asks wants the answer no more. What is known by then is the answer, without what would lower it.
    pub limits: Limits,
}

impl Question {
    /// Looked at before each of the bounds of which an answer takes several.
    pub(crate) fn go_on(&self) -> Result<(), Failure> {
        self.limits.go_on().map_err(|_| Failure::stopped())
    }
}

/// What is known of a launch besides its size.
#[derive(Debug, Clone, Copy, Default)]
pub struct LaunchFacts {
    /// The multiprocessors of the GPU that run; none for all.
    pub multiprocessors: Option<u64>,
    /// Whether no multiprocessor gets more blocks than it has to.
    pub dealt_evenly: bool,
    /// Registers of a thread; none for what the listing says.
    pub registers: Option<u64>,
    /// Bytes of shared memory that the kernel declares; none for what the listing says.
    pub shared: Option<u64>,
    /// Bytes of shared memory that the launch adds; none where 0 is assumed.
    pub dynamic_shared: Option<u64>,
    /// The clock; none where the highest of the data sheet is assumed.
    pub clock: Option<Clocks>,
    /// Whether that clock may be above the highest of the data sheet.
    pub overclocked: bool,
    /// The longest time from the call until blocks may start; none where 0 is assumed.
    pub launch_overhead: Option<Duration>,
    /// The time of copies before the kernel; none where 0 is assumed.
    pub copy_in: Option<Duration>,
    /// The time of copies after the kernel; none where 0 is assumed.
    pub copy_out: Option<Duration>,
}

/// What else is on the GPU.
#[derive(Debug, Clone, Default)]
pub struct OtherKernels {
    /// Nothing, for which somebody vouches.
    pub alone: bool,
    /// Other kernels.
    pub co_running: Vec<Other>,
    /// The system of the other kernels, with the GPU and the machine, which then are named nowhere else.
    pub system: Option<File>,
}

/// Another kernel that may be launched at any time.
#[derive(Debug, Clone)]
pub struct Other {
    /// Its listing.
    pub listing: Listing,
    /// Its name there.
    pub entry: String,
    /// The blocks of a launch.
    pub grid: Sizes,
    /// The threads of a block.
    pub block: Sizes,
    /// The least time between launches; none for a single launch.
    pub period: Option<Duration>,
}

/// What is declared of the traffic of a launch.
#[derive(Debug, Clone, Default)]
pub struct Traffic {
    /// The bytes that it moves through the DRAM.
    pub dram_bytes: Option<Moved>,
    /// The bytes that it moves through L2.
    pub l2_bytes: Option<Moved>,
    /// The first cache of a multiprocessor keeps what a block has read until the block ends.
    pub l1_keeps_block: Option<FirstCache>,
    /// L2 keeps what the launch has touched until it ends.
    pub l2_keeps_launch: Option<Kept>,
    /// L2 holds all that the launch touches, or what it touches of some arrays, from before it starts until it ends.
    pub l2_holds: Option<Held>,
    /// Nothing else uses the DRAM.
    pub dram_idle: Option<IdleDram>,
    /// Pointers that are different parameters are to different arrays.
    pub arrays_distinct: bool,
    /// What Nsight Compute counted of such a launch.
    pub ncu: Option<File>,
}

impl Traffic {
    /// Whether a cache keeps something.
    pub(crate) const fn keeps(&self) -> bool {
        self.l1_keeps_block.is_some() || self.l2_keeps_launch.is_some() || self.l2_holds.is_some()
    }
}
