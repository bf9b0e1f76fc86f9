//! The rules of the semantics, as the ways to break them.

use thiserror::Error;

/// Why a schedule is not accepted: the first rule that it breaks, or code that the verifier does not know. Indexes in
/// messages are from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Violation {
    /// The code has several paths, or is too long to be written out.
    #[error("the code is no straight line, so there is no one schedule of it")]
    Paths,
    /// A start or an issue is in cycle 0.
    #[error("an event is in cycle 0: cycles count from 1")]
    CycleZero,
    /// A start or an issue names what the launch does not have.
    #[error("cycle {cycle}: no {what} {found} in the {of}, which has {most}")]
    NoSuch {
        /// The cycle.
        cycle: u64,
        /// What is named.
        what: &'static str,
        /// Whose it is.
        of: &'static str,
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
    #[error("cycle {cycle}: {warp} issues, but the block has not started")]
    NotStarted {
        /// The cycle.
        cycle: u64,
        /// The warp.
        warp: WarpName,
    },
    /// A warp issues two instructions in a cycle.
    #[error("cycle {cycle}: {warp} issues twice")]
    Twice {
        /// The cycle.
        cycle: u64,
        /// The warp.
        warp: WarpName,
    },
    /// An issue is not the warp's next instruction.
    #[error("cycle {cycle}: {warp} issues instruction {found}, its next is {next}")]
    OutOfOrder {
        /// The cycle.
        cycle: u64,
        /// The warp.
        warp: WarpName,
        /// The instruction issued, from 1.
        found: u64,
        /// The instruction due, from 1. It is one past the last if the warp has finished.
        next: u64,
    },
    /// A warp issues an instruction after a barrier that has not opened.
    #[error(
        "cycle {cycle}: {warp} issues instruction {instruction}, but stands at the barrier before it, which has not opened"
    )]
    Barrier {
        /// The cycle.
        cycle: u64,
        /// The warp.
        warp: WarpName,
        /// The instruction issued, from 1.
        instruction: u64,
    },
    /// A warp issues before the latency of the instruction before is over, or before the barrier opens.
    #[error("cycle {cycle}: {warp} issues instruction {instruction}, which is ready from cycle {ready} on")]
    TooEarly {
        /// The cycle.
        cycle: u64,
        /// The warp.
        warp: WarpName,
        /// The instruction issued, from 1.
        instruction: u64,
        /// The first cycle in which it is ready.
        ready: u64,
    },
    /// A latency is outside the interval of its letter.
    #[error("cycle {cycle}: {warp} issues {letter} with a latency of {found}: want {least} to {most}")]
    Latency {
        /// The cycle.
        cycle: u64,
        /// The warp.
        warp: WarpName,
        /// The letter.
        letter: String,
        /// The latency.
        found: u64,
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// A scheduler issues more instructions in a cycle than it has slots.
    #[error("cycle {cycle}: scheduler {scheduler} issues more than {width} instructions")]
    Width {
        /// The cycle.
        cycle: u64,
        /// The scheduler, from 1.
        scheduler: u64,
        /// d, the issue width.
        width: u64,
    },
    /// An instruction issues although every instance of its unit is held. On the paper's multiprocessor there are
    /// sigma instances.
    #[error("cycle {cycle}: {warp} issues on {unit}, but all {instances} instances are held")]
    Held {
        /// The cycle.
        cycle: u64,
        /// The warp.
        warp: WarpName,
        /// The unit.
        unit: String,
        /// m, the number of instances that the warp's scheduler sees.
        instances: u64,
    },
    /// A ready warp waits although an instance of its unit is free and its scheduler has a slot left.
    #[error(
        "cycle {cycle}: {warp} is ready for instruction {instruction} on {unit} and does not issue, but only {held} of \
         {instances} instances are held and its scheduler issues only {issued}: not work-conserving"
    )]
    NotWorkConserving {
        /// The cycle.
        cycle: u64,
        /// The warp.
        warp: WarpName,
        /// The instruction that it waits for, from 1.
        instruction: u64,
        /// The unit of the instruction.
        unit: String,
        /// The number of instances held in the cycle, of those that its scheduler sees.
        held: u64,
        /// m, the number of instances that its scheduler sees.
        instances: u64,
        /// The number of instructions that its scheduler issues in the cycle.
        issued: u64,
    },
    /// The schedule ends before the warps do.
    #[error("the schedule ends after {found} of {expected} instructions")]
    Unfinished {
        /// The number of issues in the schedule.
        found: u64,
        /// The number of instructions of all warps.
        expected: u64,
    },
    /// A cycle is so late that later ones cannot be counted.
    #[error("cycle {0}: later cycles are too large to be counted")]
    TooLate(u64),
}

/// A warp in a message, counting from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WarpName {
    /// The warp in its group or block, from 1.
    pub warp: u64,
    /// `group`, or `block` where blocks follow one another.
    pub of: &'static str,
    /// The group or block, from 1.
    pub number: u64,
}

impl std::fmt::Display for WarpName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "warp {} of {} {}", self.warp, self.of, self.number)
    }
}
