//! Errors at lines of a listing, and the words in them.

use warpspan_model::source::{InputError, Message};

/// An error at a line. The message has one line, whatever it quotes.
pub(super) fn fail(place: &str, line: u32, what: impl std::fmt::Display) -> InputError {
    fail_with(place, line, one_line(&what).into())
}

/// An error at a line, with its remedies.
pub(super) fn fail_with(place: &str, line: u32, what: Message) -> InputError {
    InputError { place: place.to_owned(), line: usize::try_from(line).ok(), what }
}

/// A message without line breaks.
pub(super) fn one_line(what: &impl std::fmt::Display) -> String {
    what.to_string().replace(char::is_control, " ")
}

/// The beginning of a text of any length and content, for a message of one line.
pub(super) fn shorten(text: &str) -> String {
    text.trim().chars().take(40).collect()
}

/// The number of newlines; no listing that is read has as many as `u32::MAX`.
pub(super) fn newlines(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|&&byte| byte == b'\n').count()).unwrap_or(u32::MAX)
}
