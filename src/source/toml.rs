//! Where things stand in a file.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::DeserializeOwned;

use crate::source::{InputError, Message, Remedy, Spanned};

/// The most threads of a block that any GPU takes (CUDA Programming Guide, "Compute Capabilities").
pub(crate) const MOST_THREADS: u64 = 1024;
/// The most registers of a thread.
pub(crate) const MOST_REGISTERS: u64 = 255;
/// More bytes of shared memory than any multiprocessor has, which is 328 KiB.
pub(crate) const MOST_SHARED: u64 = 1 << 20;

/// The lines of a text, to say where things stand.
pub(crate) struct Source<'a> {
    pub(crate) place: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// An error at a byte of the text.
    pub(crate) fn error(&self, at: usize, what: impl Display) -> InputError {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        InputError { place: self.place.to_owned(), line: Some(line), what: Message::text(what) }
    }

    /// An error of another file, where this one names it, in the words of this one.
    pub(crate) fn within(
        &self,
        at: usize,
        error: InputError,
        words: impl Fn(&Remedy) -> String,
    ) -> InputError {
        InputError { what: error.message().in_words(words), ..self.error(at, "") }
    }

    /// What a TOML text says.
    pub(crate) fn toml<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        toml::from_str(self.text).map_err(|error| {
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            self.error(error.span().map_or(0, |span| span.start), message)
        })
    }

    /// A kernel string, or what else is read from a text.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(
        &self,
        key: &str,
        string: &Spanned<String>,
    ) -> Result<T, InputError> {
        let wrong =
            |what: T::Err| self.error(string.span().start, format!("{key} = {:?}: {what}", string.get_ref()));
        string.get_ref().parse().map_err(wrong)
    }

    /// A number that must be 1 or more.
    pub(crate) fn positive(&self, key: &str, value: &Spanned<i64>) -> Result<u64, InputError> {
        match u64::try_from(*value.get_ref()) {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(self.error(value.span().start, format!("{key} = {}: want 1 or more", value.get_ref()))),
        }
    }

    /// A number that must be 1 or more, and not above what any hardware has.
    pub(crate) fn plausible(&self, key: &str, value: &Spanned<i64>, most: u64) -> Result<u64, InputError> {
        self.at_most(key, self.positive(key, value)?, most, value.span().start)
    }

    /// A number that must be 0 or more, and not above what any hardware has.
    pub(crate) fn natural(&self, key: &str, value: &Spanned<i64>, most: u64) -> Result<u64, InputError> {
        let number = u64::try_from(*value.get_ref()).map_err(|_| {
            self.error(value.span().start, format!("{key} = {}: want 0 or more", value.get_ref()))
        })?;
        self.at_most(key, number, most, value.span().start)
    }

    /// The number, if it is not too large.
    pub(crate) fn at_most(&self, key: &str, value: u64, most: u64, at: usize) -> Result<u64, InputError> {
        match value <= most {
            true => Ok(value),
            false => Err(self.error(at, format!("{key} = {value}: want {most} or less"))),
        }
    }
}

/// A number of a file in decimals, without an exponent.
pub(crate) fn decimal(value: &toml::Value) -> String {
    match value {
        toml::Value::Float(number) => number.to_string(),
        other => other.to_string(),
    }
}
