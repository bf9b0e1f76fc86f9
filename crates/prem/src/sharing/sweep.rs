//! Time and jitter over a range of offsets (Kr19 Fig. 4.9).

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::sharing::{Capacity, Sharing, Waiting, shared_bound, shared_run};
use crate::simulate::drawn;
use crate::{
    Durations, Execution, Jitter, Mode, Offsets, Rule, Schedule, ScheduleError, TileSet, check,
    least_offsets, planned_end,
};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::time::Nanoseconds;

/// Offsets from one to another, in equal steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffsetRange {
    /// The first.
    pub from: u64,
    /// None is larger.
    pub to: u64,
    /// The distance of one to the next, 1 or more.
    pub step: u64,
}

impl OffsetRange {
    /// The offsets.
    fn values(self) -> impl Iterator<Item = Nanoseconds> {
        std::iter::successors(Some(self.from), move |&at| at.checked_add(self.step.max(1)))
            .take_while(move |&at| at <= self.to)
            .map(Nanoseconds)
    }
}

/// How runs are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runs {
    /// The range of the durations of phases.
    pub jitter: Jitter,
    /// How many runs there are.
    pub count: u64,
    /// The seed of the random numbers, the same for each offset.
    pub seed: u64,
}

/// The times of runs with shared memory: an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The shortest.
    pub shortest: Nanoseconds,
    /// The mean, rounded down.
    pub mean: Nanoseconds,
    /// The longest.
    pub longest: Nanoseconds,
}

impl Seen {
    /// Kr19's execution jitter: the range of the times over their mean, in percent.
    pub fn jitter(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a statistic")]
        let real = |time: Nanoseconds| time.0 as f64;
        100.0 * real(self.longest - self.shortest) / real(self.mean).max(1.0)
    }
}

/// What is known of one offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// The offset between prefetches.
    pub offset: Nanoseconds,
    /// Its schedule; or why there is none.
    pub schedule: Result<Schedule, ScheduleError>,
    /// The end by plan, as if memory phases never disturbed each other; no bound.
    pub planned: Option<Nanoseconds>,
    /// The runs with shared memory, if the capacity is known.
    pub seen: Option<Seen>,
    /// The bound however the memory is shared, if a least capacity is assumed.
    pub shared: Option<Nanoseconds>,
    /// The bound by durations of phases.
    pub execution: Option<Execution>,
}

/// A sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swept {
    /// The runs without a schedule, all kernels starting at once, if the capacity is known.
    pub unscheduled: Option<Seen>,
    /// The offsets, as far as the sweep came.
    pub rows: Vec<At>,
    /// Why it ended early.
    pub stop: Option<Stop>,
}

/// What a sweep goes through.
#[derive(Debug, Clone, Copy)]
pub struct OffsetSweep<'a> {
    /// The kernels.
    pub tile_set: &'a TileSet,
    /// What waits for start times.
    pub mode: Mode,
    /// The offsets between prefetches.
    pub range: OffsetRange,
    /// The offset between writebacks, where these are timed; by default the least.
    pub writeback: Option<Nanoseconds>,
    /// What a kernel takes besides its tiles.
    pub prologue: Nanoseconds,
    /// How the memory is shared.
    pub sharing: Sharing,
    /// How runs are drawn.
    pub runs: Runs,
}

/// Goes through a range of offsets.
pub fn sweep_offsets(sweep: &OffsetSweep<'_>, limits: &Limits) -> Swept {
    let &OffsetSweep { tile_set, mode, range, writeback, prologue, sharing, runs } = sweep;
    let mut swept = Swept { unscheduled: None, rows: Vec::new(), stop: None };
    for offset in range.values() {
        let least =
            || least_offsets(tile_set, mode, Rule::Relaxed, Some(offset)).map(|least| least.writeback);
        let writeback = writeback.or_else(least).unwrap_or_default();
        let schedule = Schedule::uniform(tile_set, mode, Offsets { prefetch: offset, writeback });
        let of = |waiting| -> Result<Option<Seen>, Stop> {
            let both = schedule.as_ref().ok().zip(sharing.capacity);
            both.map(|(schedule, capacity)| shared_runs(schedule, waiting, capacity, runs, limits))
                .transpose()
        };
        let stopped = limits.stopped().map_or(Ok(()), Err);
        let timed = stopped.and_then(|()| {
            if swept.unscheduled.is_none() {
                swept.unscheduled = of(Waiting::Never)?;
            }
            of(Waiting::Timed)
        });
        let seen = match timed {
            Ok(seen) => seen,
            Err(stop) => {
                swept.stop = Some(stop);
                break;
            }
        };
        let bounds = schedule.as_ref().ok().map(|schedule| {
            let [planned, early] = [Durations::Planned, Durations::UpTo].map(|of| check(schedule, of));
            let execution = Execution::of(schedule, None, prologue, &planned, &early).ok();
            (planned_end(schedule), shared_bound(schedule, None, prologue, sharing), execution)
        });
        let (planned, shared, execution) = bounds
            .map_or((None, None, None), |(planned, shared, execution)| (Some(planned), shared, execution));
        swept.rows.push(At { offset, schedule, planned, seen, shared, execution });
    }
    swept
}

/// The times of runs of a schedule with shared memory: an estimate.
///
/// # Errors
/// If a limit stops them.
pub fn shared_runs(
    schedule: &Schedule,
    waiting: Waiting,
    capacity: Capacity,
    runs: Runs,
    limits: &Limits,
) -> Result<Seen, Stop> {
    let mut rng = ChaCha8Rng::seed_from_u64(runs.seed);
    let count = runs.count.max(1);
    let (mut shortest, mut longest, mut sum) = (Nanoseconds(u64::MAX), Nanoseconds::ZERO, 0_u128);
    for _ in 0..count {
        let time =
            shared_run(schedule, waiting, capacity, limits, |time| drawn(time, runs.jitter, &mut rng))?;
        (shortest, longest) = (shortest.min(time), longest.max(time));
        sum += u128::from(time.0);
    }
    let mean = Nanoseconds(u64::try_from(sum / u128::from(count)).unwrap_or(u64::MAX));
    Ok(Seen { shortest, mean, longest })
}
