//! The exact worst and best case of a grid by exhaustive search over states.
//!
//! # Theory
//!
//! Blocks of a grid are interchangeable, and so are the warps of a block, the slots of a multiprocessor and
//! the multiprocessors. A state is therefore the number of blocks that wait and, for each multiprocessor, the
//! blocks that it holds, each as the numbers of instructions that its warps have issued; all in a fixed
//! order. Which barriers have opened follows from these numbers: a warp stands at one while another warp of
//! its block has not reached it. With f(state) as the number of cycles left,
//!
//! ```text
//! f(state) = 1 + max over the work-conserving choices of f(state after the choice),   f(all finished) = 0
//! ```
//!
//! A choice says which warps issue on each multiprocessor and which of the slots that become free the next
//! blocks take. For the best case min stands in place of max. No state may be dropped because another is
//! further ahead, since there are timing anomalies.
//!
//! Once no block waits, the multiprocessors no longer affect each other. The cycles left are then the most that one of
//! them needs, and only states of a single multiprocessor are searched.
//!
//! # Practice
//!
//! The search goes depth first from the start and keeps both extremes of every state that it has left. It
//! runs on one thread. Nothing of [`crate::phase`] or of the relay bound is used, so each can check
//! the other. State spaces that exceed the memory limit are not covered.

mod choices;
mod readback;
mod search;
mod state;

use thiserror::Error;
use warpspan_check::seal::SEAL;

use crate::grid::search::Search;
use crate::grid::state::{Rules, binomial};
use warpspan_check::bound::{Theorem, Upper};
use warpspan_check::schedule::Schedule;
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::{Cycles, Grid};

/// The result of the search.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The largest makespan, after every state was visited.
    pub worst: Upper,
    /// A schedule that attains it, not replayed yet.
    pub schedule: Schedule,
    /// The smallest makespan.
    pub best: Cycles,
    /// The number of states visited.
    pub states: u64,
}

/// Why the search gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unfinished {
    /// A limit stopped the search.
    #[error("the search was stopped after {states} states of the grid")]
    Stopped {
        /// The number of states visited.
        states: u64,
        /// The limit.
        stop: Stop,
    },
    /// The code has branches or loops, or its states cannot be written down, or there are more than
    /// [`MOST_MULTIPROCESSORS`].
    #[error(
        "the states of the grid are not searched: its code has several paths or is too long, or it has more than \
         {MOST_MULTIPROCESSORS} multiprocessors"
    )]
    NotApplicable,
}

/// More multiprocessors than this are not searched: a state holds the blocks of each, and their choices
/// multiply.
pub const MOST_MULTIPROCESSORS: u64 = 64;

/// An upper bound on the number of states of a grid, reachable or not. It is `u64::MAX` for code with
/// branches or loops, and where 64 bits do not hold it.
pub fn states(grid: &Grid) -> u64 {
    let Some(instance) = grid.block().instance() else { return u64::MAX };
    let (warps, resident) = (grid.warps_per_block(), grid.at_once());
    let unfinished = binomial(instance.groups()[0].kernel.instructions().saturating_add(warps), warps) - 1;
    let alone = binomial(unfinished.saturating_add(resident), resident);
    let room = grid.resident().saturating_mul(grid.multiprocessors());
    let followers = grid.blocks().saturating_sub(room);
    if followers == 0 {
        return alone;
    }
    let full = binomial(unfinished.saturating_add(resident - 1), resident);
    let side_by_side = binomial(full.saturating_add(grid.multiprocessors() - 1), grid.multiprocessors());
    side_by_side.saturating_mul(followers).saturating_add(alone)
}

/// Solves a grid. `report` is called now and then with the number of states visited.
///
/// # Errors
/// If the code has branches or loops, or a limit is reached before the worst case is known.
pub fn solve(grid: &Grid, limits: &Limits, report: &dyn Fn(u64)) -> Result<Outcome, Unfinished> {
    let rules = Rules::new(grid).filter(|_| grid.multiprocessors() <= MOST_MULTIPROCESSORS);
    let rules = rules.ok_or(Unfinished::NotApplicable)?;
    let mut search = Search::new(&rules, limits, report);
    let stopped = |search: &Search<'_>, stop| Unfinished::Stopped { states: search.states(), stop };
    let known = search.start().map_err(|stop| stopped(&search, stop))?;
    let states = search.states();
    let schedule = readback::schedule(&rules, &search).map_err(|stop| stopped(&search, stop))?;
    let worst = Upper::proved(Cycles(known.worst), Theorem::Exhaustive { states }, SEAL);
    Ok(Outcome { worst, schedule, best: Cycles(known.best), states })
}
