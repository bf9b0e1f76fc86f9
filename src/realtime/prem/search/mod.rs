//! The least hyperperiod, each slot with an offset of its own.
//!
//! # Theory
//!
//! Even offsets are rarely the best: for different kernels, the largest one dictates the distance of all, and even for
//! equal ones a hyperperiod that is no multiple of the offset may be shorter. Start times and hyperperiods here are
//! ticks of the timer.
//!
//! Whole tiles (`tile`): the hyperperiods are tried upwards from a lower bound, the longest tile or the sum of all memory
//! phases; for each, offsets are searched exhaustively. It is enough to look at offsets at which a tile touches one placed
//! before: take the offsets with the least sum, slot 0 at 0. Were there slots not tied to slot 0 by a chain of tiles, each
//! just past an overlap with the one before, all of them could start a tick earlier.
//!
//! Phases (`order`): all prefetches, then all writebacks, in the same order. This is a flow shop of two machines with time
//! lags (L. G. Mitten, *Sequencing n jobs on two machines with arbitrary time lags*, Management Science 5(3), 1959): with p
//! the prefetch, w the writeback and l the time between them, the least hyperperiod has the kernels with p <= w first, by
//! rising p + l, then the others, by falling l + w.
//!
//! Not covered: writebacks in another order than the prefetches, or between them; several hyperperiods.

mod order;
mod tile;

use crate::limits::{Limits, Stop};
use crate::realtime::prem::offset::{can_hold, least_offsets};
use crate::realtime::prem::schedule::places;
use crate::realtime::prem::{Mode, Ns, Phases, Rule, Schedule, ScheduleError, Slot, TileSet};

/// A schedule with a short hyperperiod, and how short none can be.
#[derive(Debug, Clone)]
pub struct Found {
    /// The schedule; it satisfies the rule.
    pub schedule: Schedule,
    /// No hyperperiod on the timer's grid that satisfies the rule is shorter.
    pub least: Ns,
    /// Why the search ended; at [`Stop::Proved`], `least` is attained.
    pub stop: Stop,
}

/// Searches for the least hyperperiod on the timer's grid that satisfies a rule; `None` if the rule wants blocks apart that
/// the mode starts together. `progress` is told each hyperperiod that is tried.
///
/// # Errors
/// If the run is too long.
pub fn least_hyperperiod(
    tile_set: &TileSet,
    mode: Mode,
    rule: Rule,
    limits: &Limits,
    progress: impl Fn(Ns),
) -> Result<Option<Found>, ScheduleError> {
    if !can_hold(tile_set, mode, rule) {
        return Ok(None);
    }
    let jobs = jobs(tile_set, mode, rule);
    if mode.times_writebacks() {
        let schedule = order::schedule(tile_set, mode, &jobs)?;
        let least = schedule.hyperperiod();
        return Ok(Some(Found { schedule, least, stop: Stop::Proved }));
    }
    let even = least_offsets(tile_set, mode, rule, None)
        .and_then(|offsets| Schedule::uniform(tile_set, mode, offsets).ok());
    tile::search(tile_set, mode, &jobs, even, limits, progress).map(Some)
}

/// Slots that may all have the same offset, since the rule lets them overlap; every two jobs must be apart.
struct Job {
    slots: Vec<(usize, Option<u64>)>,
    phases: Phases,
}

fn jobs(tile_set: &TileSet, mode: Mode, rule: Rule) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for place in places(tile_set, mode) {
        match jobs.last_mut() {
            Some(job) if rule == Rule::Relaxed && job.slots[0].0 == place.0 => job.slots.push(place),
            _ => jobs.push(Job { slots: vec![place], phases: tile_set.kernels()[place.0].phases }),
        }
    }
    jobs
}

/// The slots of jobs that have a prefetch and a writeback each, in the order of kernels and blocks.
fn slots(jobs: &[Job], times: &[(Ns, Ns)]) -> Vec<Slot> {
    let of_job = |(job, &(prefetch, writeback)): (&Job, &(Ns, Ns))| -> Vec<Slot> {
        let slot = |&(kernel, block): &(usize, Option<u64>)| Slot { kernel, block, prefetch, writeback };
        job.slots.iter().map(slot).collect()
    };
    jobs.iter().zip(times).flat_map(of_job).collect()
}
