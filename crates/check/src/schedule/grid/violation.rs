//! The rules of the semantics of grids, as the ways to break them.

use thiserror::Error;

use warpspan_model::Unit;

/// The first rule that a schedule of a grid breaks. Indexes in the message are from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Violation {
    /// The code of the grid has branches or loops, so no schedule says which instructions its warps issue.
    #[error("the kernel has branches or loops, so there is no one schedule of it")]
    Paths,
    /// A start or an issue is in cycle 0.
    #[error("something happens in cycle 0: cycles count from 1")]
    CycleZero,
    /// A start names a block, multiprocessor or slot that the grid does not have, or an issue names a block
    /// or warp that it does not have.
    #[error("cycle {cycle}: no {what} {found} in the grid, which has {most}")]
    NoSuch {
        /// The cycle.
        cycle: u64,
        /// What is named.
        what: &'static str,
        /// The number of what is named, from 1.
        found: u64,
        /// How many there are.
        most: u64,
    },
    /// A block starts for the second time.
    #[error("cycle {cycle}: block {block} starts, but it has started before")]
    StartsTwice {
        /// The cycle of the later start.
        cycle: u64,
        /// The block, from 1.
        block: u64,
    },
    /// A block starts in a slot that holds another.
    #[error(
        "cycle {cycle}: block {block} starts in slot {slot} of multiprocessor {multiprocessor}, which holds block {holds}"
    )]
    Occupied {
        /// The cycle.
        cycle: u64,
        /// The block, from 1.
        block: u64,
        /// The slot, from 1.
        slot: u64,
        /// The multiprocessor, from 1.
        multiprocessor: u64,
        /// The block in the slot, from 1.
        holds: u64,
    },
    /// A block starts in a slot that no block left in the cycle before.
    #[error(
        "cycle {cycle}: block {block} starts, but nothing freed slot {slot} of multiprocessor {multiprocessor} in the cycle \
         before"
    )]
    LateStart {
        /// The cycle.
        cycle: u64,
        /// The block, from 1.
        block: u64,
        /// The slot, from 1.
        slot: u64,
        /// The multiprocessor, from 1.
        multiprocessor: u64,
    },
    /// A slot is empty while a block waits.
    #[error("cycle {cycle}: {empty} slots are empty although {waiting} blocks wait")]
    EmptySlot {
        /// The cycle.
        cycle: u64,
        /// The number of empty slots.
        empty: u128,
        /// The number of blocks that have not started by then.
        waiting: u64,
    },
    /// A warp issues although its block is in no slot.
    #[error("cycle {cycle}: warp {warp} of block {block} issues, but the block has not started")]
    NotStarted {
        /// The cycle.
        cycle: u64,
        /// The block, from 1.
        block: u64,
        /// The warp, from 1.
        warp: u64,
    },
    /// An issue is not the warp's next instruction.
    #[error("cycle {cycle}: warp {warp} of block {block} issues instruction {found}, its next is {next}")]
    OutOfOrder {
        /// The cycle.
        cycle: u64,
        /// The block, from 1.
        block: u64,
        /// The warp, from 1.
        warp: u64,
        /// The instruction issued, from 1.
        found: u64,
        /// The instruction due, from 1. It is one past the last if the warp has finished.
        next: u64,
    },
    /// A warp issues an instruction after a barrier that has not opened.
    #[error(
        "cycle {cycle}: warp {warp} of block {block} issues instruction {instruction}, but stands at the barrier before it, \
         which has not opened"
    )]
    Barrier {
        /// The cycle.
        cycle: u64,
        /// The block, from 1.
        block: u64,
        /// The warp, from 1.
        warp: u64,
        /// The instruction issued, from 1.
        instruction: u64,
    },
    /// A warp issues two instructions in a cycle.
    #[error("cycle {cycle}: warp {warp} of block {block} issues twice")]
    Twice {
        /// The cycle.
        cycle: u64,
        /// The block, from 1.
        block: u64,
        /// The warp, from 1.
        warp: u64,
    },
    /// More instructions issue on a unit of a multiprocessor than it takes.
    #[error(
        "cycle {cycle}: {issued} instructions issue on {unit} of multiprocessor {multiprocessor}, which takes {sigma}"
    )]
    Capacity {
        /// The cycle.
        cycle: u64,
        /// The multiprocessor, from 1.
        multiprocessor: u64,
        /// The unit.
        unit: Unit,
        /// The number of issues.
        issued: u64,
        /// The number of letters that the unit takes a cycle.
        sigma: u64,
    },
    /// Ready warps wait although their unit has room.
    #[error(
        "cycle {cycle}: {ready} warps of multiprocessor {multiprocessor} are ready for {unit}, but {issued} issue and the \
         unit takes {sigma}: not work-conserving"
    )]
    NotWorkConserving {
        /// The cycle.
        cycle: u64,
        /// The multiprocessor, from 1.
        multiprocessor: u64,
        /// The unit.
        unit: Unit,
        /// The number of ready warps.
        ready: u64,
        /// The number of issues on the unit in the cycle.
        issued: u64,
        /// The number of letters that the unit takes a cycle.
        sigma: u64,
    },
    /// The schedule ends before the blocks do.
    #[error("the schedule ends after {found} of {expected} instructions")]
    Unfinished {
        /// The number of issues in the schedule.
        found: u64,
        /// The number of instructions of all blocks.
        expected: u64,
    },
}
