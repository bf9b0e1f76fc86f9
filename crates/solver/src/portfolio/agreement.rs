//! What came of a check by another engine.

use crate::portfolio::EngineName;
use warpspan_model::words;

/// The result of checking the answer of one engine by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The engine that checked: the states, the ILP or the phase bound.
    pub by: EngineName,
    /// The result.
    pub result: Agreement,
    /// How much was searched, or why it was not.
    pub detail: String,
}

words! {
    /// What came of a check. A contradiction is not among these: it is an error.
    #[derive(PartialOrd, Ord)]
    #[schemars(rename = "CheckResult")]
    Agreement {
        /// The engine found the same worst case.
        Agrees = "agrees",
        /// The engine found a bound that holds, and is not as narrow.
        Consistent = "consistent",
        /// The engine was stopped before it had an answer.
        Unfinished = "unfinished",
        /// The engine is predicted to take too long or too much memory, or this build does not have it.
        Untried = "untried",
    }
}

impl Agreement {
    /// The result in one line for a person.
    pub fn text(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Consistent => "does not contradict",
            Self::Unfinished => "was stopped before it had an answer",
            Self::Untried => "not tried",
        }
    }
}
