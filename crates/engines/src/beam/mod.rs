//! Long schedules, found by looking ahead with the remaining-time bound, and an upper bound from the states
//! that were left out.
//!
//! # Theory
//!
//! A *front* holds states that can be reached after the same number of cycles. Of the states that the
//! adversary's choices lead to, only those are kept from which, by the bound of [`Remaining`], a schedule
//! longer than the longest known may follow. Of these at most [`width`](Breadth::width) are kept, the most
//! promising first. Let U be the largest value of cycle + bound of a state that was left out for this reason.
//! No schedule is longer than the largest of U, the longest found and the longest known. If nothing had to be
//! left out, the longest found or known is the worst case.
//!
//! # Practice
//!
//! A state is the number of warps at each position, and a position is a group and the number of instructions issued.
//! The sums of the bound are updated with each choice, so that a choice is ranked before the state it leads to is
//! built. Where a unit has more than [`ways`](Breadth::ways) choices, only some are tried: those that prefer the least
//! or the most advanced warps, and those whose issues change the bound least. The others count as left out. The threads
//! that work on a front share nothing, and ties are broken by the states themselves, so the answer does not depend on
//! the number of threads.

mod back;
mod front;
mod options;

use crate::beam::back::Step;
use crate::beam::front::{LeftOut, Search};
use crate::phase::{self, Remaining};
use warpspan_check::bound::{Theorem, Upper, critical_path};
use warpspan_check::schedule::Schedule;
use warpspan_check::seal::SEAL;
use warpspan_model::limits::{Ending, Limits, NotExact, Stop};
use warpspan_model::{Cycles, Instance};

/// The breadth of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breadth {
    /// The number of states kept after each cycle.
    pub width: usize,
    /// The number of ways to fill a unit that are tried from a state, at most [`Breadth::MOST_WAYS`].
    pub ways: usize,
}

impl Breadth {
    /// The largest number of ways. With more of them for each of two units, the choices would not fit in
    /// memory.
    pub const MOST_WAYS: usize = 1 << 10;
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// A schedule longer than any known before, not replayed yet. It is `None` if none was found.
    pub schedule: Option<Schedule>,
    /// An upper bound on every schedule.
    pub upper: Upper,
    /// How the search ended. It is [`Ending::Proved`] if the bounds meet, even if some states were left out.
    pub ending: Ending,
    /// Whether states were left out because of the width.
    pub cut_by_width: bool,
    /// Whether choices were left out because of their number.
    pub cut_by_ways: bool,
    /// The number of states visited.
    pub states: u64,
}

/// Whether a search accepts an instance: it has no barriers, and its warps and places can be counted in 16
/// bits. For an instance that is not accepted, the tables of [`Remaining`] may be larger than memory.
pub fn takes(instance: &Instance) -> bool {
    let places: usize = instance.groups().iter().map(|group| group.kernel.len() + 1).sum();
    let counts = [u16::try_from(places).is_ok(), u16::try_from(instance.total_warps()).is_ok()];
    !instance.has_barriers() && counts == [true; 2]
}

/// Searches for schedules longer than `longer_than`.
///
/// ```
/// use warpspan_engines::beam::{Breadth, search};
/// use warpspan_engines::phase::{Remaining, bound};
/// use warpspan_model::limits::Limits;
/// use warpspan_model::{Cycles, Instance, Multiprocessor};
///
/// let instance = Instance::single("LLCLL".parse()?, 4, Multiprocessor::default())?;
/// let remaining = Remaining::new(&instance, bound(&instance).theta);
/// let breadth = Breadth { width: 100, ways: 64 };
/// let found = search(&instance, &remaining, breadth, Cycles(16), &Limits::generous(), &|_, _| ());
/// assert!(found.schedule.is_some());
/// assert_eq!(found.upper.cycles(), Cycles(17));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(
    instance: &Instance,
    remaining: &Remaining,
    breadth: Breadth,
    longer_than: Cycles,
    limits: &Limits,
    report: &(dyn Fn(u64, Cycles) + Sync),
) -> Outcome {
    limits.in_pool(|| {
        if instance.has_barriers() {
            // the states do not represent barriers
            return refused(phase::bound(instance).makespan, NotExact::Blocks);
        }
        let Some((search, mut front)) = Search::new(instance, remaining, breadth, longer_than.0, limits)
        else {
            return refused(critical_path(instance), NotExact::NoEngine);
        };
        let (mut upper, mut ending, mut states) = (longer_than, Ending::Proved, 0);
        let (mut cut_by_width, mut cut_by_ways) = (false, false);
        let mut history: Vec<Step> = Vec::new();
        let mut bytes = 0;
        let mut end = None;
        for cycle in 1.. {
            if front.len() == 0 {
                break;
            }
            let next = if front.bytes() + bytes > limits.memory {
                Err(Stop::MemoryLimit)
            } else {
                search.next(&front, cycle)
            };
            let next = match next {
                Ok(next) => next,
                Err(stop) => {
                    ending = stop.into();
                    upper = upper.max(Cycles(cycle - 1 + search.longest(&front)));
                    break;
                }
            };
            states += front.len() as u64;
            let LeftOut { by_width, by_ways } = next.left_out;
            cut_by_width |= by_width > 0;
            cut_by_ways |= by_ways > 0;
            upper = upper.max(Cycles(by_width.max(by_ways)));
            bytes += next.step.bytes();
            history.push(next.step);
            if let Some(last) = next.finished {
                end = Some((history.len(), last));
                upper = upper.max(Cycles(cycle));
            }
            front = next.front;
            report(states, Cycles(cycle));
        }
        let upper = Upper::proved(upper, Theorem::PhaseOfStates, SEAL);
        let schedule =
            end.map(|(cycles, last)| back::schedule(instance, remaining, &history[..cycles], last));
        Outcome { schedule, upper, ending, cut_by_width, cut_by_ways, states }
    })
}

/// The result for an instance that the search does not accept.
fn refused(upper: Upper, why: NotExact) -> Outcome {
    let ending = why.into();
    Outcome { schedule: None, upper, ending, cut_by_width: false, cut_by_ways: false, states: 0 }
}
