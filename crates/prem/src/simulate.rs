//! Runs of the schedule with phases that take other times than planned, and the overruns that blocks detect.
//!
//! Each phase of each block takes a duration drawn evenly from a range around its planned one. A block waits
//! for its start times on the timer, but begins late if the phase before ends later than that. As in GPUguard
//! (Kr19 section 2.7.1), each phase that takes longer than planned is detected and reported as an *overrun*.
//! The results are what happened in some runs: they are estimates, never bounds.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{LONGEST, Phase, Schedule};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::time::Nanoseconds;

/// The range of the durations of phases, in percent of the planned ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jitter {
    /// The least percentage.
    pub low: u64,
    /// The largest percentage; above 100, phases overrun.
    pub high: u64,
}

/// A phase that took longer than planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overrun {
    /// The index of the run, from 0.
    pub run: u64,
    /// The index of the kernel, from 0.
    pub kernel: usize,
    /// The index of the block, from 0.
    pub block: u64,
    /// The index of the tile, from 0.
    pub tile: u64,
    /// The phase.
    pub phase: Phase,
    /// By how much it took longer.
    pub by: Nanoseconds,
}

/// The results of all runs together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The number of runs.
    pub runs: u64,
    /// The numbers of prefetches, computations and writebacks that took longer than planned.
    pub overruns: [u64; 3],
    /// The first overruns, at most [`KEPT`] of them.
    pub first: Vec<Overrun>,
    /// The longest overrun.
    pub longest: Nanoseconds,
    /// The number of phases that began later than planned because the phase before ended late.
    pub late: u64,
    /// The number of pairs of memory phases of blocks of different kernels that overlapped.
    pub memory_overlaps: u64,
    /// The time of the shortest run, from the start of its first prefetch to the end of its last writeback.
    pub shortest: Nanoseconds,
    /// The sum of the times of the runs.
    pub sum: u128,
    /// The time of the longest run.
    pub longest_run: Nanoseconds,
}

/// The most overruns that are kept.
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

/// A block that processes its tiles.
struct Block {
    slot: usize,
    number: u64,
    /// The time from which it is free.
    free: Nanoseconds,
}

/// The memory phases that a later one may still overlap, as kernel, start and end.
type Recent = Vec<(usize, Nanoseconds, Nanoseconds)>;

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
        longest: Nanoseconds::ZERO,
        late: 0,
        memory_overlaps: 0,
        shortest: LONGEST,
        sum: 0,
        longest_run: Nanoseconds::ZERO,
    };
    for run in 0..runs {
        let time = one(schedule, jitter, run, &mut rng, limits, &mut outcome)?;
        outcome.shortest = outcome.shortest.min(time);
        outcome.longest_run = outcome.longest_run.max(time);
        outcome.sum += u128::from(time.0);
    }
    Ok(outcome)
}

/// Plays one run and returns its time.
fn one(
    schedule: &Schedule,
    jitter: Jitter,
    run: u64,
    rng: &mut ChaCha8Rng,
    limits: &Limits,
    outcome: &mut Outcome,
) -> Result<Nanoseconds, Stop> {
    let kernels = schedule.tile_set().kernels();
    let mut blocks: Vec<Block> = Vec::new();
    for (n, slot) in schedule.slots().iter().enumerate() {
        let numbers = slot.block.map_or(0..kernels[slot.kernel].blocks, |block| block..block + 1);
        blocks.extend(numbers.map(|number| Block { slot: n, number, free: Nanoseconds::ZERO }));
    }
    let most = kernels.iter().map(|kernel| kernel.tiles).max().unwrap_or(0);
    let mut recent: Recent = Vec::new();
    let (mut begin, mut end) = (LONGEST, Nanoseconds::ZERO);
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
                    let overlaps = |&&(kernel, s, e): &&(usize, Nanoseconds, Nanoseconds)| {
                        kernel != slot.kernel && s < block.free && start < e
                    };
                    outcome.memory_overlaps += recent.iter().filter(overlaps).count() as u64;
                    recent.push((slot.kernel, start, block.free));
                }
                begin = begin.min(start);
                end = end.max(block.free);
            }
        }
        // Memory phases that no block can meet any more are removed.
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

/// A duration drawn from the range, rounded to the nearest whole nanosecond, and 1 or more.
pub(super) fn drawn(planned: Nanoseconds, jitter: Jitter, rng: &mut ChaCha8Rng) -> Nanoseconds {
    const PARTS: u128 = 1 << 20;
    let part: u64 = rng.random_range(0..=1 << 20);
    let percent = u128::from(jitter.low) * PARTS + u128::from(jitter.high - jitter.low) * u128::from(part);
    let length = (u128::from(planned.0) * percent + 50 * PARTS) / (100 * PARTS);
    Nanoseconds(u64::try_from(length).unwrap_or(u64::MAX).max(1))
}
