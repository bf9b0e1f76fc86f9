//! C(m) of a kernel from its code, on m multiprocessors that run nothing else meanwhile.
//!
//! A multiprocessor holds at most r blocks at once, as its resident threads and blocks allow. If all B blocks fit at once, B <= m r, they
//! start together, and C(m) is the *upper* end of [`residents()`] for min(r, B) blocks: a further warp can always be left to the
//! end, so the worst case of fewer warps is not longer. Otherwise blocks follow one another, and rounds of that bound would not be
//! safe. With S = [`Residents::busy`] of a block, no multiprocessor is empty before the last block begins, which is so after at
//! most (B - 1) S / m, and then its multiprocessor has at most r S to do:
//!
//! ```text
//! C(m) = min(B S, ceil((B - 1) S / m) + r S)
//! ```
//!
//! Not covered: shared memory and registers, which may allow fewer blocks (give that number as the blocks of a multiprocessor); and
//! what the model of [`crate::model`] leaves out, first of all misses of caches.

use thiserror::Error;

use crate::bound::Upper;
use crate::limits::Limits;
use crate::model::Multiprocessor;
use crate::partition::Time;
use crate::partition::time::of_cycles;
use crate::program::Code;
use crate::solve::{Residents, ResidentsError, residents};

/// What a multiprocessor holds at once, and its speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gpu {
    /// Resident threads.
    pub threads: u64,
    /// Resident blocks.
    pub blocks: u64,
    /// Threads of a warp.
    pub warp_size: u64,
    /// Cycles in a unit of time.
    pub clock: Time,
    /// Sigmas.
    pub multiprocessor: Multiprocessor,
}

/// A kernel as it is launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// What each warp runs.
    pub code: Code,
    /// B.
    pub blocks: u64,
    /// Threads of a block.
    pub threads_per_block: u64,
}

/// Why there is no C(m).
#[derive(Debug, Error)]
pub enum KernelTimeError {
    /// Not one block fits.
    #[error("threads_per_block = {0}: a multiprocessor holds {1} threads: want at most that")]
    Block(u64, u64),
    /// Times above [`Time::LONGEST`].
    #[error("an execution time above 1000000000: want fewer blocks")]
    TooLong,
    /// No worst case.
    #[error(transparent)]
    Code(#[from] ResidentsError),
}

/// C(m) for m = 1 .. most.
///
/// # Errors
/// If no block fits on a multiprocessor, the times are too long, or the code has no worst case.
pub fn kernel_times(
    launch: &Launch,
    gpu: &Gpu,
    most: usize,
    limits: &Limits,
) -> Result<Vec<Time>, KernelTimeError> {
    let fits = (gpu.threads / launch.threads_per_block).min(gpu.blocks);
    if fits == 0 {
        return Err(KernelTimeError::Block(launch.threads_per_block, gpu.threads));
    }
    let block = launch.threads_per_block.div_ceil(gpu.warp_size);
    let at_once = [fits.min(launch.blocks), block];
    let Residents { together, busy } = residents(&launch.code, at_once, gpu.multiprocessor, limits)?;
    let (together, one) = (wide(together.upper()), wide(busy));
    let blocks = u128::from(launch.blocks);
    let time = |m: u128| {
        let cycles = match blocks <= m * u128::from(fits) {
            true => together,
            false => {
                let before = ((blocks - 1).checked_mul(one)?).div_ceil(m);
                before.checked_add(one.checked_mul(fits.into())?)?.min(blocks.checked_mul(one)?)
            }
        };
        of_cycles(cycles, gpu.clock)
    };
    let times: Option<Vec<Time>> = (1..=most as u128).map(time).collect();
    times.ok_or(KernelTimeError::TooLong)
}

/// The cycles that may stand for an execution time: those of an upper bound, and of nothing else.
fn wide(upper: Upper) -> u128 {
    upper.cycles().0.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LLCLL, 10 blocks of 8 warps, two at once on a multiprocessor: T(16) = 5 + 15 * 4 = 65 cycles where all start together, from m = 5
    /// on; before, with S = 5 + 7 * 4 = 33, the lesser of 330 and 297 / m + 66.
    #[test]
    fn blocks_that_start_together_and_that_do_not() {
        let launch = Launch { code: "LLCLL".parse().unwrap(), blocks: 10, threads_per_block: 256 };
        let clock = "10".parse().unwrap();
        let multiprocessor = Multiprocessor::default();
        let gpu = Gpu { threads: 512, blocks: 16, warp_size: 32, clock, multiprocessor };
        let limits = Limits::new(None, 1 << 28, 1, std::sync::Arc::default());
        let times = kernel_times(&launch, &gpu, 6, &limits).unwrap();
        let text: Vec<String> = times.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["33", "21.5", "16.5", "14.1", "6.5", "6.5"]);
        let large = Launch { threads_per_block: 1024, ..launch };
        assert!(matches!(kernel_times(&large, &gpu, 6, &limits), Err(KernelTimeError::Block(1024, 512))));
    }
}
