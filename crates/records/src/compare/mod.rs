//! The record of `compare`: how bounds changed from one version of the code to the next.

mod difference;
mod percent;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::verify;
use crate::{Assumption, Body};
use warpspan_model::words;

pub use difference::{Difference, What};
pub use percent::{Percent, PercentError};
pub(crate) use percent::{in_percent, rational};

/// The bounds of two versions, entry by entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compare {
    /// The file of the old version.
    pub old: String,
    /// The file of the new version.
    pub new: String,
    /// By how many percent a bound may rise; null where no limit was given.
    pub worse_than: Option<f64>,
    /// Whether entries may be gone.
    #[serde(default)]
    pub allow_gone: bool,
    /// The outcome.
    pub verdict: Verdict,
    /// The entries: those of the new version in their order, then those that are gone.
    pub entries: Vec<Compared>,
    /// What the bounds of the new version rest on; those of the old one on the same, but for what `differs`. Absent in older records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
}

impl Body for Compare {
    const SCHEMA: &'static str = "warpspan/compare/2";

    fn found(&self) -> Option<verify::Found> {
        verify::Found::of(|found| found.compare(self))
    }
}

words! {
    /// The outcome of a comparison: that of its gravest entry.
    Verdict {
        /// Every entry has a bound in each version that has the entry, and none rises by more than it may.
        Within = "within",
        /// A bound of an entry is missing, bounds are not comparable, or the versions have no entry in common, and no bound rises by more than
        /// it may as far as is known.
        Unknown = "unknown",
        /// The new version lacks an entry of the old one, which may not be.
        Gone = "gone",
        /// A bound rises by more than it may.
        Worse = "worse",
    }
}

/// What became of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compared {
    /// The name of the entry or kernel, or the file of the instance.
    pub name: String,
    /// What became of its bound.
    pub change: Change,
    /// The unit of the bounds: `cycles`, or one of time.
    pub unit: String,
    /// The old upper bound; null where there is none.
    pub old: Option<Number>,
    /// The new upper bound; null where there is none.
    pub new: Option<Number>,
    /// The difference in percent of the old bound, above 0 where the new one is larger; null where a bound is
    /// missing, or the old one is 0.
    pub percent: Option<f64>,
    /// Whether the new bound is larger by more than it may be.
    pub exceeds: bool,
    /// Why there is no old bound; absent where there is one, or no old version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_error: Option<String>,
    /// Why there is no new bound; absent where there is one, or no new version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_error: Option<String>,
    /// What `change` is because of, where it is not because of the code alone: `lower only because of what is declared`; or why the bounds are
    /// not comparable. Absent where neither is known of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// What differs between two launches besides the bound: the code, what is declared and assumed, the clock, the deadline, the grid. Absent
    /// where nothing does, and in results of other commands than `time` and `budget` unless they are not comparable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<Difference>,
    /// What a reader should know besides, a sentence each; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What the cycles of `lines` are; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Of>,
    /// What lines add more or less, the largest change first; lines of the source where both versions name them, else
    /// lines of the listings. Absent where nothing changed, or the results do not say what lines add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineChange>,
}

words! {
    /// What became of a bound.
    Change {
        /// It is the same.
        Equal = "equal",
        /// The new one is smaller, and nothing is known to differ but the code.
        Smaller = "smaller",
        /// The new one is smaller with the same code: what is declared or assumed is another, or the program.
        NotByCode = "not-by-code",
        /// The new one is smaller, but not for sure because of the code: what is declared or assumed is another too, or the program.
        Mixed = "mixed",
        /// The new one is larger.
        Larger = "larger",
        /// Only the new version has this entry.
        New = "new",
        /// Only the old version has this entry.
        Gone = "gone",
        /// A bound is missing.
        Unknown = "unknown",
        /// The bounds are for another grid, block, GPU or number of warps, and say nothing of each other.
        NotComparable = "not-comparable",
    }
}

words! {
    /// What cycles of lines are.
    Of {
        /// The cycles that a further warp adds.
        FurtherWarp = "further-warp",
        /// The cycles of the critical path.
        CriticalPath = "critical-path",
        /// The cycles of a launch of the kernel, all blocks of it.
        Kernel = "kernel",
    }
}

/// What became of a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LineChange {
    /// The file of the source; null for lines of the listings.
    pub file: Option<String>,
    /// The line of the old version, from 1; null where its listing has no such instruction.
    pub old_line: Option<u32>,
    /// The line of the new version, from 1; null where its listing has no such instruction.
    pub new_line: Option<u32>,
    /// The text of the instruction, the new one where there is one; null for lines of the source.
    pub instruction: Option<String>,
    /// What it adds in the old version, in cycles; a number that is not whole is the nearest one of a double.
    pub old: Number,
    /// What it adds in the new version.
    pub new: Number,
    /// The new one less the old one.
    pub change: Number,
    /// The change in percent of the old one; null where that is 0.
    pub percent: Option<f64>,
    /// The same numbers without rounding.
    pub exact: Exact,
}

/// Cycles without rounding, each a whole number or a ratio such as `7/2`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exact {
    /// What the line adds in the old version.
    pub old: String,
    /// What it adds in the new version.
    pub new: String,
    /// The new one less the old one.
    pub change: String,
}

/// What may become of the bounds of a version.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allowed {
    /// By how much a bound may rise; none if by any amount.
    pub rise: Option<Percent>,
    /// Whether entries may be gone.
    pub gone: bool,
}
