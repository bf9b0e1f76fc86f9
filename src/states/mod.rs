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
//! [`solve`] computes f for every state in the order of their ranks, one small integer a state and no hashing, in blocks
//! that do not depend on each other, and reads the schedule back from the table. It uses nothing of [`crate::phase`], so
//! each can judge the other. Any number of groups, any whole sigma, any string.
//!
//! Not covered: state spaces that do not fit in memory, of which only few states may be reachable; [`size`] tells.

mod choices;
mod layout;
mod readback;
mod sweep;

use thiserror::Error;

use crate::bound::critical_path;
use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance};
use crate::schedule::Schedule;
use crate::states::layout::Layout;
use crate::states::sweep::{Count, Extreme, Table};

/// What the search claims.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The largest makespan.
    pub worst: Cycles,
    /// A schedule that attains it, not replayed.
    pub schedule: Schedule,
    /// The smallest makespan, unless the search was stopped before it was known.
    pub best: Option<Cycles>,
    /// States.
    pub states: u64,
    /// Why it stopped; anything but [`Stop::Proved`] concerns the best case only.
    pub stop: Stop,
}

/// Why the search gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StatesError {
    /// The table would not fit.
    #[error(
        "the state space has {states} states ({mebibytes} MiB), more than the memory limit of {limit} MiB"
    )]
    TooLarge {
        /// Its size, as far as 64 bits tell.
        states: u64,
        /// Memory it would take.
        mebibytes: u64,
        /// The limit.
        limit: u64,
    },
    /// A limit was reached.
    #[error("stopped before the last state")]
    Stopped(Stop),
}

/// States of an instance and bytes of their table; `u64::MAX` where 64 bits do not hold them.
pub fn size(instance: &Instance) -> (u64, u64) {
    let states = Layout::new(instance).map_or(u64::MAX, |layout| layout.states());
    // a front is held twice while it is computed; blocks are vectors, of 24 bytes each
    let warps = instance.groups()[0].warps;
    let blocks = warps.saturating_mul(warps).saturating_mul(12);
    let bytes = states.saturating_mul(bytes_a_state(instance)).saturating_add(blocks);
    (states, bytes)
}

/// Bytes that hold any makespan of the instance.
fn bytes_a_state(instance: &Instance) -> u64 {
    match critical_path(instance).cycles().0 {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

/// Solves an instance; `progress` is told of the states done since it was last told, of [`size`] for each extreme.
///
/// # Errors
/// If the table exceeds the memory limit, or a limit is reached before the worst case is known.
pub fn solve(
    instance: &Instance,
    limits: &Limits,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, StatesError> {
    let (states, bytes) = size(instance);
    let (mebibytes, limit) = (bytes >> 20, limits.memory >> 20);
    let too_large = StatesError::TooLarge { states, mebibytes, limit };
    let layout = Layout::new(instance).filter(|_| bytes <= limits.memory).ok_or(too_large)?;
    let run = || match bytes_a_state(instance) {
        1 => both::<u8>(instance, &layout, limits, progress),
        2 => both::<u16>(instance, &layout, limits, progress),
        _ => both::<u32>(instance, &layout, limits, progress),
    };
    match rayon::ThreadPoolBuilder::new().num_threads(limits.threads).build() {
        Ok(pool) => pool.install(run),
        Err(_) => run(), // no threads to be had: the global pool
    }
}

fn both<T: Count>(
    instance: &Instance,
    layout: &Layout,
    limits: &Limits,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, StatesError> {
    let sweep = |extreme| Table::<T>::sweep(instance, layout, extreme, limits, progress);
    let (worst, schedule) = {
        let table = sweep(Extreme::Worst).map_err(StatesError::Stopped)?;
        (table.start(), readback::schedule(instance, layout, &table))
    };
    let best = sweep(Extreme::Best).map(|table| Cycles(table.start()));
    Ok(Outcome {
        worst: Cycles(worst),
        schedule,
        stop: best.err().unwrap_or(Stop::Proved),
        best: best.ok(),
        states: layout.states(),
    })
}
