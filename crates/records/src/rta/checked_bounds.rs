//! What the bounds of an analysis follow from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::solve::Checked;
use warpspan_check::bound::statement::Statement;

/// How bounds are checked: by the statement that they follow from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedBounds {
    /// Its name in the list of statements.
    pub statement: String,
    /// How it is checked.
    pub checked: Checked,
}

impl From<&Statement> for CheckedBounds {
    fn from(of: &Statement) -> Self {
        Self { statement: of.name.to_owned(), checked: of.checked }
    }
}
