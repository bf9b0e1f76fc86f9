//! How far an engine has come.

use warpspan_check::bound::Interval;
use warpspan_engines::states;
use warpspan_model::Cycles;

/// The progress of an engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    /// What is known of the worst case by now.
    Known(Interval),
    /// The branch and bound of the ILP.
    Tree {
        /// The number of nodes done.
        nodes: i64,
        /// The makespan of the best solution found, if there is one.
        found: Option<u64>,
        /// The bound on the makespan within the horizon, once one is known.
        bound: Option<u64>,
    },
    /// The search over states.
    States(states::Progress),
    /// The search over the states of a grid.
    Grid {
        /// The number of states visited.
        states: u64,
    },
    /// The search guided by the phase bound.
    Beam {
        /// The number of states visited.
        states: u64,
        /// The cycle that their schedules have reached.
        cycle: Cycles,
    },
}

/// A function that is called with the progress, from any thread.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);
