//! The exhaustive search for offsets of whole tiles in a hyperperiod.

use rustc_hash::FxHashSet;

use crate::offset::forbidden;
use crate::search::order::slots;
use crate::search::{Found, Job};
use crate::{Mode, Schedule, ScheduleError, TileSet};
use warpspan_model::limits::{Ending, Limits, Stop};
use warpspan_model::time::Nanoseconds;

/// Tries hyperperiods upwards, as long as they are below that of `even` and below that of one tile after the
/// other.
pub(super) fn search(
    tile_set: &TileSet,
    mode: Mode,
    jobs: &[Job],
    even: Option<Schedule>,
    limits: &Limits,
    progress: impl Fn(Nanoseconds),
) -> Result<Found, ScheduleError> {
    let timer = tile_set.timer();
    let schedule = |offsets: &[Nanoseconds], hyperperiod: Nanoseconds| {
        let time = |(job, &at): (&Job, &Nanoseconds)| (at, at + job.phases.prefetch + job.phases.compute);
        let times: Vec<(Nanoseconds, Nanoseconds)> = jobs.iter().zip(offsets).map(time).collect();
        Schedule::of_slots(tile_set, mode, slots(jobs, &times), hyperperiod)
    };
    let mut serial = Vec::new();
    let (mut end, mut memory, mut longest) = (Nanoseconds::ZERO, Nanoseconds::ZERO, Nanoseconds::ZERO);
    for Job { phases, .. } in jobs {
        serial.push(end);
        end = end + phases.tile().round_up_to(timer);
        memory = memory + phases.prefetch + phases.writeback;
        longest = longest.max(phases.tile());
    }
    let mut best = match even {
        Some(even) if even.hyperperiod() <= end => even,
        _ => schedule(&serial, end)?,
    };
    let class = |i: usize| jobs.iter().position(|job| job.phases == jobs[i].phases).unwrap_or(i);
    let class: Vec<usize> = (0..jobs.len()).map(class).collect();
    let mut hyperperiod = longest.max(memory).round_up_to(timer);
    while hyperperiod < best.hyperperiod() {
        progress(hyperperiod);
        let mut attempt = Attempt {
            jobs,
            class: &class,
            timer,
            hyperperiod,
            limits,
            seen: FxHashSet::default(),
            offsets: vec![None; jobs.len()],
        };
        attempt.offsets[0] = Some(Nanoseconds::ZERO);
        match attempt.place_rest() {
            Err(stop) => return Ok(Found { schedule: best, least: hyperperiod, ending: stop.into() }),
            Ok(false) => hyperperiod = hyperperiod + timer,
            Ok(true) => {
                let offsets: Vec<Nanoseconds> =
                    attempt.offsets.iter().map(|at| at.unwrap_or_default()).collect();
                best = schedule(&offsets, hyperperiod)?;
            }
        }
    }
    Ok(Found { least: best.hyperperiod(), schedule: best, ending: Ending::Proved })
}

/// The search for offsets in one hyperperiod.
struct Attempt<'a> {
    jobs: &'a [Job],
    /// The class of each job; jobs of the same class are equal.
    class: &'a [usize],
    timer: Nanoseconds,
    hyperperiod: Nanoseconds,
    limits: &'a Limits,
    /// Sets of offsets from which the search has found no solution.
    seen: FxHashSet<Vec<Option<Nanoseconds>>>,
    offsets: Vec<Option<Nanoseconds>>,
}

/// The least memory that a set of offsets takes, in bytes, besides the offsets themselves.
const OVERHEAD: u64 = 64;

impl Attempt<'_> {
    /// Whether the jobs that are not yet placed can be placed; if so, `offsets` says where.
    fn place_rest(&mut self) -> Result<bool, Stop> {
        if let Some(stop) = self.limits.stopped() {
            return Err(stop);
        }
        let free: Vec<usize> = (0..self.jobs.len()).filter(|&i| self.offsets[i].is_none()).collect();
        if free.is_empty() {
            return Ok(true);
        }
        let size = OVERHEAD + 16 * self.jobs.len() as u64;
        if self.seen.len() as u64 * size > self.limits.memory {
            return Err(Stop::MemoryLimit);
        }
        if !self.seen.insert(self.key()) {
            return Ok(false);
        }
        for (n, &i) in free.iter().enumerate() {
            if free[..n].iter().any(|&j| self.class[j] == self.class[i]) {
                continue; // An equal job was tried before, without success.
            }
            for at in self.touching(i) {
                self.offsets[i] = Some(at);
                if self.place_rest()? {
                    return Ok(true);
                }
            }
            self.offsets[i] = None;
        }
        Ok(false)
    }

    /// The offsets of the placed jobs, with those of the same class in rising order.
    fn key(&self) -> Vec<Option<Nanoseconds>> {
        let mut order: Vec<usize> = (0..self.jobs.len()).collect();
        order.sort_by_key(|&i| (self.class[i], self.offsets[i]));
        order.into_iter().map(|i| self.offsets[i]).collect()
    }

    /// The offsets at which job i overlaps no placed job and comes just after an overlap with one of them.
    fn touching(&self, i: usize) -> Vec<Nanoseconds> {
        let mut out = Vec::new();
        for (j, at) in self.offsets.iter().enumerate() {
            let Some(at) = at else { continue };
            for (_, high) in forbidden(&self.jobs[j].phases, &self.jobs[i].phases) {
                let ticks = -(-(at.signed() + high)).div_euclid(self.timer.signed());
                let start = (ticks * self.timer.signed()).rem_euclid(self.hyperperiod.signed());
                out.extend(u64::try_from(start).map(Nanoseconds));
            }
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|&start| self.fits(i, start));
        out
    }

    fn fits(&self, i: usize, start: Nanoseconds) -> bool {
        let clear = |(j, at): (usize, &Option<Nanoseconds>)| {
            let Some(at) = at else { return true };
            let distance = start.signed() - at.signed();
            forbidden(&self.jobs[j].phases, &self.jobs[i].phases).iter().all(|&(low, high)| {
                // Tests that no distance plus a multiple of the hyperperiod lies within (low, high).
                let first = low + 1 + (distance - low - 1).rem_euclid(self.hyperperiod.signed());
                first >= high
            })
        };
        self.offsets.iter().enumerate().all(clear)
    }
}
