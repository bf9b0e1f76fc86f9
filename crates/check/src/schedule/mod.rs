//! Schedules: which warp issues which instruction in which cycle, and which block is in which slot.
//!
//! A [`Schedule`] is only a claim. [`replay`] runs it through the semantics of its [`Launch`] in integers, without the
//! code of any engine, and returns a [`Witness`] or the first [`Violation`]. Only a witness can prove a lower bound. An
//! [`Activity`] says what each warp does in each cycle of a witness.
//!
//! Indexes of groups, blocks, multiprocessors, slots, warps and instructions count from 0 here and from 1 in every file
//! and message. Cycles count from 1 everywhere. Instructions index the kernel after its expansion to sub-warps, or the
//! letters of a line of a machine; barriers are no instructions.

mod activity;
mod agenda;
mod chart;
pub mod file;
mod launch;
mod lines;
mod replay;
mod violation;

pub use activity::{Activity, Doing, Issued, Named, Next, Spent};
pub use chart::{chart, chart_size};
#[doc(hidden)]
pub use chart::{heads, row, rows_of_blocks};
pub use file::{GridIssueRecord, IssueRecord, MachineIssueRecord, ScheduleFileError};
pub use launch::Launch;
pub use lines::{Lines, LinesError, Taken};
pub use replay::{Witness, replay};
pub use violation::{Violation, WarpName};

/// An instruction that a warp issues in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Issue {
    /// The cycle, from 1.
    pub cycle: u64,
    /// Index of the warp's group, from 0.
    pub group: u32,
    /// Index of the warp in its group, from 0. In a grid, warps are counted over all blocks.
    pub warp: u32,
    /// Index of the instruction, from 0.
    pub instruction: u32,
    /// The latency that the adversary chose for this issue, in cycles; 1 on the paper's multiprocessor.
    pub latency: u64,
}

impl Issue {
    /// An issue of a warp of a block of a grid with so many warps a block. An index that is too large for a schedule becomes the
    /// largest, which no launch has.
    pub fn of_block(cycle: u64, [block, warp]: [u64; 2], warps_per_block: u64, instruction: u64) -> Self {
        let narrow = |index: u64| u32::try_from(index).unwrap_or(u32::MAX);
        let warp = narrow(block.saturating_mul(warps_per_block).saturating_add(warp));
        Self { cycle, group: 0, warp, instruction: narrow(instruction), latency: 1 }
    }
}

/// The place and the first cycle of a block of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Start {
    /// The cycle from which the block is in its slot and its warps may issue, from 1.
    pub cycle: u64,
    /// Index of the multiprocessor, from 0.
    pub multiprocessor: u64,
    /// Index of the slot of that multiprocessor, from 0.
    pub slot: u64,
    /// Index of the block, from 0.
    pub block: u64,
}

/// A claimed schedule: the starts of blocks, if they follow one another, and issues, both in the order of cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    starts: Vec<Start>,
    issues: Vec<Issue>,
}

impl Schedule {
    /// The schedule of these issues, which may be in any order, of warps that start together.
    pub fn new(issues: Vec<Issue>) -> Self {
        Self::of_blocks(Vec::new(), issues)
    }

    /// The schedule of these starts and issues, which may be in any order.
    pub fn of_blocks(mut starts: Vec<Start>, mut issues: Vec<Issue>) -> Self {
        if !issues.is_sorted() {
            issues.sort_unstable();
        }
        starts.sort_unstable();
        Self { starts, issues }
    }

    /// The starts by cycle, then multiprocessor, slot and block; none of warps that start together.
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// The issues by cycle, then group, warp and instruction.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }
}
