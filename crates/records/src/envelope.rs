//! What each record has around it: its schema, the version that wrote it, and the place of what it is about.

use std::fmt;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::verify::{Found, Number};
use warpspan_model::source::{ReadFile, read_files};

/// What can stand in an [`Envelope`].
pub trait Body {
    /// The name and the version of its schema, such as `warpspan/solve/2`. The version rises when a field
    /// changes its meaning or goes; a new field does not raise it.
    const SCHEMA: &'static str;

    /// Its numbers, and what they follow from; `None` where no number of such a record claims anything.
    #[doc(hidden)]
    fn found(&self) -> Option<Found> {
        None
    }
}

/// A record as it is printed: one JSON object on one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Envelope<R> {
    /// The name and the version of the schema.
    pub schema: String,
    /// The version of the warpspan that wrote the record.
    pub version: String,
    /// From which state of its code that was built; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Build>,
    /// The command that printed the record, quoted for a shell; absent where no command line printed it, such as in Python, in a
    /// browser and in the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its words without the name of the program; absent as that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<String>>,
    /// What the command had read when it printed the record, in that order: listings, declarations, classes, traces, machines and
    /// the files that name these; absent where it read nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// The fields of the record itself.
    #[serde(flatten)]
    pub record: R,
    /// What its numbers follow from, and on what each of them rests; absent where none of them claims anything, and in older records.
    #[serde(flatten)]
    pub numbers: Option<Numbers>,
    /// Where the instance is from; absent for commands whose files hold no instance.
    #[serde(flatten)]
    pub place: Option<Place>,
}

/// The numbers of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Numbers {
    /// Each with its side, what it follows from, and the names of what it rests on, of those in `assumptions`.
    pub numbers: Vec<Number>,
}

/// From which state of its code a program was built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Build {
    /// The commit, in hexadecimal digits; `unknown` where it was built outside a checkout.
    pub commit: String,
    /// Whether no file of the checkout differed from the commit; null where that is not known.
    pub clean: Option<bool>,
}

static BUILD: OnceLock<Build> = OnceLock::new();

impl Build {
    /// That of this program: what [`set`](Self::set) said first.
    pub fn of_this() -> Self {
        let unknown = || Self { commit: "unknown".to_owned(), clean: None };
        BUILD.get().cloned().unwrap_or_else(unknown)
    }

    /// Says once of which state this program was built: a commit as `git describe --always --dirty=+` prints it.
    pub fn set(described: &str) {
        let (commit, clean) = match described.strip_suffix('+') {
            Some(commit) => (commit, Some(false)),
            None if described == "unknown" => (described, None),
            None => (described, Some(true)),
        };
        let _ = BUILD.set(Self { commit: commit.to_owned(), clean });
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = if self.clean == Some(false) { ", with changes" } else { "" };
        write!(f, "commit {}{changed}", self.commit)
    }
}

/// A file that a command had read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// Its name, as it was given.
    pub file: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
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
            build: Some(Build::of_this()),
            command: None,
            arguments: None,
            inputs: read_files()
                .into_iter()
                .map(|ReadFile { file, sha256 }| Input { file, sha256 })
                .collect(),
            numbers: record.found().map(|found| Numbers { numbers: found.numbers() }),
            record,
            place: None,
        }
    }

    /// The same with the words of the command line that prints it, if one does, and the command quoted for a shell.
    #[must_use]
    pub fn asked_by(self, asked: Option<(Vec<String>, String)>) -> Self {
        let (arguments, command) = asked.unzip();
        Self { arguments, command, ..self }
    }

    /// The same with the place of its instance.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self { place: Some(place), ..self }
    }
}
