//! The exact worst and best case by exhaustive search over states.
//!
//! # Theory
//!
//! Warps of a group are interchangeable, so a state is the number of warps that have not issued each
//! instruction yet: `s_0 <= s_1 <= ... <= s_{I-1} <= W`. There are C(W+I, I) states for one group, and the
//! product of these for several. Issuing instruction i lowers `s_i` by one and is possible where
//! `s_i > s_{i-1}`. The number of cycles left is
//!
//! ```text
//! f(state) = 1 + max over the work-conserving choices of f(state after the choice),   f(all finished) = 0
//! ```
//!
//! For the best case min stands in place of max. No state may be dropped because another is further ahead,
//! since there are timing anomalies: with LCL at sigma = 1, one warp before its first instruction and one
//! before its second, at most 3 cycles are left; if the latter is advanced by one instruction, it is 4.
//!
//! # Practice
//!
//! There are two searches, both exact for any number of groups, any whole sigma and any string. [`solve`]
//! uses the one that [`predict`] recommends for the size.
//!
//! * [`Method::Dense`] computes f for every state in the order of their ranks. It takes one small integer for
//!   each state and no hashing, works in blocks that do not depend on each other, and reads the schedule back
//!   from the table. It is for many warps.
//! * [`Method::Levels`] goes forward from the start and keeps only states that are reached, with their latest
//!   and earliest arrival. It is for long kernels and few warps.
//!
//! Neither uses anything of [`crate::phase`], so each of the two modules can check the other.
//!
//! State spaces that exceed the memory limit in both searches are not covered.

mod block;
mod choices;
mod layout;
mod levels;
mod meter;
mod predict;
mod readback;
mod row;
mod rows;
mod sweep;
mod table;

use thiserror::Error;

use crate::states::layout::Layout;
use crate::states::meter::Meter;
use crate::states::predict::bytes_a_state;
use crate::states::table::{Count, Table};
use warpspan_check::bound::{Theorem, Upper};
use warpspan_check::schedule::Schedule;
use warpspan_check::seal::SEAL;
use warpspan_model::limits::{Ending, Limits, NotExact, Stop};
use warpspan_model::{Cycles, Instance};

pub use meter::{Progress, Report};
pub use predict::{Prediction, predict};

/// The method of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// All states in the order of their ranks.
    Dense,
    /// Reachable states by levels of total progress.
    Levels,
}

/// Which extreme of the makespan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extreme {
    Worst,
    Best,
}

/// The result of the search.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The largest makespan, after every state was visited.
    pub worst: Upper,
    /// A schedule that attains it, not replayed yet. It is `None` if the search was stopped before one was
    /// found.
    pub schedule: Option<Schedule>,
    /// The smallest makespan, unless the search was stopped before it was known.
    pub best: Option<Cycles>,
    /// A schedule that attains the smallest makespan.
    pub best_schedule: Option<Schedule>,
    /// The number of states visited.
    pub states: u64,
    /// The method.
    pub method: Method,
    /// The limit that stopped the search, if one did. Only the schedules and the best case can be missing for
    /// this reason.
    pub stop: Option<Stop>,
}

/// Why the search gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the search was stopped before the last of {states} states")]
pub struct Unfinished {
    /// The number of states, reachable or not, as far as 64 bits can count.
    pub states: u64,
    /// What ended the search: a limit, or barriers, which the states do not represent.
    pub ending: Ending,
    /// An upper bound on the makespan, by the critical paths from the states that the search had reached.
    pub upper: Option<Upper>,
}

/// State spaces smaller than this are searched by one thread, because starting another would take longer.
const FEW: u64 = 1 << 16;

/// Solves an instance by the search that [`predict`] names.
///
/// # Errors
/// If neither search may fit into memory, or a limit is reached before the worst case is known.
pub fn solve(instance: &Instance, limits: &Limits, report: Report<'_>) -> Result<Outcome, Unfinished> {
    let Prediction { states, dense_bytes, method } = predict(instance, limits);
    match method {
        None if instance.has_barriers() => Err(unfinished(states, NotExact::Blocks)),
        None => Err(unfinished(states, Stop::MemoryLimit)),
        Some(Method::Dense) => by(Method::Dense, instance, limits, report),
        Some(Method::Levels) => match by(Method::Levels, instance, limits, report) {
            Err(Unfinished { ending: Ending::Stopped(Stop::MemoryLimit), .. })
                if dense_bytes <= limits.memory =>
            {
                by(Method::Dense, instance, limits, report)
            }
            other => other,
        },
    }
}

fn unfinished(states: u64, why: impl Into<Ending>) -> Unfinished {
    Unfinished { states, ending: why.into(), upper: None }
}

/// Solves an instance by one of the searches.
///
/// # Errors
/// As [`solve`].
pub fn by(
    method: Method,
    instance: &Instance,
    limits: &Limits,
    report: Report<'_>,
) -> Result<Outcome, Unfinished> {
    let Prediction { states, dense_bytes, .. } = predict(instance, limits);
    if instance.has_barriers() {
        return Err(unfinished(states, NotExact::Blocks)); // the states do not represent barriers
    }
    let meter = Meter::new(states, report);
    let mut limits = limits.clone();
    if states < FEW {
        limits.threads = 1;
    }
    let limits = &limits;
    if method == Method::Levels {
        return limits.in_pool(|| levels::search(instance, limits, states, &meter));
    }
    let layout = Layout::new(instance).filter(|_| dense_bytes <= limits.memory);
    let layout = layout.ok_or(unfinished(states, Stop::MemoryLimit))?;
    let run = || match bytes_a_state(instance) {
        1 => both::<u8>(instance, &layout, limits, &meter),
        2 => both::<u16>(instance, &layout, limits, &meter),
        _ => both::<u32>(instance, &layout, limits, &meter),
    };
    limits.in_pool(run).map_err(|stop| unfinished(states, stop))
}

fn both<T: Count>(
    instance: &Instance,
    layout: &Layout,
    limits: &Limits,
    meter: &Meter<'_>,
) -> Result<Outcome, Stop> {
    let sweep = |extreme, other| Table::<T>::sweep(instance, layout, extreme, other, limits, meter);
    let table = sweep(Extreme::Worst, None)?;
    let (worst, schedule) = (table.start(), readback::schedule(instance, layout, &table));
    let best = sweep(Extreme::Best, Some(table));
    let best_schedule = best.as_ref().ok().map(|table| readback::schedule(instance, layout, table));
    Ok(Outcome {
        worst: Upper::proved(Cycles(worst), Theorem::Exhaustive { states: layout.states() }, SEAL),
        schedule: Some(schedule),
        stop: best.as_ref().err().copied(),
        best: best.ok().map(|table| Cycles(table.start())),
        best_schedule,
        states: layout.states(),
        method: Method::Dense,
    })
}
