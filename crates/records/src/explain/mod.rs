//! The record of `explain`: why a number of another record is what it is, and what warps wait for in a schedule.
//!
//! How each number is checked is what `verify` says of it. On top of that come the conditions of the theorems, looked
//! up in the instance of the record, and a second computation by the checker of `check`, where it has a method. A
//! number whose condition does not hold, or which the checker refutes, is not proved, whatever its record says.

mod carried;
mod conditions;
mod exact;
mod schedule;
mod sentences;
mod terms;
mod verdict;
mod verification;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::{Judged, Judgement};
use crate::verify::{How, Number, Side, Theorem};
use crate::{Assumption, Body};
use warpspan_model::words;

pub use carried::of_solve;
pub use schedule::{Division, Holder, Moment, Share, State};
pub use terms::Term;

/// Why numbers are what they are, or what the warps of a schedule do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explain {
    /// The schema of the record that is explained, `sweep-row`, or `schedule`.
    pub of: String,
    /// How the command ended that wrote the record; null where the record does not tell.
    pub ended: Option<Ended>,
    /// The numbers of the record, each with the evidence for it; empty where a moment was asked for.
    pub reasons: Vec<Reason>,
    /// What would make the bounds smaller, a sentence each.
    pub smaller: Vec<String>,
    /// How the cycles of a warp of the schedule divide; null where there is no schedule, or a moment was asked for.
    pub division: Option<Division>,
    /// What warps do in the cycle that was asked for; empty where none was.
    pub moments: Vec<Moment>,
    /// What the numbers rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
    /// What the numbers follow from.
    pub theorems: Vec<Theorem>,
}

impl Body for Explain {
    const SCHEMA: &'static str = "warpspan/explain/2";
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ended {
    /// Its exit code for this record; several records may make it another.
    pub exit: u8,
    /// What that means here, and what ended the run, in words.
    pub why: String,
}

/// A number of a record, and why it is what it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    /// The field, with the names of what it is about.
    pub name: String,
    /// What it is.
    pub value: String,
    /// On which side of the truth it is.
    pub side: Side,
    /// How that is checked; `unknown` where a condition does not hold or the checker refutes the number.
    pub checked: How,
    /// The names of the theorems that it follows from.
    pub by: Vec<String>,
    /// Why it is not known how it is checked, or what else to know; else null.
    pub why: Option<String>,
    /// The names of what it rests on, of those in `assumptions`.
    #[serde(default)]
    pub rests_on: Vec<String>,
    /// The conditions of the theorems, and whether they hold here.
    pub conditions: Vec<Condition>,
    /// What a second computation finds, which shares no code with the first; empty where there is none.
    pub judged: Vec<Judged>,
    /// What the number is the sum of, the largest first; empty where the record does not tell.
    pub terms: Vec<Term>,
}

/// A condition of a theorem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Condition {
    /// What has to hold.
    pub condition: String,
    /// Whether it does.
    pub holds: Holds,
    /// What was found.
    pub found: String,
}

words! {
    /// Whether a condition holds.
    Holds {
        /// It does.
        Yes = "yes",
        /// It does not.
        No = "no",
        /// The record does not tell.
        Unknown = "unknown",
    }
}

impl Condition {
    /// A condition that was looked up.
    pub(crate) fn of(condition: impl Into<String>, holds: bool, found: impl Into<String>) -> Self {
        let holds = if holds { Holds::Yes } else { Holds::No };
        Self { condition: condition.into(), holds, found: found.into() }
    }

    /// A condition of which the record does not tell whether it holds.
    fn unknown(condition: impl Into<String>, found: impl Into<String>) -> Self {
        Self { condition: condition.into(), holds: Holds::Unknown, found: found.into() }
    }
}

impl From<Number> for Reason {
    fn from(Number { name, value, side, checked, by, why, rests_on }: Number) -> Self {
        let (conditions, judged, terms) = (Vec::new(), Vec::new(), Vec::new());
        Self { name, value, side, checked, by, why, rests_on, conditions, judged, terms }
    }
}

impl Reason {
    /// Whether something contradicts the number.
    pub fn is_refuted(&self) -> bool {
        self.conditions.iter().any(|one| one.holds == Holds::No)
            || self.judged.iter().any(|one| one.judgement == Judgement::Refuted)
    }
}

impl Explain {
    /// Nothing yet of something of this kind.
    pub(crate) fn empty(of: impl Into<String>) -> Self {
        Self {
            of: of.into(),
            ended: None,
            reasons: Vec::new(),
            smaller: Vec::new(),
            division: None,
            moments: Vec::new(),
            assumptions: Vec::new(),
            notes: Vec::new(),
            theorems: Vec::new(),
        }
    }

    /// Whether something contradicts a number of the record.
    pub fn is_refuted(&self) -> bool {
        self.reasons.iter().any(Reason::is_refuted)
    }

    pub(crate) fn reason(&mut self, name: &str) -> Option<&mut Reason> {
        self.reasons.iter_mut().find(|reason| reason.name == name)
    }
}
