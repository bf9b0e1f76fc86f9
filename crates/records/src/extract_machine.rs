//! The part of the record of `extract` that is about a machine.

use crate::Assumption;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::MachineBound;

/// An entry on a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OnMachine {
    /// The name of the machine, or the file that it is from.
    pub name: String,
    /// The text of the program over the letters of the machine; null where there is none.
    pub program: Option<String>,
    /// Why there is no program; null where there is one.
    pub structure_error: Option<String>,
    /// The letters that instructions of the entry have.
    pub letters: Vec<UsedLetter>,
    /// What the numbers of the machine rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// What else should be known of the bound, a sentence each; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// An upper bound for the warps that were asked for; absent where none were, or it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<MachineBound>,
    /// Why there is no bound although one was asked for; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound_error: Option<String>,
    /// The instructions; absent unless they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listing: Vec<MachineLine>,
}

/// A letter that instructions have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsedLetter {
    /// Its name; a number behind it says how often a memory instruction passes.
    pub name: String,
    /// The name of its unit.
    pub unit: String,
    /// The cycles for which an issue holds an instance of the unit.
    pub occupancy: u64,
    /// The least and the greatest latency, in cycles.
    pub latency: [u64; 2],
    /// How many instructions have it.
    pub instructions: usize,
}

/// The letters of an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MachineLine {
    /// The line of the listing, from 1.
    pub line: u32,
    /// Its letters as a kernel string, with `|` for a barrier; null where it has none.
    pub letters: Option<String>,
    /// Why it has these letters, or none.
    pub why: String,
}
