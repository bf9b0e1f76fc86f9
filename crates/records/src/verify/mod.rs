//! The record of `verify`: of each number of another record, what proves it and how that is checked.
//!
//! Nothing is recomputed or verified: `check` does that. What a record does not say is unknown, and never taken for
//! proved.

mod analyses;
pub(crate) mod evidence;
mod findings;
mod instances;
mod listings;
mod plans;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Assumption, Body, ReadError, Record, read};
#[doc(hidden)]
pub use findings::Found;
use warpspan_check::bound::statement::STATEMENTS;
use warpspan_check::bound::{self, Statement};
use warpspan_model::words;

/// How the numbers of a record are checked; or, without a record, all that numbers follow from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verify {
    /// The schema of the record, or `sweep-row`; null where there is none.
    pub of: Option<String>,
    /// The number that is checked worst; null where there is no record, or nothing in it claims to be proved.
    pub weakest: Option<Weakest>,
    /// The numbers.
    pub numbers: Vec<Number>,
    /// Where the record contradicts itself, so that nothing is known of the number; absent where it does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
    /// What the numbers rest on, as `docs/assumptions.md` explains.
    pub assumptions: Vec<Assumption>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
    /// What the numbers follow from; without a record, all that numbers can follow from.
    pub theorems: Vec<Theorem>,
}

impl Body for Verify {
    const SCHEMA: &'static str = "warpspan/verify/2";
}

/// The weakest link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Weakest {
    /// How the number is checked.
    pub checked: How,
    /// The name of the number.
    pub number: String,
}

/// A number that something else in its record contradicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contradiction {
    /// The name of the number.
    pub number: String,
    /// What contradicts it.
    pub why: String,
}

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
    fn strength(self) -> Option<u8> {
        match self {
            Self::Unknown => Some(0),
            Self::Tested => Some(1),
            Self::Paper => Some(2),
            Self::Machine => Some(3),
            Self::Assumed | Self::NoBound => None,
        }
    }
}

/// What numbers follow from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Theorem {
    /// Its name.
    pub name: String,
    /// What it says.
    pub says: String,
    /// How it is checked.
    pub checked: How,
    /// The page of the manual that states it, in `docs`.
    pub page: String,
    /// Where on the page: the number or the title of a section, or the name of a theorem.
    pub section: String,
    /// What Coq has checked of it: all of it only if `checked` is `machine`.
    pub coq: Vec<Coq>,
    /// What it assumes besides; null where that is nothing.
    pub rest: Option<String>,
}

/// A theorem that Coq has checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coq {
    /// Its name.
    pub theorem: String,
    /// Its file.
    pub file: String,
}

impl From<&Statement> for Theorem {
    fn from(statement: &Statement) -> Self {
        let coq = |one: &bound::statement::Coq| Coq {
            theorem: one.theorem.to_owned(),
            file: format!("proofs/{}", one.file),
        };
        Self {
            name: statement.name.to_owned(),
            says: statement.says.to_owned(),
            checked: statement.checked.into(),
            page: format!("docs/{}.md", statement.page),
            section: statement.section.to_owned(),
            coq: statement.coq.iter().map(coq).collect(),
            rest: (!statement.rest.is_empty()).then(|| statement.rest.to_owned()),
        }
    }
}

impl Verify {
    /// All that numbers can follow from.
    pub fn table() -> Self {
        Self {
            of: None,
            weakest: None,
            numbers: Vec::new(),
            contradictions: Vec::new(),
            assumptions: Vec::new(),
            notes: Vec::new(),
            theorems: STATEMENTS.iter().copied().map(Into::into).collect(),
        }
    }

    /// How the numbers of a line are checked.
    ///
    /// # Errors
    /// If the line is no record; `Ok(None)` if its record holds nothing that claims to be proved.
    pub fn of(line: &[u8]) -> Result<Option<Self>, ReadError> {
        let (line, doubts) = evidence::without_doubts(line);
        let record = read(&line)?;
        let of = match &record {
            Record::SweepRow(_) => "sweep-row".to_owned(),
            other => other.schema().to_owned(),
        };
        let Some(mut found) = record.found() else { return Ok(None) };
        found.notes.extend(doubts);
        found.beside(record.numbers());
        Ok(Some(found.record(of)))
    }
}
