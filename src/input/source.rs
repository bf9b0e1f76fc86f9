//! Where things stand in a file.

use toml::Spanned;

use crate::input::InputError;

/// The lines of a text, to say where things stand.
pub(crate) struct Source<'a> {
    pub(crate) place: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// An error at a byte of the text.
    pub(crate) fn error(&self, at: usize, what: impl std::fmt::Display) -> InputError {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        InputError { place: self.place.to_owned(), line: Some(line), what: what.to_string() }
    }

    /// A number that must be 1 or more.
    pub(crate) fn positive(&self, key: &str, value: &Spanned<i64>) -> Result<u64, InputError> {
        match u64::try_from(*value.get_ref()) {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(self.error(value.span().start, format!("{key} = {}: want 1 or more", value.get_ref()))),
        }
    }
}
