//! C(m) of a kernel from its instruction string: waves over m multiprocessors times the safe bound for one wave.
//!
//! A multiprocessor holds r blocks at once, as its resident threads and blocks allow; m of them run a kernel of B blocks in
//! ceil(B / (m r)) waves. A wave takes at most the *upper* end of [`solve()`] for the warps of r blocks, also where it has
//! fewer: a further warp can always be left to the end, so the worst case of fewer warps is not longer.
//!
//! Not covered: a multiprocessor that starts the next block before all of a wave have ended, whose blocks then overlap in
//! ways that no single wave shows; shared memory and registers, which may allow fewer blocks (give that number as the
//! blocks of a multiprocessor); and what the model of [`crate::model`] leaves out, first of all misses of caches.

use thiserror::Error;

use crate::bound::Upper;
use crate::limits::Limits;
use crate::model::{Instance, InstanceError, Kernel, Multiprocessor};
use crate::partition::Time;
use crate::partition::time::of_cycles;
use crate::solve::{Engine, IlpOptions, SolveError, solve};

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
    /// Its string.
    pub kernel: Kernel,
    /// B.
    pub blocks: u64,
    /// Threads of a block.
    pub threads_per_block: u64,
}

/// Why there is no C(m).
#[derive(Debug, Error)]
pub enum WavesError {
    /// Not one block fits.
    #[error("threads_per_block = {0}: a multiprocessor holds {1} threads: want at most that")]
    Block(u64, u64),
    /// Times above [`Time::LONGEST`].
    #[error("an execution time above 1000000000: want fewer blocks")]
    TooLong,
    /// The instance of a wave is too large.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The engine failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// C(m) for m = 1 .. most, and the bound on the cycles of a wave that it is made of.
///
/// # Errors
/// If no block fits on a multiprocessor, the times are too long, or the engine fails.
pub fn waves(
    launch: &Launch,
    gpu: &Gpu,
    most: usize,
    limits: &Limits,
) -> Result<(Vec<Time>, Upper), WavesError> {
    let fits = (gpu.threads / launch.threads_per_block).min(gpu.blocks);
    if fits == 0 {
        return Err(WavesError::Block(launch.threads_per_block, gpu.threads));
    }
    let resident = fits.min(launch.blocks);
    let warps = resident.checked_mul(launch.threads_per_block.div_ceil(gpu.warp_size));
    let warps = warps.ok_or(InstanceError::Overflow)?;
    let instance = Instance::single(launch.kernel.clone(), warps, gpu.multiprocessor)?;
    let upper = solve(&instance, Engine::Auto, &IlpOptions::default(), limits, None)?.interval.upper();
    let wave = u128::from(upper.cycles().0);
    let time = |m: u64| {
        let waves = launch.blocks.div_ceil(m.saturating_mul(fits));
        of_cycles(wave.checked_mul(waves.into())?, gpu.clock)
    };
    let times: Option<Vec<Time>> = (1..=most as u64).map(time).collect();
    Ok((times.ok_or(WavesError::TooLong)?, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LLCLL: T(16) = 5 + 15 * 4 = 65 cycles; 10 blocks of 256 threads, 2 a multiprocessor: 5, 3, 2, 2, 1 waves.
    #[test]
    fn waves_of_llcll() {
        let launch = Launch { kernel: "LLCLL".parse().unwrap(), blocks: 10, threads_per_block: 256 };
        let clock = "10".parse().unwrap();
        let multiprocessor = Multiprocessor::default();
        let gpu = Gpu { threads: 512, blocks: 16, warp_size: 32, clock, multiprocessor };
        let limits = Limits::new(None, 1 << 28, 1, std::sync::Arc::default());
        let (times, upper) = waves(&launch, &gpu, 6, &limits).unwrap();
        assert_eq!(upper.cycles().0, 65);
        let text: Vec<String> = times.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["32.5", "19.5", "13", "13", "6.5", "6.5"]);
        let large = Launch { threads_per_block: 1024, ..launch };
        assert!(matches!(waves(&large, &gpu, 6, &limits), Err(WavesError::Block(1024, 512))));
    }
}
