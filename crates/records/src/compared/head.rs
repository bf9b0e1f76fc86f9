//! What stands around a record of which bounds are read.

use serde::Deserialize;

use crate::compared::ledger::{Inputs, Ledger};
use crate::{Assumption, Body, Input};

/// What stands around a record.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Head {
    #[serde(default)]
    schema: Option<String>,
    #[serde(default)]
    pub(super) version: Option<String>,
    #[serde(default)]
    pub(super) arguments: Option<Vec<String>>,
    #[serde(default)]
    inputs: Vec<Input>,
}

impl Head {
    /// Of a line; empty where it is no record.
    pub(super) fn of(line: &[u8]) -> Self {
        serde_json::from_slice(line).unwrap_or_default()
    }

    /// Whether it is a record of `time`: the fields of bounds are those of the first version still.
    pub(super) fn is_time(&self) -> bool {
        let times = ["warpspan/time/1", "warpspan/time/2", "warpspan/time/3", <crate::Time as Body>::SCHEMA];
        self.schema.as_ref().is_some_and(|schema| times.contains(&schema.as_str()))
    }

    /// What a record of this listing says of what its bounds rest on.
    pub(super) fn ledger(&self, listing: &str, assumptions: &[Assumption]) -> Ledger {
        Ledger {
            version: self.version.clone().unwrap_or_default(),
            assumptions: Some(assumptions.to_vec()),
            inputs: self.inputs(listing, None),
            ..Ledger::default()
        }
    }

    /// What was read for a launch with these words of the command line: its listing, and the files that the words name.
    pub(super) fn inputs(&self, listing: &str, words: Option<&[String]>) -> Option<Inputs> {
        if self.inputs.is_empty() {
            return None;
        }
        let is_named = |file: &str| words.is_none_or(|words| words.iter().any(|word| word.contains(file)));
        let (of_listing, others): (Vec<&Input>, Vec<&Input>) =
            self.inputs.iter().partition(|one| one.file == listing);
        let others = others.into_iter().filter(|one| is_named(&one.file));
        Some(Inputs {
            listing: of_listing.first().map(|one| one.sha256.clone()),
            others: others.map(|one| (one.file.clone(), one.sha256.clone())).collect(),
        })
    }
}
