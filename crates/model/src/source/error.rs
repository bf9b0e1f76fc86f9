//! What is wrong with an input, and where.

use std::fmt;

use thiserror::Error;

use crate::source::{Message, Remedy};

/// What is wrong with an input, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct InputError {
    /// The file, or another place that the error is about. It is empty where there is none.
    pub place: String,
    /// The line of the file, from 1.
    pub line: Option<usize>,
    /// What was found and what is wanted.
    pub what: Message,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl InputError {
    /// An error about an input as a whole, which names no remedies.
    pub fn new(place: impl Into<String>, what: impl fmt::Display) -> Self {
        Self::with(place, Message::text(what))
    }

    /// An error about an input as a whole, with its remedies.
    pub fn with(place: impl Into<String>, what: impl Into<Message>) -> Self {
        Self { place: place.into(), line: None, what: what.into() }
    }

    /// The place and what is wrong there, as one message.
    pub fn message(&self) -> Message {
        let place = match (self.place.as_str(), self.line) {
            ("", _) => return self.what.clone(),
            (place, Some(line)) => format!("{place}:{line}: "),
            (place, None) => format!("{place}: "),
        };
        Message::text(place).append(self.what.clone())
    }

    /// All remedies that the message names.
    pub fn remedies(&self) -> impl Iterator<Item = &Remedy> {
        self.what.remedies()
    }
}
