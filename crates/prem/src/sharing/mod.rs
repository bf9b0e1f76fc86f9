//! Memory phases that overlap share the memory: an estimate of the time that they take then, and a bound.
//!
//! # Theory
//!
//! **The estimate** ([`shared_run`]) is processor sharing. While n blocks are in a memory phase, each of them proceeds
//! at the rate min(1, K/n), where rate 1 is that of the phase by itself. K, the [`Capacity`], is the number of blocks
//! that the memory serves at full speed. Kr19 does not state it. It is fitted to one measured number, the time U of all
//! kernels without a schedule, on the premise that the memory is never idle then: K = (sum of all memory phases of all
//! blocks) / U. Everything else that the estimate says, such as the times under a schedule and the jitter, is not
//! fitted and can be compared with measurements.
//!
//! **The bound** ([`shared_bound`]) assumes less: each memory phase holds as much work as its duration, at least min(n,
//! k) of that work is done in each unit of time, and *nothing* about how it is shared. docs/prem.md has the proof. k is
//! assumed, not fitted: the mean of measured runs proves nothing.
//!
//! | item | side | what it does |
//! |---|---|---|
//! | [`Capacity::fitted`] | estimate | K from a measured time without a schedule |
//! | [`shared_run`] | estimate | the time of one run |
//! | [`sweep_offsets`] | estimate and bound | times and jitter over a range of offsets (Kr19 Fig. 4.9) |
//! | [`shared_bound`] | upper | the time, however the memory is shared |

mod bound;
mod fluid;
mod read;
mod sweep;

use std::fmt;

use crate::{MOST_BLOCKS, TileSet};
use warpspan_model::time::{Nanoseconds, decimal};

pub use bound::shared_bound;
pub use fluid::{Waiting, shared_run};
pub use read::SharingDraft;
pub(super) use read::read;
pub use sweep::{At, OffsetRange, OffsetSweep, Runs, Seen, Swept, shared_runs, sweep_offsets};

/// How the memory is shared, as far as a file says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sharing {
    /// How many blocks it serves at full speed, for estimates.
    pub capacity: Option<Capacity>,
    /// How many it is assumed to serve at least, whatever happens, for the bound.
    pub at_least: Option<u64>,
}

/// How many blocks the memory serves at the speed that each has by itself: 1 or more, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capacity(u64);

/// The digits of a capacity after the point.
const DIGITS: usize = 6;
/// One block.
const BLOCK: u64 = 1_000_000;

impl Capacity {
    /// Reads a decimal number of blocks.
    ///
    /// # Errors
    /// If it is no decimal number from 1 to 8192 with up to six digits after the point.
    pub fn read(text: &str) -> Result<Self, String> {
        let read = decimal::read(text, DIGITS).ok().and_then(Self::of_millionths);
        read.ok_or_else(|| format!("want a number from 1 to {MOST_BLOCKS} with up to {DIGITS} decimals"))
    }

    /// The capacity with which a memory that never rests does all memory phases of these kernels in the given
    /// time, rounded to a millionth; `None` if it is below 1 or above 8192.
    pub fn fitted(tile_set: &TileSet, unscheduled: Nanoseconds) -> Option<Self> {
        let work = u128::from(memory_work(tile_set).0) * u128::from(BLOCK);
        let time = u128::from(unscheduled.0);
        let millionths = (work + time / 2).checked_div(time)?;
        Self::of_millionths(u64::try_from(millionths).ok()?)
    }

    fn of_millionths(millionths: u64) -> Option<Self> {
        (BLOCK..=MOST_BLOCKS * BLOCK).contains(&millionths).then_some(Self(millionths))
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal::write(self.0, DIGITS))
    }
}

/// The durations of all memory phases of all blocks together.
pub fn memory_work(tile_set: &TileSet) -> Nanoseconds {
    let of = |kernel: &crate::TiledKernel| {
        (kernel.phases.prefetch + kernel.phases.writeback) * kernel.tiles * kernel.blocks
    };
    tile_set.kernels().iter().map(of).sum()
}
