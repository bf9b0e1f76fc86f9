//! C(m) of a kernel from its code, on m multiprocessors that run nothing else meanwhile.
//!
//! A multiprocessor holds at most r and at least r' blocks at once, as its warps, block slots, shared memory
//! and registers allow ([`Resources::resident`]); r and r' differ where the sources leave open in which units
//! these are given. If all B blocks fit at once, that is B <= m r', they start together, and C(m) is the
//! *upper* end of [`residents()`] for min(r, B) blocks: a further warp can always be left to the end, so the
//! worst case of fewer warps is no longer. Otherwise blocks follow one another, and rounds of that bound
//! would not be safe. C(m) is then the bound of [`relay`](warpspan_engines::relay) on m multiprocessors with one
//! queue, the largest for any number of slots from r' to r.
//!
//! On machines with latency and issue width, C(m) is the bound on the cycle in which the last result is there
//! ([`latency::completion`]), for any number of slots as well. It includes the cycles for which blocks of another
//! task that ended before may still hold units.
//!
//! Where the registers of a multiprocessor are known and those of a thread are not, r' assumes the most
//! registers that a thread may have. Not covered is what the model of [`warpspan_model`] leaves out, above all
//! cache misses.

use std::sync::Arc;

use thiserror::Error;

use crate::ticks::of_cycles_up;
use warpspan_check::bound::Upper;
use warpspan_engines::latency::{self, Block, Blocks, LatencyError, overhang};
use warpspan_engines::relay;
use warpspan_model::device::{Between, Demand, Gpu, Resources};
use warpspan_model::limits::Limits;
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::time::Millionths;
use warpspan_model::{Code, Cycles, Grid, Multiprocessor};
use warpspan_solver::portfolio::{Residents, ResidentsError, residents};

/// A kernel as it is launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// What each warp runs, and on what.
    pub runs: Runs,
    /// B, the number of blocks.
    pub blocks: u64,
    /// What a block needs of a multiprocessor.
    pub block: Demand,
}

/// What each warp of a kernel runs, and on what multiprocessors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runs {
    /// Letters L and C, on multiprocessors of this throughput.
    Code(Code, Multiprocessor),
    /// Letters of a machine, which each multiprocessor is.
    OnMachine(Piece<Step>, Arc<Machine>),
}

/// Why a kernel has no C(m).
#[derive(Debug, Error)]
pub enum KernelTimeError {
    /// Not one block fits on a multiprocessor.
    #[error(
        "a block needs {} threads in whole warps, {} bytes of shared memory and {} registers, a multiprocessor has {}, {} and \
         {}: want smaller blocks",
        .0.threads, .0.shared_memory, .0.registers, .1.threads, .1.shared_memory, .1.registers
    )]
    Block(Resources, Resources),
    /// Without a clock, cycles cannot be converted into a time.
    #[error("no clock: want [gpu] clock_mhz")]
    NoClock,
    /// A time exceeds [`LONGEST`](crate::LONGEST).
    #[error("an execution time above 1000000000: want fewer blocks")]
    TooLong,
    /// The code has no worst case.
    #[error(transparent)]
    Code(#[from] ResidentsError),
    /// The code has no bound on its machine.
    #[error(transparent)]
    OnMachine(#[from] LatencyError),
}

/// C(m) in microseconds, for m from 1 to the number of multiprocessors of the GPU.
///
/// # Errors
/// If no block fits on a multiprocessor, if the GPU has no clock, if the times are too long, or if the code
/// has no worst case.
pub fn kernel_times(launch: &Launch, gpu: &Gpu, limits: &Limits) -> Result<Vec<Millionths>, KernelTimeError> {
    let Between { least, most: fits } = gpu.resources.resident(&launch.block);
    let clock = gpu.clock.ok_or(KernelTimeError::NoClock)?;
    if fits == 0 {
        return Err(KernelTimeError::Block(launch.block.least(), gpu.resources));
    }
    let slots = Between { least, most: fits };
    let cycles = match &launch.runs {
        Runs::Code(code, multiprocessor) => {
            of_code(launch, &Kernel { code, multiprocessor: *multiprocessor, slots }, gpu, limits)?
        }
        Runs::OnMachine(code, machine) => on_machine(launch, code, machine, slots, gpu)?,
    };
    let times = cycles.into_iter().map(|cycles| of_cycles_up(u128::from(cycles.0), clock));
    times.collect::<Option<_>>().ok_or(KernelTimeError::TooLong)
}

/// Code of L and C, with its multiprocessor and how many blocks that holds.
struct Kernel<'a> {
    code: &'a Code,
    multiprocessor: Multiprocessor,
    slots: Between,
}

/// C(m) in cycles of letters L and C.
fn of_code(
    launch: &Launch,
    kernel: &Kernel<'_>,
    gpu: &Gpu,
    limits: &Limits,
) -> Result<Vec<Cycles>, ResidentsError> {
    let multiprocessors: Vec<u64> = (1..=gpu.multiprocessors).collect();
    let following = following(launch, kernel, &multiprocessors)?;
    let at_once = [kernel.slots.most.min(launch.blocks), launch.block.warps()];
    let Residents { together, .. } = residents(kernel.code, at_once, kernel.multiprocessor, limits)?;
    let together = safe(together.upper());
    let times = multiprocessors.into_iter().zip(following).map(|(m, following)| {
        let fits = kernel.slots.least.saturating_mul(m) >= launch.blocks;
        if fits { together } else { following }
    });
    Ok(times.collect())
}

/// Bounds on the makespan on these numbers of multiprocessors, whatever the number of slots.
fn following(
    launch: &Launch,
    kernel: &Kernel<'_>,
    multiprocessors: &[u64],
) -> Result<Vec<Cycles>, ResidentsError> {
    let &Launch { blocks, ref block, .. } = launch;
    let grid = Grid::new(kernel.code.clone(), kernel.multiprocessor, block.warps(), blocks)?;
    let mut cycles = vec![Cycles(0); multiprocessors.len()];
    for slots in kernel.slots.least.clamp(1, blocks)..=kernel.slots.most.min(blocks) {
        let bounds = relay::bounds(&grid.clone().on(1, slots)?, multiprocessors)?;
        cycles.iter_mut().zip(bounds).for_each(|(most, bound)| *most = safe(bound).max(*most));
    }
    Ok(cycles)
}

/// C(m) in cycles of letters of a machine, whatever the number of slots.
fn on_machine(
    launch: &Launch,
    code: &Piece<Step>,
    machine: &Arc<Machine>,
    slots: Between,
    gpu: &Gpu,
) -> Result<Vec<Cycles>, LatencyError> {
    let &Launch { blocks: number, ref block, .. } = launch;
    let block = Block { code, warps: block.warps() };
    let of = |multiprocessors: u64| {
        let mut most = Cycles(0);
        for resident in slots.least.clamp(1, number)..=slots.most.min(number) {
            let blocks = Blocks { block, number, resident, multiprocessors, spread: false };
            most = most.max(safe(latency::completion(machine, &blocks, overhang(machine, None))?));
        }
        Ok(most)
    };
    (1..=gpu.multiprocessors).map(of).collect()
}

/// The cycles that may become an execution time: those of an upper bound, and of nothing else.
fn safe(upper: Upper) -> Cycles {
    upper.cycles()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_time;
    use warpspan_model::time::Clock;

    const RESOURCES: Resources =
        Resources { threads: 512, shared_memory: u64::MAX >> 1, registers: u64::MAX >> 1, blocks: 16 };

    fn times(
        code: &str,
        resources: Resources,
        blocks: u64,
        [threads, shared, registers]: [u64; 3],
    ) -> Vec<String> {
        let block = Demand::new(threads, 32, shared, Between::exactly(registers));
        kernel_times(&launch(code, blocks, block), &gpu(resources), &limits())
            .unwrap()
            .into_iter()
            .map(write_time)
            .collect()
    }

    fn launch(code: &str, blocks: u64, block: Demand) -> Launch {
        let runs = Runs::Code(code.parse().unwrap(), Multiprocessor::default());
        Launch { runs, blocks, block }
    }

    fn gpu(resources: Resources) -> Gpu {
        let clock = Clock::from_megahertz("10");
        Gpu { multiprocessors: 6, resources, register_parts: 1, clock }
    }

    fn limits() -> Limits {
        Limits::new(None, 1 << 28, 1, std::sync::Arc::default())
    }

    /// LLCLL in 10 blocks of 8 warps, two at once on a multiprocessor. From m = 5 on all blocks start
    /// together, and T(16) = 5 + 15 * 4 = 65 cycles. On one multiprocessor, 10 * 8 * 4 + 5 - 4 = 321 cycles.
    /// Between these, P(x) = 32 x + 1, L = 65 and Q(y) = 32 y from y = 2 on, since the string is odd: on two
    /// multiprocessors min(P(6), L + Q(4)) = 193.
    #[test]
    fn blocks_that_start_together_and_that_do_not() {
        assert_eq!(
            times("LLCLL", RESOURCES, 10, [256, 0, 0]),
            ["32.1", "19.3", "12.9", "12.9", "6.5", "6.5"]
        );
        let block = Demand::new(1024, 32, 0, Between::exactly(0));
        let found = kernel_times(&launch("LLCLL", 10, block), &gpu(RESOURCES), &limits());
        assert!(matches!(found, Err(KernelTimeError::Block(..))));
    }

    #[test]
    fn cycles_without_a_clock_are_no_time() {
        let block = Demand::new(256, 32, 0, Between::exactly(0));
        let gpu = Gpu { clock: None, ..gpu(RESOURCES) };
        assert!(matches!(
            kernel_times(&launch("LLCLL", 1, block), &gpu, &limits()),
            Err(KernelTimeError::NoClock)
        ));
    }

    /// A block of 33 threads has two warps, so 1,024 threads hold 16 such blocks, not 31. So 31 blocks do not
    /// start together on one multiprocessor: they take 62 * 2 + 2 (3 - 2) = 126, whereas 62 warps that start
    /// together would take only 3 + 61 * 2 = 125. On two multiprocessors they do start together, 16 and 15:
    /// T(32) = 3 + 31 * 2 = 65.
    #[test]
    fn blocks_of_33_threads_are_two_warps() {
        let resources = Resources { threads: 1024, blocks: 32, ..RESOURCES };
        assert_eq!(times("LLC", resources, 31, [33, 0, 0])[..2], ["12.6", "6.5"]);
    }

    /// With 33 registers a thread, division allows 31 blocks of 64 threads, but only 24 fit in the units in
    /// which registers are allocated. So 31 blocks are not sure to start together on one multiprocessor, 126
    /// cycles, though on two there may be 31 of them on one, T(62) = 125.
    #[test]
    fn registers_and_shared_memory_count() {
        let resources = Resources { threads: 2048, shared_memory: 64 << 10, registers: 65_536, blocks: 32 };
        assert_eq!(times("LLC", resources, 31, [64, 0, 33])[..2], ["12.6", "12.5"]);
        assert_eq!(
            times("LLC", resources, 16, [32, 4096, 0])[0],
            times("LLC", resources, 16, [32, 4097, 0])[0]
        );
    }
}
