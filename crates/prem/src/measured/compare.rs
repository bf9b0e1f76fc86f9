//! Measured times compared with planned ones, and with bounds.

use crate::measured::{Measured, Recorded};
use crate::{Contention, Execution, Phase, Phases, Schedule};
use warpspan_model::time::Nanoseconds;

/// What the measurement says of a schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The times of the runs.
    pub makespan: Makespan,
    /// The bound on them, if there is one.
    pub execution: Option<Execution>,
    /// The phases, where they were recorded.
    pub phases: Vec<PhaseTimes>,
    /// The memory phases that overlapped, where their starts were recorded.
    pub crowd: Option<Crowd>,
    /// The granularity of the timer, by which a difference of two readings may be too large.
    pub timer: Nanoseconds,
}

/// The times of runs, each from the first start of a block to the last end of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Makespan {
    /// How many runs there are.
    pub runs: usize,
    /// The shortest.
    pub shortest: Nanoseconds,
    /// The mean, rounded down.
    pub mean: Nanoseconds,
    /// The longest.
    pub longest: Nanoseconds,
}

/// The measured times of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseTimes {
    /// The phase.
    pub phase: Phase,
    /// The shortest.
    pub shortest: Nanoseconds,
    /// The one in the middle; of two, the longer.
    pub median: Nanoseconds,
    /// The mean, rounded down.
    pub mean: Nanoseconds,
    /// The longest.
    pub longest: Nanoseconds,
    /// The longest after the first tile of each block, of which Kr19 says that its instructions are not yet in the cache.
    pub longest_later: Option<Nanoseconds>,
    /// The duration that the file gives.
    pub planned: Nanoseconds,
    /// The duration that the bound on the time rests on; `None` if there is no bound.
    pub granted: Option<Nanoseconds>,
    /// How many took longer than that for certain.
    pub above: usize,
}

/// Memory phases that overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crowd {
    /// Pairs of memory phases of different kernels that overlap.
    pub between: u64,
    /// Pairs of memory phases of different blocks of a kernel that overlap.
    pub within: u64,
    /// The most blocks in memory phases at one time.
    pub most: u64,
}

impl Compared {
    /// Whether a run took longer than the bound for certain.
    pub fn exceeds(&self) -> bool {
        self.execution.is_some_and(|bound| is_above(self.makespan.longest, bound.time(), self.timer))
    }

    /// Whether a phase took longer than the bound assumes.
    pub fn breaks(&self) -> bool {
        self.phases.iter().any(|times| times.above > 0)
    }
}

impl Makespan {
    /// Kr19's execution jitter: the range of the times over their mean, in percent.
    pub fn jitter(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a statistic")]
        let real = |time: Nanoseconds| time.0 as f64;
        100.0 * real(self.longest - self.shortest) / real(self.mean).max(1.0)
    }
}

/// Whether what was measured is longer for certain: each of the two readings is late by less than the
/// granularity of the timer.
fn is_above(measured: Nanoseconds, bound: Nanoseconds, timer: Nanoseconds) -> bool {
    measured >= bound + timer
}

/// Holds a measurement against a schedule and its bound.
///
/// What is wrong is a sentence: kernels, blocks or tiles that are not those of the schedule.
///
/// # Errors
/// If the measurement is not one of these kernels.
pub fn compare(
    measured: &Measured,
    schedule: &Schedule,
    execution: Option<Execution>,
) -> Result<Compared, String> {
    let kernels = schedule.tile_set().kernels();
    let other = |key: &str, found: usize, want: u64| {
        format!("{key} = {found}, and the file has {want}: want as many")
    };
    if measured.kernels != kernels.len() {
        return Err(other("nofKernel", measured.kernels, kernels.len() as u64));
    }
    for kernel in kernels {
        if measured.blocks as u64 != kernel.blocks {
            return Err(other("nofBlocks", measured.blocks, kernel.blocks));
        }
        if let Some(tiles) = measured.tiles.filter(|&tiles| tiles as u64 != kernel.tiles) {
            return Err(other("tileCount", tiles, kernel.tiles));
        }
    }
    let timer = schedule.tile_set().timer();
    let phases = measured.phases.as_ref().zip(measured.tiles);
    let times = phases.map_or_else(Vec::new, |(lists, tiles)| {
        let of = |(phase, list): (Phase, &Vec<Recorded>)| {
            phase_times(phase, list, (measured.blocks, tiles), schedule, execution)
        };
        Phase::ALL.into_iter().zip(lists).map(of).collect()
    });
    let crowd = phases.and_then(|(lists, tiles)| crowd(lists, measured.blocks, tiles));
    Ok(Compared { makespan: makespan(measured), execution, phases: times, crowd, timer })
}

fn makespan(measured: &Measured) -> Makespan {
    let of = |run: &Vec<(Nanoseconds, Nanoseconds)>| {
        let start = run.iter().map(|&(start, _)| start).min().unwrap_or_default();
        let end = run.iter().map(|&(_, end)| end).max().unwrap_or_default();
        end - start
    };
    let times: Vec<Nanoseconds> = measured.runs.iter().map(of).collect();
    Makespan {
        runs: times.len(),
        shortest: times.iter().copied().min().unwrap_or_default(),
        mean: mean(&times),
        longest: times.iter().copied().max().unwrap_or_default(),
    }
}

fn mean(times: &[Nanoseconds]) -> Nanoseconds {
    let sum: u128 = times.iter().map(|time| u128::from(time.0)).sum();
    Nanoseconds(u64::try_from(sum / (times.len() as u128).max(1)).unwrap_or(u64::MAX))
}

fn phase_times(
    phase: Phase,
    list: &[Recorded],
    (blocks, tiles): (usize, usize),
    schedule: &Schedule,
    execution: Option<Execution>,
) -> PhaseTimes {
    let kernels = schedule.tile_set().kernels();
    let timer = schedule.tile_set().timer();
    let granted = |kernel: usize| -> Option<Nanoseconds> {
        let kernel = &kernels[kernel];
        let phases: Phases = match execution?.assumption() {
            Contention::Apart => kernel.phases,
            Contention::Contended => kernel.contended?,
        };
        Some(phases.of(phase))
    };
    let above = |(place, recorded): &(usize, &Recorded)| {
        granted(place / (blocks * tiles)).is_some_and(|granted| is_above(recorded.time, granted, timer))
    };
    let mut times: Vec<Nanoseconds> = list.iter().map(|recorded| recorded.time).collect();
    let later = list.iter().enumerate().filter(|(place, _)| place % tiles > 0).map(|(_, it)| it.time).max();
    times.sort_unstable();
    let largest = |of: &dyn Fn(usize) -> Option<Nanoseconds>| (0..kernels.len()).filter_map(of).max();
    PhaseTimes {
        phase,
        shortest: times.first().copied().unwrap_or_default(),
        median: times.get(times.len() / 2).copied().unwrap_or_default(),
        mean: mean(&times),
        longest: times.last().copied().unwrap_or_default(),
        longest_later: later,
        planned: largest(&|kernel| Some(kernels[kernel].phases.of(phase))).unwrap_or_default(),
        granted: largest(&granted),
        above: list.iter().enumerate().filter(above).count(),
    }
}

/// The overlaps of memory phases; `None` if not all starts were recorded.
fn crowd(lists: &[Vec<Recorded>; 3], blocks: usize, tiles: usize) -> Option<Crowd> {
    let mut by_kernel: Vec<Vec<(Nanoseconds, Nanoseconds)>> = Vec::new();
    for (phase, list) in Phase::ALL.into_iter().zip(lists) {
        if !phase.is_memory() {
            continue;
        }
        for (place, recorded) in list.iter().enumerate() {
            let kernel = place / (blocks * tiles);
            if by_kernel.len() <= kernel {
                by_kernel.resize(kernel + 1, Vec::new());
            }
            let start = recorded.start?;
            // A phase that seems to take no time overlaps nothing.
            if recorded.time > Nanoseconds::ZERO {
                by_kernel[kernel].push((start, start + recorded.time));
            }
        }
    }
    let within: u64 = by_kernel.iter().map(|phases| overlaps(phases).0).sum();
    let all: Vec<(Nanoseconds, Nanoseconds)> = by_kernel.concat();
    let (pairs, most) = overlaps(&all);
    Some(Crowd { between: pairs - within, within, most })
}

/// How many pairs overlap, and how many at most at one time.
fn overlaps(phases: &[(Nanoseconds, Nanoseconds)]) -> (u64, u64) {
    // Ends come before starts at the same time: such phases only touch.
    let mut events: Vec<(Nanoseconds, bool)> =
        phases.iter().flat_map(|&(start, end)| [(start, true), (end, false)]).collect();
    events.sort_unstable();
    let (mut now, mut pairs, mut most) = (0_u64, 0, 0);
    for (_, begins) in events {
        if begins {
            pairs += now;
            now += 1;
            most = most.max(now);
        } else {
            now = now.saturating_sub(1);
        }
    }
    (pairs, most)
}
