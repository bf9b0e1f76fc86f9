//! A run of the schedule with phases that take other times than planned, and what the blocks detect of it.
//!
//! Each phase of each block takes a duration drawn evenly from a range around its planned one. A block waits for its start
//! times on the timer, but not if the phase before ends later: then it begins late. As GPUguard does (Kr19 section
//! 2.7.1), each phase that takes longer than planned is detected and reported as an *overrun*. What comes out is what
//! happened in some runs: an estimate, never a bound.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::limits::{Limits, Stop};
use crate::realtime::prem::{Ns, Phase, Schedule};

/// How long phases take, in percent of what is planned, drawn evenly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jitter {
    /// At least so much.
    pub low: u64,
    /// At most so much; above 100, phases overrun.
    pub high: u64,
}

/// A phase that took longer than planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overrun {
    /// Index of the run, from 0.
    pub run: u64,
    /// Index of the kernel, from 0.
    pub kernel: usize,
    /// Index of the block, from 0.
    pub block: u64,
    /// Index of the tile, from 0.
    pub tile: u64,
    /// Which.
    pub phase: Phase,
    /// By so much.
    pub by: Ns,
}

/// What happened in all runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Runs.
    pub runs: u64,
    /// Prefetches, computations and writebacks that took longer than planned.
    pub overruns: [u64; 3],
    /// The first of them, at most [`KEPT`].
    pub first: Vec<Overrun>,
    /// The longest overrun.
    pub longest: Ns,
    /// Phases that began later than planned because the phase before ended late.
    pub late: u64,
    /// Pairs of memory phases of different kernels, of two blocks each, that overlapped.
    pub memory_overlaps: u64,
    /// From the start of the first prefetch to the end of the last writeback: the shortest, the sum, the longest.
    pub shortest: Ns,
    /// Over the runs.
    pub sum: u128,
    /// The longest run.
    pub longest_run: Ns,
}

/// Overruns kept.
pub const KEPT: usize = 10;

impl Outcome {
    /// Whether any phase took longer than planned.
    pub fn is_overrun(&self) -> bool {
        self.overruns.iter().any(|&count| count > 0)
    }

    /// Kr19's execution jitter: the range of the times of the runs over their mean, in percent.
    pub fn jitter(&self) -> f64 {
        let real = |value: u128| {
            #[expect(clippy::cast_precision_loss, reason = "a statistic")]
            let real = value as f64;
            real
        };
        let range = u128::from((self.longest_run - self.shortest).0) * u128::from(self.runs);
        100.0 * real(range) / real(self.sum.max(1))
    }
}

/// A block on its way through its tiles.
struct Block {
    slot: usize,
    number: u64,
    /// When it is free.
    free: Ns,
}

/// Memory phases that a later one may still overlap: kernel, start and end.
type Recent = Vec<(usize, Ns, Ns)>;

/// Plays the schedule `runs` times.
///
/// # Errors
/// If a limit stops it.
pub fn simulate(
    schedule: &Schedule,
    jitter: Jitter,
    runs: u64,
    seed: u64,
    limits: &Limits,
) -> Result<Outcome, Stop> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut outcome = Outcome {
        runs,
        overruns: [0; 3],
        first: Vec::new(),
        longest: Ns::ZERO,
        late: 0,
        memory_overlaps: 0,
        shortest: Ns::LONGEST,
        sum: 0,
        longest_run: Ns::ZERO,
    };
    for run in 0..runs {
        let time = one(schedule, jitter, run, &mut rng, limits, &mut outcome)?;
        outcome.shortest = outcome.shortest.min(time);
        outcome.longest_run = outcome.longest_run.max(time);
        outcome.sum += u128::from(time.0);
    }
    Ok(outcome)
}

/// One run: its time.
fn one(
    schedule: &Schedule,
    jitter: Jitter,
    run: u64,
    rng: &mut ChaCha8Rng,
    limits: &Limits,
    outcome: &mut Outcome,
) -> Result<Ns, Stop> {
    let kernels = schedule.tile_set().kernels();
    let mut blocks: Vec<Block> = Vec::new();
    for (n, slot) in schedule.slots().iter().enumerate() {
        let numbers = slot.block.map_or(0..kernels[slot.kernel].blocks, |block| block..block + 1);
        blocks.extend(numbers.map(|number| Block { slot: n, number, free: Ns::ZERO }));
    }
    let most = kernels.iter().map(|kernel| kernel.tiles).max().unwrap_or(0);
    let mut recent: Recent = Vec::new();
    let (mut begin, mut end) = (Ns::LONGEST, Ns::ZERO);
    for tile in 0..most {
        if let Some(stop) = limits.stopped() {
            return Err(stop);
        }
        for block in &mut blocks {
            let slot = &schedule.slots()[block.slot];
            if tile >= schedule.tiles(slot) {
                continue;
            }
            for phase in Phase::ALL {
                let timed = match phase {
                    Phase::Prefetch => true,
                    Phase::Compute => false,
                    Phase::Writeback => schedule.mode().times_writebacks(),
                };
                let planned = schedule.start(slot, tile, phase).1;
                let start = if timed { planned.max(block.free) } else { block.free };
                outcome.late += u64::from(timed && start > planned);
                let slot_time = schedule.phases(slot).of(phase);
                let length = drawn(slot_time, jitter, rng);
                if length > slot_time {
                    let by = length - slot_time;
                    let (kernel, block) = (slot.kernel, block.number);
                    outcome.overruns[phase as usize] += 1;
                    outcome.longest = outcome.longest.max(by);
                    if outcome.first.len() < KEPT {
                        outcome.first.push(Overrun { run, kernel, block, tile, phase, by });
                    }
                }
                block.free = start + length;
                if phase.is_memory() {
                    let overlaps = |&&(kernel, s, e): &&(usize, Ns, Ns)| {
                        kernel != slot.kernel && s < block.free && start < e
                    };
                    outcome.memory_overlaps += recent.iter().filter(overlaps).count() as u64;
                    recent.push((slot.kernel, start, block.free));
                }
                begin = begin.min(start);
                end = end.max(block.free);
            }
        }
        // what no block can meet any more
        let next = schedule.begins(tile + 1);
        let next = blocks
            .iter()
            .filter(|block| tile + 1 < schedule.tiles(&schedule.slots()[block.slot]))
            .map(|block| block.free.max(next))
            .min();
        recent.retain(|&(_, _, end)| next.is_some_and(|next| end > next));
    }
    Ok(end - begin)
}

/// A duration, rounded to the nearest whole nanosecond, 1 or more.
fn drawn(planned: Ns, jitter: Jitter, rng: &mut ChaCha8Rng) -> Ns {
    const PARTS: u128 = 1 << 20;
    let part: u64 = rng.random_range(0..=1 << 20);
    let percent = u128::from(jitter.low) * PARTS + u128::from(jitter.high - jitter.low) * u128::from(part);
    let length = (u128::from(planned.0) * percent + 50 * PARTS) / (100 * PARTS);
    Ns(u64::try_from(length).unwrap_or(u64::MAX).max(1))
}
