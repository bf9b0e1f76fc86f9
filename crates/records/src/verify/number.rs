//! The numbers of a record, and how they are checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_check::bound;
use warpspan_model::words;

/// A number of a record, or a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Number {
    /// The field, with the names of what it is about.
    pub name: String,
    /// What it is.
    pub value: String,
    /// On which side of the truth it is.
    pub side: Side,
    /// How that is checked.
    pub checked: How,
    /// The names of the theorems that it follows from.
    pub by: Vec<String>,
    /// Why it is not known how it is checked, or what else to know; else null.
    pub why: Option<String>,
    /// The names of what it rests on, of those in `assumptions`: of a bound from below those alone that make it smaller where they are
    /// wrong.
    #[serde(default)]
    pub rests_on: Vec<String>,
}

words! {
    /// The side of a number.
    #[schemars(rename = "NumberSide")]
    Side {
        /// The truth is at most this.
        Upper = "upper",
        /// The truth is at least this.
        Lower = "lower",
        /// The truth is this.
        Exact = "exact",
        /// It is no bound: the truth may be on either side.
        Estimate = "estimate",
        /// It was given to the command, or read from a table.
        Given = "given",
        /// It is a verdict and no number.
        Verdict = "verdict",
    }
}

words! {
    /// How a number is checked.
    How {
        /// The record does not tell.
        Unknown = "unknown",
        /// By tests against other engines; there is no proof of the program that found it.
        Tested = "tested",
        /// By a proof on paper.
        Paper = "paper",
        /// By a machine: Coq checked the theorem, or a program that shares no code with what found the number checked it.
        Machine = "machine",
        /// Not at all: it is assumed.
        Assumed = "assumed",
        /// Not at all: it does not claim to be a bound.
        NoBound = "no-bound",
    }
}

impl From<bound::Checked> for How {
    fn from(checked: bound::Checked) -> Self {
        match checked {
            bound::Checked::Tested => Self::Tested,
            bound::Checked::Paper => Self::Paper,
            bound::Checked::Machine => Self::Machine,
        }
    }
}

impl How {
    /// The rank of this kind of check, from the weakest; `None` for what is no claim.
    pub(crate) fn strength(self) -> Option<u8> {
        match self {
            Self::Unknown => Some(0),
            Self::Tested => Some(1),
            Self::Paper => Some(2),
            Self::Machine => Some(3),
            Self::Assumed | Self::NoBound => None,
        }
    }
}
