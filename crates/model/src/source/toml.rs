//! Places of values in a file, and errors that name them.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::de::DeserializeOwned;

use crate::source::wrong_type::wrong_type;
use crate::source::{InputError, Message, Remedy, Spanned, short};

/// The most threads that a block has on any GPU (CUDA Programming Guide, "Compute Capabilities").
pub const MOST_THREADS: u64 = 1024;
/// The most registers that a thread has.
pub const MOST_REGISTERS: u64 = 255;
/// A bound on the bytes of shared memory of a block. No multiprocessor has more than 328 KiB.
pub const MOST_SHARED: u64 = 1 << 20;

/// The lines of a text, for messages that name a line.
#[doc(hidden)]
pub struct Source<'a> {
    pub place: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    /// An error at a byte offset of the text.
    pub fn error(&self, at: usize, what: impl Display) -> InputError {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        InputError { place: self.place.to_owned(), line: Some(line), what: Message::text(what) }
    }

    /// An error in another file, reported at the place where this file names that one.
    pub fn within(&self, at: usize, error: InputError, words: impl Fn(&Remedy) -> String) -> InputError {
        InputError { what: error.message().in_words(words), ..self.error(at, "") }
    }

    /// A file that this one names: beside it, unless its path is absolute.
    pub fn beside(&self, file: &str) -> PathBuf {
        Path::new(self.place).parent().unwrap_or(Path::new("")).join(file)
    }

    /// Reads a TOML text.
    pub fn toml<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        toml::from_str(self.text).map_err(|error| {
            let message = short(error.message()).lines().collect::<Vec<_>>().join("; ");
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, wrong_type(self.text, at, &message).unwrap_or(message))
        })
    }

    /// A kernel string, or another value that is read from a text.
    pub fn parsed<T: FromStr<Err: Display>>(
        &self,
        key: &str,
        string: &Spanned<String>,
    ) -> Result<T, InputError> {
        let wrong =
            |what: T::Err| self.error(string.span().start, format!("{key} = {:?}: {what}", string.get_ref()));
        string.get_ref().parse().map_err(wrong)
    }

    /// A number as TOML writes it, whole or with a point, which is read to its last digit.
    ///
    /// # Errors
    /// What `read` says of it.
    pub fn number<T, E: Display>(
        &self,
        key: &str,
        value: &Spanned<toml::Value>,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, InputError> {
        self.number_at(key, value.get_ref(), value.span().start, read)
    }

    /// The same for a value whose place is known from elsewhere, such as one of a list.
    ///
    /// # Errors
    /// As [`Self::number`].
    pub fn number_at<T, E: Display>(
        &self,
        key: &str,
        value: &toml::Value,
        at: usize,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, InputError> {
        read(&decimal(value)).map_err(|what| self.error(at, format!("{key} = {value}: {what}")))
    }

    /// A number that must be 1 or more.
    pub fn positive(&self, key: &str, value: &Spanned<i64>) -> Result<u64, InputError> {
        match u64::try_from(*value.get_ref()) {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(self.error(value.span().start, format!("{key} = {}: want 1 or more", value.get_ref()))),
        }
    }

    /// A whole number, or a range such as `"1..1024"`, as text.
    pub fn number_or_range(&self, key: &str, value: &Spanned<toml::Value>) -> Result<String, InputError> {
        match value.get_ref() {
            toml::Value::Integer(number) => Ok(number.to_string()),
            toml::Value::String(text) => Ok(text.clone()),
            other => {
                let what = format!("{key} = {other}: want a whole number, or a range such as \"1..1024\"");
                Err(self.error(value.span().start, what))
            }
        }
    }

    /// A number that must be 1 or more and at most `most`, which no hardware exceeds.
    pub fn plausible(&self, key: &str, value: &Spanned<i64>, most: u64) -> Result<u64, InputError> {
        self.at_most(key, self.positive(key, value)?, most, value.span().start)
    }

    /// A number that must be 0 or more and at most `most`, which no hardware exceeds.
    pub fn natural(&self, key: &str, value: &Spanned<i64>, most: u64) -> Result<u64, InputError> {
        let number = u64::try_from(*value.get_ref()).map_err(|_| {
            self.error(value.span().start, format!("{key} = {}: want 0 or more", value.get_ref()))
        })?;
        self.at_most(key, number, most, value.span().start)
    }

    /// The number, if it is at most `most`.
    pub fn at_most(&self, key: &str, value: u64, most: u64, at: usize) -> Result<u64, InputError> {
        if value <= most {
            Ok(value)
        } else {
            Err(self.error(at, format!("{key} = {value}: want {most} or less")))
        }
    }
}

/// Whether a TOML text has all these keys at its top. What is wrong with their values is for their reader to say, such as an
/// integer that is too large.
pub fn has_keys(text: &str, keys: &[&str]) -> bool {
    toml::de::DeTable::parse(text)
        .is_ok_and(|table| keys.iter().all(|key| table.get_ref().contains_key(*key)))
}

/// The text of a value that may be written as a string or as a number.
pub fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A decimal number of a file, without an exponent.
pub fn decimal(value: &toml::Value) -> String {
    match value {
        toml::Value::Float(number) => number.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_there_whatever_their_values_are() {
        let text = "a = 340282366920938463463374607431768211456\n[[b]]\nc = 99999999999999999999\n";
        assert!(has_keys(text, &["a", "b"]) && !has_keys(text, &["c"]) && !has_keys("a = ", &["a"]));
    }
}
