//! The places of results.

use crate::Failure;
use warpspan_model::assumption::Rests;
use warpspan_model::source::escaped;

/// What a result is about.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The file that the instance is from; none by flags alone.
    pub(super) file: Option<String>,
    /// Its line there, where a file holds several.
    pub(super) line: Option<usize>,
    /// Whether there are further results.
    pub(super) beside: bool,
    /// What each number rests on.
    pub(super) rests: Rests,
}

impl Place {
    /// A failure with the file that it is about.
    pub(super) fn named(&self, failure: impl Into<Failure>) -> Failure {
        let failure = failure.into();
        match &self.file {
            Some(file) => Failure { message: format!("{file}: {}", failure.message), ..failure },
            None => failure,
        }
    }

    /// A result for a person, under its place where there are several.
    pub(super) fn over(&self, text: &str) -> String {
        let file = self.file.as_deref().map(escaped);
        match (file, self.line) {
            (Some(file), Some(line)) if self.beside => format!("{file}:{line}\n{text}"),
            (Some(file), None) if self.beside => format!("{file}\n{text}"),
            _ => text.to_owned(),
        }
    }
}
