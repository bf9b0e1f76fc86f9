//! Schedules of a [`MachineWorkload`](warpspan_model::machine::MachineWorkload): which warp issues which
//! instruction in which cycle, and which latency the adversary gave it.
//!
//! A [`MachineSchedule`] is only a claim. [`replay`] runs it through the semantics of
//! [`warpspan_model::machine`] in integers, without the code of any engine, and returns a [`MachineWitness`] or
//! the first [`MachineViolation`]. It judges straight lines in which each instruction waits for the one
//! before; barriers may stand between them.
//!
//! Indexes of groups, warps and instructions count from 0 here and from 1 in every message. Cycles count from
//! 1 everywhere. Barriers are not instructions: instruction i is the i-th letter of the line.

mod chart;
mod file;
mod read;
mod replay;
#[cfg(test)]
mod tests;
mod violation;

pub use chart::chart;
pub use file::{MachineIssueRecord, records, write_csv, write_json};
#[doc(hidden)]
pub use read::from_records;
pub use read::{read_csv, read_json};
pub use replay::{MachineWitness, replay};
pub use violation::{MachineViolation, WarpName};

/// An instruction that a warp issues in a cycle, with its latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MachineIssue {
    /// The cycle, from 1.
    pub cycle: u64,
    /// Index of the warp's group, from 0.
    pub group: u32,
    /// Index of the warp in its group, from 0.
    pub warp: u32,
    /// Index of the instruction in the line, from 0.
    pub instruction: u32,
    /// The latency that the adversary chose for this issue, in cycles.
    pub latency: u64,
}

/// A claimed schedule: issues in the order of cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineSchedule {
    issues: Vec<MachineIssue>,
}

impl MachineSchedule {
    /// The schedule of these issues, which may be in any order.
    pub fn new(mut issues: Vec<MachineIssue>) -> Self {
        issues.sort_unstable();
        Self { issues }
    }

    /// The issues by cycle, then group, warp and instruction.
    pub fn issues(&self) -> &[MachineIssue] {
        &self.issues
    }
}
