//! What loops, lines of the listing and lines of the source add to the bound of an entry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a loop adds, with the loops in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoopShare {
    /// The label of its header, or the line where that has none.
    pub label: String,
    /// The line of its header, from 1.
    pub line: u32,
    /// What its lines add to a, in cycles: a whole number or a ratio such as `7/2`.
    pub adds: String,
    /// The same in percent of what all lines add.
    pub share: f64,
}

/// What a line of the listing adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LineShare {
    /// The line of the listing, from 1.
    pub line: u32,
    /// The text of the instruction; null in a function that is called.
    pub instruction: Option<String>,
    /// What it adds to a, in cycles: a whole number or a ratio such as `7/2`.
    pub adds: String,
    /// The same in percent of what all lines add.
    pub share: f64,
}

/// What a line of the source adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceShare {
    /// The file as the listing names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What it adds to a, in cycles: a whole number or a ratio such as `7/2`.
    pub adds: String,
    /// The same in percent of what all lines add.
    pub share: f64,
}

/// What several lines add together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FurtherShare {
    /// How many lines these are.
    pub lines: usize,
    /// What they add to a, in cycles: a whole number or a ratio such as `7/2`.
    pub adds: String,
    /// The same in percent of what all lines add.
    pub share: f64,
}
