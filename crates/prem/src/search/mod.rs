//! Search for the least hyperperiod, with a separate offset for each slot.
//!
//! # Theory
//!
//! Even offsets are rarely the best: for different kernels, the largest one dictates the distance of all, and
//! even for equal ones a hyperperiod that is not a multiple of the offset may be shorter. Start times and
//! hyperperiods are in ticks of the timer here.
//!
//! For whole tiles (`tile`), hyperperiods are tried upwards from a lower bound, which is the longest tile or
//! the sum of all memory phases; for each of them, the search for offsets is exhaustive. It is enough to try
//! offsets at which a tile touches one that was placed before. To see this, take the offsets with the least
//! sum, with slot 0 at 0. If there were slots not tied to slot 0 by a chain of tiles, each just past an
//! overlap with the one before, all of these slots could start a tick earlier.
//!
//! For phases (`order`), all prefetches come first, then all writebacks, in the same order. This is a flow
//! shop of two machines with time lags (L. G. Mitten, *Sequencing n jobs on two machines with arbitrary time
//! lags*, Management Science 5(3), 1959). Let p be the prefetch, w the writeback and l the time between them.
//! The least hyperperiod has the kernels with p <= w first, by rising p + l, then the others, by falling l +
//! w.
//!
//! Not covered are writebacks in another order than the prefetches, writebacks between prefetches, and
//! several hyperperiods.

mod order;
mod tile;

use crate::mode::places;
use crate::offset::{can_hold, least_offsets};
use crate::{Mode, Phases, Rule, Schedule, ScheduleError, TileSet};
use warpspan_model::limits::{Ending, Limits};
use warpspan_model::time::Nanoseconds;

/// A schedule with a short hyperperiod, and a proved lower bound on all hyperperiods.
#[derive(Debug, Clone)]
pub struct Found {
    /// The schedule; it satisfies the rule.
    pub schedule: Schedule,
    /// The lower bound: no hyperperiod on the timer's grid that satisfies the rule is shorter.
    pub least: Nanoseconds,
    /// How the search ended; at [`Ending::Proved`], the schedule attains `least`.
    pub ending: Ending,
}

/// Searches for the least hyperperiod on the timer's grid that satisfies a rule; `None` if the rule wants
/// blocks apart that the mode starts together. `progress` is called with each hyperperiod that is tried.
///
/// # Errors
/// If the run is too long.
pub fn least_hyperperiod(
    tile_set: &TileSet,
    mode: Mode,
    rule: Rule,
    limits: &Limits,
    progress: impl Fn(Nanoseconds),
) -> Result<Option<Found>, ScheduleError> {
    if !can_hold(tile_set, mode, rule) {
        return Ok(None);
    }
    let jobs = jobs(tile_set, mode, rule);
    if mode.times_writebacks() {
        let schedule = order::schedule(tile_set, mode, &jobs)?;
        let least = schedule.hyperperiod();
        return Ok(Some(Found { schedule, least, ending: Ending::Proved }));
    }
    let even = least_offsets(tile_set, mode, rule, None)
        .and_then(|offsets| Schedule::uniform(tile_set, mode, offsets).ok());
    tile::search(tile_set, mode, &jobs, even, limits, progress).map(Some)
}

/// Slots that may all have the same offset, since the rule lets them overlap. No two jobs may overlap.
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
