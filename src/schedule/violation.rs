//! The rules of the semantics, as the ways to break them.

use thiserror::Error;

use crate::model::Unit;

/// The first rule that a schedule breaks. Indexes in the message are from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Violation {
    /// The cycle is 0.
    #[error("an issue in cycle 0: cycles count from 1")]
    CycleZero,
    /// A group that the instance does not have.
    #[error("cycle {cycle}: no group {found} in the instance, which has {groups}")]
    NoSuchGroup {
        /// Cycle of the issue.
        cycle: u64,
        /// Group named, from 1.
        found: u64,
        /// Groups there are.
        groups: usize,
    },
    /// A warp that its group does not have.
    #[error("cycle {cycle}: no warp {found} in group {group}, which has {warps}")]
    NoSuchWarp {
        /// Cycle of the issue.
        cycle: u64,
        /// Group, from 1.
        group: u64,
        /// Warp named, from 1.
        found: u64,
        /// Warps there are.
        warps: u64,
    },
    /// Not the warp's next instruction.
    #[error("cycle {cycle}: warp {warp} of group {group} issues instruction {found}, its next is {next}")]
    OutOfOrder {
        /// Cycle of the issue.
        cycle: u64,
        /// Group, from 1.
        group: u64,
        /// Warp, from 1.
        warp: u64,
        /// Instruction issued, from 1.
        found: u64,
        /// Instruction due, from 1; one past the last if the warp has finished.
        next: u64,
    },
    /// An instruction after a barrier that has not opened.
    #[error(
        "cycle {cycle}: warp {warp} of group {group} issues instruction {instruction}, but stands at the barrier before it, \
         which has not opened"
    )]
    Barrier {
        /// The cycle.
        cycle: u64,
        /// Group, from 1.
        group: u64,
        /// Warp, from 1.
        warp: u64,
        /// Instruction issued, from 1.
        instruction: u64,
    },
    /// Two instructions of a warp in a cycle.
    #[error("cycle {cycle}: warp {warp} of group {group} issues twice")]
    Twice {
        /// The cycle.
        cycle: u64,
        /// Group, from 1.
        group: u64,
        /// Warp, from 1.
        warp: u64,
    },
    /// More issues than the unit takes.
    #[error("cycle {cycle}: more than sigma_{unit} = {sigma} instructions issue on {unit}")]
    Capacity {
        /// The cycle.
        cycle: u64,
        /// The unit.
        unit: Unit,
        /// Letters it takes a cycle.
        sigma: u64,
    },
    /// A ready warp is kept waiting although its unit has room.
    #[error(
        "cycle {cycle}: warp {warp} of group {group} is ready for instruction {instruction} on {unit} and does not \
         issue, but only {issued} of sigma_{unit} = {sigma} do: not work-conserving"
    )]
    NotWorkConserving {
        /// The cycle.
        cycle: u64,
        /// Group, from 1.
        group: u64,
        /// Warp, from 1.
        warp: u64,
        /// Instruction it waits for, from 1.
        instruction: u64,
        /// Its unit.
        unit: Unit,
        /// Issues on the unit in the cycle.
        issued: u64,
        /// Letters it takes a cycle.
        sigma: u64,
    },
    /// The schedule ends before the warps do.
    #[error("the schedule ends after {found} of {expected} instructions")]
    Unfinished {
        /// Issues in the schedule.
        found: u64,
        /// Instructions of all warps.
        expected: u64,
    },
}
