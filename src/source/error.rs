//! What is wrong with an input, and where.

use std::fmt;

use thiserror::Error;

/// What is wrong with an input, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct InputError {
    /// File or flag; empty where neither is to blame.
    pub place: String,
    /// Line of the file, from 1.
    pub line: Option<usize>,
    /// What was found and what would do.
    pub what: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.place.as_str(), self.line) {
            ("", _) => write!(f, "{}", self.what),
            (place, Some(line)) => write!(f, "{place}:{line}: {}", self.what),
            (place, None) => write!(f, "{place}: {}", self.what),
        }
    }
}

impl InputError {
    /// An error of a flag or a whole file.
    pub fn new(place: impl Into<String>, what: impl fmt::Display) -> Self {
        Self { place: place.into(), line: None, what: what.to_string() }
    }
}
