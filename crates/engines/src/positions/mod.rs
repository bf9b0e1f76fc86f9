//! The exact worst and best case of straight lines on a machine with latency, by exhaustive search.
//!
//! # Theory
//!
//! Latency is a position. In the line of a warp each letter is followed by hi - 1 idle cells, and an issue with latency
//! l moves the warp hi - l cells past the first of them. A warp on an idle cell moves on by one in each cycle, so it
//! reaches its next letter l cycles after the issue. At a barrier, the letter after it is ready once all warps of the
//! block stand on its cell or beyond: then all their latencies are over.
//!
//! Warps of one group on one scheduler are interchangeable, and so are schedulers with equally many warps of
//! each group. Hence a state is, for each scheduler, the number of warps of each group on each cell. That says
//! which instances of a unit are held only if each issue holds one for a single cycle. For other units the
//! state says too for how many more cycles each instance is held. The number of cycles left is
//!
//! ```text
//! f(state) = k + max over the choices of f(state after it),   f(all have issued everything) = 0
//! ```
//!
//! where k is the number of cycles until some warp can issue again, and a choice is a set of issues to which
//! no ready warp can be added, with a latency for each. For the best case min stands in place of max. Each
//! cycle moves a warp on or brings an instance closer to being free, so no state follows itself. No state may
//! be dropped because another is further ahead, since there are timing anomalies.
//!
//! # Practice
//!
//! [`solve`] goes through the states that can be reached, depth first, keeps both numbers of each, and reads back a
//! schedule for each of the two. The verifier [`replay`] has accepted both before they are returned. [`estimate`]
//! bounds the number of states. The engine uses no bound and no theorem, so it can check them.
//!
//! Programs of several paths and instructions with dependences are not covered.

mod estimate;
mod key;
mod layout;
mod moves;
mod readback;
mod search;

use thiserror::Error;
use warpspan_check::seal::SEAL;

use crate::positions::key::Key;
use crate::positions::layout::Layout;
use crate::positions::readback::Extreme;
use crate::positions::search::Search;
use warpspan_check::bound::{Theorem, Upper};
use warpspan_check::schedule::{Schedule, Violation, Witness, replay};
use warpspan_model::Cycles;
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::machine::MachineWorkload;

pub use estimate::estimate;

/// The result of the search.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The largest makespan, after every state that can be reached was visited.
    pub worst: Upper,
    /// The smallest makespan.
    pub best: Cycles,
    /// The number of states in which a warp can issue, of those that can be reached.
    pub states: u64,
    /// A schedule that attains the largest makespan.
    pub witness: Witness,
    /// A schedule that attains the smallest makespan.
    pub best_witness: Witness,
}

/// Why the search gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unsolved {
    /// The code has several paths, or is too long to be written out.
    #[error("the search over positions is for straight lines")]
    Paths,
    /// An instruction says what waits for it.
    #[error("the search over positions is for instructions for each of which the next one waits")]
    Dependences,
    /// A limit stopped the search.
    #[error("the search over positions was stopped after {states} states")]
    Stopped {
        /// The number of states whose cycles left were known.
        states: u64,
        /// The limit.
        stop: Stop,
    },
    /// The verifier does not accept a schedule that the search found, so one of the two is wrong.
    #[error("the judge does not accept a schedule of the search over positions: {0}")]
    Refused(#[from] Violation),
    /// The verifier finds another makespan than the search did, so one of the two is wrong.
    #[error(
        "the search over positions found a schedule of {found} cycles, which the judge says has {judged}"
    )]
    Disagreement {
        /// The makespan that the search found.
        found: u64,
        /// The makespan of its schedule by the verifier.
        judged: Cycles,
    },
}

/// A function that is called now and then with the number of states done.
pub type Report<'a> = &'a dyn Fn(u64);

/// Solves a workload.
///
/// # Errors
/// If the code is no straight line or has dependences, or a limit is reached.
pub fn solve(workload: &MachineWorkload, limits: &Limits, report: Report<'_>) -> Result<Solved, Unsolved> {
    if workload.has_dependences() {
        return Err(Unsolved::Dependences);
    }
    let lines = workload.lines().ok_or(Unsolved::Paths)?;
    let stopped = |stop| Unsolved::Stopped { states: 0, stop };
    let layout = Layout::new(workload, &lines, limits).map_err(stopped)?;
    match layout.bits() {
        0..=64 => by::<u64>(workload, &layout, limits, report),
        65..=128 => by::<u128>(workload, &layout, limits, report),
        _ => by::<Box<[u32]>>(workload, &layout, limits, report),
    }
}

fn by<K: Key>(
    workload: &MachineWorkload,
    layout: &Layout,
    limits: &Limits,
    report: Report<'_>,
) -> Result<Solved, Unsolved> {
    let mut search = Search::<K>::new(layout, limits);
    search.run(report).map_err(|stop| Unsolved::Stopped { states: search.states(), stop })?;
    let states = search.states();
    let mut judged = |extreme| {
        let way = readback::issues(layout, &mut search, extreme);
        let (found, issues) = way.map_err(|stop| Unsolved::Stopped { states, stop })?;
        let witness = replay(workload, Schedule::new(issues))?;
        match witness.makespan() {
            Cycles(makespan) if makespan == found => Ok(witness),
            judged => Err(Unsolved::Disagreement { found, judged }),
        }
    };
    let (witness, best_witness) = (judged(Extreme::Worst)?, judged(Extreme::Best)?);
    Ok(Solved {
        worst: Upper::proved(witness.makespan(), Theorem::Exhaustive { states }, SEAL),
        best: best_witness.makespan(),
        states,
        witness,
        best_witness,
    })
}
