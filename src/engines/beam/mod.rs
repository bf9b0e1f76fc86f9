//! Long schedules found by looking ahead with the remaining-time bound, and what no schedule exceeds by what was not looked at.
//!
//! # Theory
//!
//! A *front* holds states that can be reached after the same number of cycles. Of the states that the adversary's choices lead
//! to, only those go on from which, by the bound of [`Rest`], a longer schedule than the longest known may follow; and of
//! these at most [`width`](Room::width), the most promising first. With U the largest cycle + bound of a state that was left out for want of
//! room, no schedule is longer than the largest of U, the longest found and the longest known: if nothing had to be left out,
//! the longest found or known is the worst case.
//!
//! # Practice
//!
//! A state is how many warps stand at each place (group and instructions issued); the bound's sums are carried along, so that a
//! choice is judged without building the state it leads to. Where a unit has more than [`ways`](Room::ways) choices, only
//! those are looked at which prefer the least or most advanced warps, or those whose issue the bound feels least; the
//! others count as left out. A front's threads share nothing, and ties are broken by the states themselves, so the answer
//! does not depend on their number.

mod back;
mod front;
mod options;

use crate::bound::critical_path;
use crate::engines::beam::back::Step;
use crate::engines::beam::front::{LeftOut, Search};
use crate::engines::phase::{self, Rest};
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance};
use crate::schedule::Schedule;

/// How much a search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// States after each cycle.
    pub width: usize,
    /// Ways to fill a unit from a state; at most [`Room::MOST_WAYS`].
    pub ways: usize,
}

impl Room {
    /// More ways to fill each of two units would not fit in memory.
    pub const MOST_WAYS: usize = 1 << 10;
}

/// What a search claims.
#[derive(Debug, Clone)]
pub struct Promise {
    /// A schedule longer than was known, not replayed; `None` if none was found.
    pub schedule: Option<Schedule>,
    /// What no schedule exceeds.
    pub upper: Cycles,
    /// Why the search ended: [`Stop::Proved`] when no state was left, even if some had been left out.
    pub stop: Stop,
    /// Whether states were left out because of the width, and choices because of their number.
    pub left_out: (bool, bool),
    /// States looked at.
    pub states: u64,
}

/// Whether a search takes an instance: it has no barriers, and its warps and places can be counted in 16 bits. A [`Rest`] of one
/// that is not taken may be larger than memory.
pub fn takes(instance: &Instance) -> bool {
    let places: usize = instance.groups().iter().map(|group| group.kernel.len() + 1).sum();
    let counts = [u16::try_from(places).is_ok(), u16::try_from(instance.total_warps()).is_ok()];
    !instance.has_barriers() && counts == [true; 2]
}

/// Searches for schedules longer than `longer_than`.
///
/// ```
/// use warpspan::engines::beam::{Room, search};
/// use warpspan::limits::Limits;
/// use warpspan::model::{Cycles, Instance, Multiprocessor};
/// use warpspan::engines::phase::{Rest, bound};
///
/// let instance = Instance::single("LLCLL".parse()?, 4, Multiprocessor::default())?;
/// let rest = Rest::new(&instance, bound(&instance).theta);
/// let room = Room { width: 100, ways: 64 };
/// let found = search(&instance, &rest, room, Cycles(16), &Limits::generous(), &|_, _| ());
/// assert!(found.schedule.is_some());
/// assert_eq!(found.upper, Cycles(17));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(
    instance: &Instance,
    rest: &Rest,
    room: Room,
    longer_than: Cycles,
    limits: &Limits,
    report: &(dyn Fn(u64, Cycles) + Sync),
) -> Promise {
    limits.in_pool(|| {
        let mut promise = Promise {
            schedule: None,
            upper: longer_than,
            stop: Stop::Proved,
            left_out: (false, false),
            states: 0,
        };
        if instance.has_barriers() {
            let upper = phase::bound(instance).makespan;
            return Promise { upper, stop: Stop::Blocks, ..promise }; // the states know of no barrier
        }
        let Some((search, mut front)) = Search::new(instance, rest, room, longer_than.0, limits) else {
            let upper = critical_path(instance).cycles();
            return Promise { upper, stop: Stop::NoEngine, ..promise };
        };
        let mut history: Vec<Step> = Vec::new();
        let mut bytes = 0;
        let mut end = None;
        for cycle in 1.. {
            if front.len() == 0 {
                break;
            }
            let next = match front.bytes() + bytes > limits.memory {
                true => Err(Stop::MemoryLimit),
                false => search.next(&front, cycle),
            };
            let next = match next {
                Ok(next) => next,
                Err(stop) => {
                    promise.stop = stop;
                    promise.upper = promise.upper.max(Cycles(cycle - 1 + search.longest(&front)));
                    break;
                }
            };
            promise.states += front.len() as u64;
            let LeftOut { by_width, by_ways } = next.left_out;
            promise.left_out.0 |= by_width > 0;
            promise.left_out.1 |= by_ways > 0;
            promise.upper = promise.upper.max(Cycles(by_width.max(by_ways)));
            bytes += next.step.bytes();
            history.push(next.step);
            if let Some(last) = next.finished {
                end = Some((history.len(), last));
                promise.upper = promise.upper.max(Cycles(cycle));
            }
            front = next.front;
            report(promise.states, Cycles(cycle));
        }
        promise.schedule = end.map(|(cycles, last)| back::schedule(instance, rest, &history[..cycles], last));
        promise
    })
}
