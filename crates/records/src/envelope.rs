//! What each record has around it: its schema, the version that wrote it, and the place of what it is about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What can stand in an [`Envelope`].
pub trait Body {
    /// The name and the version of its schema, such as `warpspan/solve/2`. The version rises when a field
    /// changes its meaning or goes; a new field does not raise it.
    const SCHEMA: &'static str;
}

/// A record as it is printed: one JSON object on one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Envelope<R> {
    /// The name and the version of the schema.
    pub schema: String,
    /// The version of the warpspan that wrote the record.
    pub version: String,
    /// The words of the command line that printed the record, without the name of the program; absent where no command
    /// line printed it, such as in Python, in a browser and in the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<String>>,
    /// The fields of the record itself.
    #[serde(flatten)]
    pub record: R,
    /// Where the instance is from; absent for commands whose files hold no instance.
    #[serde(flatten)]
    pub place: Option<Place>,
}

/// Where the instance of a record is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The file; null where flags alone name the instance.
    #[serde(deserialize_with = "present")]
    pub file: Option<String>,
    /// The line of the file, from 1, where it holds several instances; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// Reads a field that may be null but has to be there: a record without it has no place.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

impl<R: Body> Envelope<R> {
    /// The record as this version of warpspan prints it, without a place.
    pub fn new(record: R) -> Self {
        Self {
            schema: R::SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: None,
            record,
            place: None,
        }
    }

    /// The same with the words of the command line that prints it, if one does.
    #[must_use]
    pub fn asked_by(self, arguments: Option<Vec<String>>) -> Self {
        Self { arguments, ..self }
    }

    /// The same with the place of its instance.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self { place: Some(place), ..self }
    }
}
