//! Schedules of a [`Grid`](warpspan_model::Grid): which block sits in which slot from which cycle on, and who
//! issues what when.
//!
//! A [`Schedule`] of a grid is only a claim, as one of an instance is. [`replay`] runs it through the
//! semantics of [`Grid`](warpspan_model::Grid) in integers, without the code of any engine, and returns a
//! [`Witness`] or the first [`Violation`].
//!
//! Indexes of blocks, multiprocessors, slots, warps and instructions count from 0 here and from 1 in every
//! file and message. Cycles count from 1 everywhere. Instructions index the kernel after its expansion to
//! sub-warps.

mod chart;
mod file;
mod replay;
mod violation;

#[doc(hidden)]
pub use chart::lanes_of;
pub use chart::{chart, chart_size};
#[doc(hidden)]
pub use file::from_records;
pub use file::{IssueRecord, read_csv, read_json, records, write_csv, write_json};
pub use replay::{Witness, replay};
pub use violation::Violation;

/// The place and the first cycle of a block.
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

/// An instruction that a warp of a block issues in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Issue {
    /// The cycle, from 1.
    pub cycle: u64,
    /// Index of the block, from 0.
    pub block: u64,
    /// Index of the warp in its block, from 0.
    pub warp: u64,
    /// Index of the instruction in the expanded kernel, from 0.
    pub instruction: u64,
}

/// A claimed schedule: the starts of blocks and the issues of their warps, both in the order of cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    starts: Vec<Start>,
    issues: Vec<Issue>,
}

impl Schedule {
    /// The schedule of these starts and issues, which may be in any order.
    pub fn new(mut starts: Vec<Start>, mut issues: Vec<Issue>) -> Self {
        starts.sort_unstable();
        issues.sort_unstable();
        Self { starts, issues }
    }

    /// The starts by cycle, then multiprocessor, slot and block.
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// The issues by cycle, then block, warp and instruction.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }
}
