//! C(m) of a kernel from its code, on m multiprocessors that run nothing else meanwhile.
//!
//! A multiprocessor holds at most r and at least r' blocks at once, as its warps, block slots, shared memory and registers allow
//! ([`Room::resident`]); they differ where the sources leave open in which units these are given. If all B blocks fit at once,
//! B <= m r', they start together, and C(m) is the *upper* end of [`residents()`] for min(r, B) blocks: a further warp can always be left to the
//! end, so the worst case of fewer warps is not longer. Otherwise blocks follow one another, and rounds of that bound would not be
//! safe. With S = [`Residents::busy`] of a block, no multiprocessor is empty before the last block begins, which is so after at
//! most (B - 1) S / m, and then its multiprocessor has at most r S to do:
//!
//! ```text
//! C(m) = min(B S, ceil((B - 1) S / m) + r S)
//! ```
//!
//! Where the registers of a multiprocessor are known and those of a thread are not, r' counts the most that a thread may have. Not
//! covered: what the model of [`crate::model`] leaves out, first of all misses of caches.

use thiserror::Error;

use crate::bound::Upper;
use crate::engines::portfolio::{Residents, ResidentsError, residents};
use crate::limits::Limits;
use crate::model::Code;
use crate::model::{Between, Multiprocessor};
use crate::realtime::partition::Time;
use crate::realtime::partition::time::of_cycles;
use crate::realtime::rta::{Demand, Room};

/// What a multiprocessor holds at once, and its speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gpu {
    /// What is resident at once.
    pub room: Room,
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
    /// What a block takes.
    pub block: Demand,
}

/// Why there is no C(m).
#[derive(Debug, Error)]
pub enum KernelTimeError {
    /// Not one block fits.
    #[error(
        "a block needs {} threads in whole warps, {} bytes of shared memory and {} registers, a multiprocessor has {}, {} and \
         {}: want smaller blocks",
        .0.threads, .0.shared_memory, .0.registers, .1.threads, .1.shared_memory, .1.registers
    )]
    Block(Room, Room),
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
    let Between { least, most: fits } = gpu.room.resident(&launch.block);
    if fits == 0 {
        return Err(KernelTimeError::Block(launch.block.least(), gpu.room));
    }
    let at_once = [fits.min(launch.blocks), launch.block.warps()];
    let Residents { together, busy } = residents(&launch.code, at_once, gpu.multiprocessor, limits)?;
    let (together, one) = (wide(together.upper()), wide(busy));
    let blocks = u128::from(launch.blocks);
    let time = |m: u128| {
        let cycles = match blocks <= m * u128::from(least) {
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

    const ROOM: Room =
        Room { threads: 512, shared_memory: u64::MAX >> 1, registers: u64::MAX >> 1, blocks: 16 };

    fn times(room: Room, blocks: u64, [threads, shared, registers]: [u64; 3]) -> Vec<String> {
        let block = Demand::new(threads, 32, shared, Between::exactly(registers));
        let launch = Launch { code: "LLCLL".parse().unwrap(), blocks, block };
        let gpu = Gpu { room, clock: "10".parse().unwrap(), multiprocessor: Multiprocessor::default() };
        let limits = Limits::new(None, 1 << 28, 1, std::sync::Arc::default());
        kernel_times(&launch, &gpu, 6, &limits).unwrap().iter().map(ToString::to_string).collect()
    }

    /// LLCLL, 10 blocks of 8 warps, two at once on a multiprocessor: T(16) = 5 + 15 * 4 = 65 cycles where all start together, from m = 5
    /// on; before, with S = 5 + 7 * 4 = 33, the lesser of 330 and 297 / m + 66.
    #[test]
    fn blocks_that_start_together_and_that_do_not() {
        assert_eq!(times(ROOM, 10, [256, 0, 0]), ["33", "21.5", "16.5", "14.1", "6.5", "6.5"]);
        let block = Demand::new(1024, 32, 0, Between::exactly(0));
        let launch = Launch { code: "LLCLL".parse().unwrap(), blocks: 10, block };
        let gpu = Gpu { room: ROOM, clock: "10".parse().unwrap(), multiprocessor: Multiprocessor::default() };
        let limits = Limits::new(None, 1 << 28, 1, std::sync::Arc::default());
        assert!(matches!(kernel_times(&launch, &gpu, 6, &limits), Err(KernelTimeError::Block(..))));
    }

    /// 33 threads are two warps: of 1,024 threads 16 blocks, not 31. So 31 blocks do not start together on one multiprocessor: with
    /// S = 5 + 4 = 9 cycles a block they take min(31 * 9, 30 * 9 + 16 * 9) = 279, and 62 warps that start together would take
    /// only 5 + 61 * 4 = 249. On two they do start together, 16 and 15: T(32) = 5 + 31 * 4 = 129.
    #[test]
    fn blocks_of_33_threads_are_two_warps() {
        let room = Room { threads: 1024, blocks: 32, ..ROOM };
        assert_eq!(times(room, 31, [33, 0, 0])[..2], ["27.9", "12.9"]);
    }

    /// 33 registers a thread allow 31 blocks of 64 threads by division, and 24 as registers are given: 31 blocks do not surely start
    /// together on one multiprocessor, 31 * 9 = 279, though 31 may be there on one of two, T(62) = 249.
    #[test]
    fn registers_and_shared_memory_count() {
        let room = Room { threads: 2048, shared_memory: 64 << 10, registers: 65_536, blocks: 32 };
        assert_eq!(times(room, 31, [64, 0, 33])[..2], ["27.9", "24.9"]);
        assert_eq!(times(room, 16, [32, 4096, 0])[0], times(room, 16, [32, 4097, 0])[0]);
    }
}
