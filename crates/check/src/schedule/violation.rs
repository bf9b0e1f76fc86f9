//! The rules of the semantics, as the ways to break them.

use thiserror::Error;

use warpspan_model::Unit;

/// The first rule that a schedule breaks. Indexes in the message are from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Violation {
    /// An issue is in cycle 0.
    #[error("an issue in cycle 0: cycles count from 1")]
    CycleZero,
    /// An issue names a group that the instance does not have.
    #[error("cycle {cycle}: no group {found} in the instance, which has {groups}")]
    NoSuchGroup {
        /// The cycle of the issue.
        cycle: u64,
        /// The group named, from 1.
        found: u64,
        /// The number of groups.
        groups: usize,
    },
    /// An issue names a warp that its group does not have.
    #[error("cycle {cycle}: no warp {found} in group {group}, which has {warps}")]
    NoSuchWarp {
        /// The cycle of the issue.
        cycle: u64,
        /// The group, from 1.
        group: u64,
        /// The warp named, from 1.
        found: u64,
        /// The number of warps of the group.
        warps: u64,
    },
    /// An issue is not the warp's next instruction.
    #[error("cycle {cycle}: warp {warp} of group {group} issues instruction {found}, its next is {next}")]
    OutOfOrder {
        /// The cycle of the issue.
        cycle: u64,
        /// The group, from 1.
        group: u64,
        /// The warp, from 1.
        warp: u64,
        /// The instruction issued, from 1.
        found: u64,
        /// The instruction due, from 1. It is one past the last if the warp has finished.
        next: u64,
    },
    /// A warp issues an instruction after a barrier that has not opened.
    #[error(
        "cycle {cycle}: warp {warp} of group {group} issues instruction {instruction}, but stands at the barrier before it, \
         which has not opened"
    )]
    Barrier {
        /// The cycle.
        cycle: u64,
        /// The group, from 1.
        group: u64,
        /// The warp, from 1.
        warp: u64,
        /// The instruction issued, from 1.
        instruction: u64,
    },
    /// A warp issues two instructions in a cycle.
    #[error("cycle {cycle}: warp {warp} of group {group} issues twice")]
    Twice {
        /// The cycle.
        cycle: u64,
        /// The group, from 1.
        group: u64,
        /// The warp, from 1.
        warp: u64,
    },
    /// More instructions issue on a unit than it takes.
    #[error("cycle {cycle}: more than sigma_{unit} = {sigma} instructions issue on {unit}")]
    Capacity {
        /// The cycle.
        cycle: u64,
        /// The unit.
        unit: Unit,
        /// The number of letters that the unit takes a cycle.
        sigma: u64,
    },
    /// A ready warp waits although its unit has room.
    #[error(
        "cycle {cycle}: warp {warp} of group {group} is ready for instruction {instruction} on {unit} and does not \
         issue, but only {issued} of sigma_{unit} = {sigma} do: not work-conserving"
    )]
    NotWorkConserving {
        /// The cycle.
        cycle: u64,
        /// The group, from 1.
        group: u64,
        /// The warp, from 1.
        warp: u64,
        /// The instruction that it waits for, from 1.
        instruction: u64,
        /// The unit of the instruction.
        unit: Unit,
        /// The number of issues on the unit in the cycle.
        issued: u64,
        /// The number of letters that the unit takes a cycle.
        sigma: u64,
    },
    /// The schedule ends before the warps do.
    #[error("the schedule ends after {found} of {expected} instructions")]
    Unfinished {
        /// The number of issues in the schedule.
        found: u64,
        /// The number of instructions of all warps.
        expected: u64,
    },
}
