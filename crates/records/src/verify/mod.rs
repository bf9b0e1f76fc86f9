//! The record of `verify`: of each number of another record, what proves it and how that is checked.
//!
//! Nothing is recomputed or verified: `check` does that. What a record does not say is unknown, and never taken for
//! proved.

pub(crate) mod evidence;
pub(crate) mod findings;
mod number;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Assumption;
#[doc(hidden)]
pub use findings::Found;
pub use number::{How, Number, Side};
use warpspan_check::bound::statement::STATEMENTS;
use warpspan_check::bound::{self, Statement};

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
}
