//! How long one launch of a kernel takes: from its code, its grid and a GPU to cycles.
//!
//! # The problem
//!
//! A grid of G blocks is launched on a GPU of M multiprocessors, each of which holds R blocks at once ([`Residency`]).
//! When is the last result there? [`Lone::bound`] bounds that where nothing else is on the GPU, and [`co_running`] with
//! co-running kernels.
//!
//! # Theory
//!
//! Every bound holds for any scheduler under which no block waits while a multiprocessor has room for it, whichever
//! multiprocessor a block goes to. Three are computed, and the smallest counts:
//!
//! - [`latency::followed`](warpspan_engines::latency::followed()) for blocks that follow one another
//!   (`docs/machine-blocks.md`);
//! - [`latency::grid_followed`](warpspan_engines::latency::grid_followed()), for code without barriers, which knows
//!   which instructions wait for which (`docs/machines.md`);
//! - the response time of a kernel by itself ([`rta::bound`](crate::bound())).
//!
//! A bound may rise or fall with R: more blocks at once share a multiprocessor, and fewer make more rounds. So where
//! R is not known, the bound is the largest over all R that are possible.

mod co_running;
mod residency;
mod single_launch;

pub use co_running::{CoRunning, CoRunningError, Member, co_running};
pub use residency::{Residency, ResidencyError, Use};
pub use single_launch::{Alone, AloneError, InAll, Lone, Multiprocessors, Where, launch_traffic};

/// What is launched: how many blocks of how many threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// G, the number of blocks.
    pub blocks: u64,
    /// The threads of a block.
    pub threads: u64,
}

impl Launch {
    /// The warps of a block.
    pub fn warps(&self) -> u64 {
        self.threads.div_ceil(warpspan_model::device::WARP)
    }
}
