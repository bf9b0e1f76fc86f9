//! Schedules: which warp issues which instruction in which cycle.
//!
//! A [`Schedule`] is only a claim. [`replay`] runs it through the semantics of [`warpspan_model`] in integers,
//! without the code of any engine, and returns a [`Witness`] or the first [`Violation`]. Only a witness can
//! stand behind a lower bound. [`grid`] is the same for the blocks of a grid, which follow one another, and
//! [`machine`] for machines with latency, issue width and schedulers. An [`Activity`] says what each warp does in
//! each cycle of a witness.
//!
//! Indexes of groups, warps and instructions count from 0 here and from 1 in every file and message. Cycles
//! count from 1 everywhere. Instructions index the kernel after its expansion to sub-warps.

mod activity;
mod chart;
pub mod grid;
mod lines;
pub mod machine;
mod read;
mod replay;
mod state;
mod violation;
mod write;

pub use activity::{Activity, Doing, Issued, Named, Next, Spent};
pub use chart::{chart, chart_width};
#[doc(hidden)]
pub use chart::{heads, row};
pub use lines::{Lines, LinesError, Taken};
#[doc(hidden)]
pub use read::from_records;
pub use read::{ScheduleFileError, read_csv, read_json};
pub use replay::{Witness, replay};
pub use violation::Violation;
pub use write::{IssueRecord, records, write_csv, write_json};

/// An instruction that a warp issues in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Issue {
    /// The cycle, from 1.
    pub cycle: u64,
    /// Index of the warp's group, from 0.
    pub group: u32,
    /// Index of the warp in its group, from 0.
    pub warp: u32,
    /// Index of the instruction in the expanded kernel, from 0.
    pub instruction: u32,
}

/// A claimed schedule: issues in the order of cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    issues: Vec<Issue>,
}

impl Schedule {
    /// The schedule of these issues, which may be in any order.
    pub fn new(mut issues: Vec<Issue>) -> Self {
        if !issues.is_sorted() {
            issues.sort_unstable();
        }
        Self { issues }
    }

    /// The issues by cycle, then group, warp and instruction.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }
}
