//! The exact worst and best case by exhaustive search over states.
//!
//! # Theory
//!
//! Warps of a group are interchangeable, so a state is how many warps have not issued each instruction yet:
//! `s_0 <= s_1 <= ... <= s_{I-1} <= W`, of which there are C(W+I, I) for one group and the product of these for
//! several. Issuing instruction i lowers `s_i` by one and is possible where `s_i > s_{i-1}`. The cycles left are
//!
//! ```text
//! f(state) = 1 + max over the work-conserving choices of f(state after the choice),   f(all finished) = 0
//! ```
//!
//! and min in place of max for the best case. No state may be dropped because another is further ahead: there are timing
//! anomalies (LCL at sigma = 1, one warp before its first and one before its second instruction: 3 cycles left at most;
//! advance the latter by one instruction and it is 4).
//!
//! # Practice
//!
//! Two searches, both exact for any number of groups, any whole sigma and any string; [`solve`] takes the one that
//! [`predict`] says is right for the size.
//!
//! * [`Method::Dense`] computes f for every state in the order of their ranks, one small integer a state and no hashing,
//!   in blocks that do not depend on each other, and reads the schedule back from the table: for many warps.
//! * [`Method::Levels`] goes forward from the start and keeps only states that are reached, with their latest and earliest
//!   arrival: for long kernels and few warps.
//!
//! Neither uses anything of [`crate::engines::phase`], so each can judge the other.
//!
//! Not covered: state spaces that exceed the memory limit either way.

mod block;
mod choices;
mod layout;
mod levels;
mod meter;
mod readback;
mod rows;
mod sweep;

use thiserror::Error;

use crate::bound::critical_path;
use crate::engines::states::layout::Layout;
use crate::engines::states::meter::Meter;
use crate::engines::states::sweep::{Count, Table};
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance};
use crate::schedule::Schedule;

pub use meter::{Progress, Report};

/// Which search.
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

/// What the search claims.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The largest makespan.
    pub worst: Cycles,
    /// A schedule that attains it, not replayed; `None` if it was stopped before that was found.
    pub schedule: Option<Schedule>,
    /// The smallest makespan, unless the search was stopped before it was known.
    pub best: Option<Cycles>,
    /// A schedule that attains the smallest makespan.
    pub best_schedule: Option<Schedule>,
    /// States looked at.
    pub states: u64,
    /// How.
    pub method: Method,
    /// Why it stopped; anything but [`Stop::Proved`] concerns the schedules and the best case only.
    pub stop: Stop,
}

/// Why the search gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the search was stopped before the last of {states} states")]
pub struct Unfinished {
    /// States there are, reachable or not, as far as 64 bits tell.
    pub states: u64,
    /// What stopped it.
    pub stop: Stop,
    /// What the makespan cannot exceed, by the critical paths from the states that the search had come to.
    pub upper: Option<Cycles>,
}

/// What a search will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prediction {
    /// States there are, reachable or not; `u64::MAX` where 64 bits do not hold them.
    pub states: u64,
    /// Bytes that the dense table takes.
    pub dense_bytes: u64,
    /// The search that is right for the size, if either may fit.
    pub method: Option<Method>,
}

/// State spaces larger than this are not searched by levels: a state takes about a microsecond and a hundred bytes, and
/// even a tenth of them would not fit.
const MOST_LEVELS: u64 = 3_000_000_000;

/// State spaces smaller than this are searched by one thread: to start another takes longer.
const FEW: u64 = 1 << 16;

/// Predicts what the search of an instance will take.
pub fn predict(instance: &Instance, limits: &Limits) -> Prediction {
    let states = Layout::new(instance).map_or(u64::MAX, |layout| layout.states());
    // a front is held twice while it is computed; blocks are vectors, of 24 bytes each
    let warps = instance.groups()[0].warps;
    let blocks = warps.saturating_mul(warps).saturating_mul(12);
    let dense_bytes = states.saturating_mul(bytes_a_state(instance)).saturating_add(blocks);
    let fits = dense_bytes <= limits.memory;
    // The dense sweep does many states at a time where a count has many values, on average W / I of the last group; the
    // search by levels does only states that are reached, about a hundred times slower.
    let slices = instance
        .groups()
        .last()
        .is_some_and(|last| last.warps.saturating_mul(2) >= last.kernel.instructions());
    let method = match (fits, slices) {
        _ if instance.has_barriers() => None,
        (true, true) => Some(Method::Dense),
        (_, false) if states <= MOST_LEVELS => Some(Method::Levels),
        (true, false) => Some(Method::Dense),
        (false, _) => None,
    };
    Prediction { states, dense_bytes, method }
}

/// Bytes that hold any makespan of the instance.
fn bytes_a_state(instance: &Instance) -> u64 {
    match critical_path(instance).cycles().0 {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

/// Solves an instance by the search that [`predict`] names.
///
/// # Errors
/// If neither search may fit into memory, or a limit is reached before the worst case is known.
pub fn solve(instance: &Instance, limits: &Limits, report: Report<'_>) -> Result<Outcome, Unfinished> {
    let Prediction { states, dense_bytes, method } = predict(instance, limits);
    match method {
        None if instance.has_barriers() => Err(Unfinished { states, stop: Stop::Blocks, upper: None }),
        None => Err(Unfinished { states, stop: Stop::MemoryLimit, upper: None }),
        Some(Method::Dense) => by(Method::Dense, instance, limits, report),
        Some(Method::Levels) => match by(Method::Levels, instance, limits, report) {
            Err(Unfinished { stop: Stop::MemoryLimit, .. }) if dense_bytes <= limits.memory => {
                by(Method::Dense, instance, limits, report)
            }
            other => other,
        },
    }
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
        return Err(Unfinished { states, stop: Stop::Blocks, upper: None }); // the states know of no barrier
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
    let unfinished = |stop| Unfinished { states, stop, upper: None };
    let layout = Layout::new(instance).filter(|_| dense_bytes <= limits.memory);
    let layout = layout.ok_or(unfinished(Stop::MemoryLimit))?;
    let run = || match bytes_a_state(instance) {
        1 => both::<u8>(instance, &layout, limits, &meter),
        2 => both::<u16>(instance, &layout, limits, &meter),
        _ => both::<u32>(instance, &layout, limits, &meter),
    };
    limits.in_pool(run).map_err(unfinished)
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
        worst: Cycles(worst),
        schedule: Some(schedule),
        stop: best.as_ref().err().copied().unwrap_or(Stop::Proved),
        best: best.ok().map(|table| Cycles(table.start())),
        best_schedule,
        states: layout.states(),
        method: Method::Dense,
    })
}
