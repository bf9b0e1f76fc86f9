//! JSON texts, and what is wrong with them in this program's words.

use serde::Deserialize;

use crate::source::wrong_type::beyond;
use crate::source::{InputError, Message, short};

/// What is wrong with a JSON text, and in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(hidden)]
pub struct JsonError {
    pub line: usize,
    pub what: String,
}

impl JsonError {
    /// As an error of a file, or another place.
    pub fn within(self, place: &str) -> InputError {
        InputError { place: place.to_owned(), line: Some(self.line.max(1)), what: Message::text(self.what) }
    }
}

/// Reads a JSON text. `want` says what it should be, where the reader's words say no more than what it is not.
///
/// # Errors
/// If it is no JSON, or not that of such a value.
pub fn json<'a, T: Deserialize<'a>>(text: &'a [u8], want: &str) -> Result<T, JsonError> {
    serde_json::from_slice(text).map_err(|error| {
        let message = error.to_string();
        // The message ends with the line and the column.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
        let what = beyond(message, written(text, error.line(), error.column()));
        let wanted = || if want.is_empty() { String::new() } else { format!(": want {want}") };
        JsonError {
            line: error.line(),
            what: what.unwrap_or_else(|| short(message).into_owned() + &wanted()),
        }
    })
}

/// The number that ends in this column, as the text has it, and its key if it has one.
fn written(text: &[u8], line: usize, column: usize) -> Option<(Option<&str>, &str)> {
    let line = text.split(|&byte| byte == b'\n').nth(line.checked_sub(1)?)?;
    let before = std::str::from_utf8(line.get(..column)?).ok()?;
    let is_of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let start = before.trim_end_matches(is_of_number);
    let number = &before[start.len()..];
    let key = start.trim_end().strip_suffix(':').map(str::trim_end);
    let key = key.and_then(|key| key.strip_suffix('"')?.rsplit('"').next());
    number.contains(|c: char| c.is_ascii_digit()).then_some((key, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Row {
        warps: u64,
        #[serde(default)]
        priority: i64,
        #[serde(default)]
        times: Vec<u64>,
    }

    #[test]
    fn a_number_that_is_too_large_is_named_with_its_key() {
        let of = |text: &str| json::<Row>(text.as_bytes(), "a row").map_err(|error| (error.line, error.what));
        assert_eq!(of("{\"warps\": 3}").map(|row| (row.warps, row.priority, row.times.len())), Ok((3, 0, 0)));
        let u64_most = "want a whole number, 18446744073709551615 or less";
        for (text, line, what) in [
            ("{\n\"warps\" : 99999999999999999999}", 2, format!("warps = 99999999999999999999: {u64_most}")),
            (
                "{\"warps\":1,\"priority\":9223372036854775808}",
                1,
                "priority = 9223372036854775808: want a whole number, 9223372036854775807 or less".to_owned(),
            ),
            ("{\"warps\":-1}", 1, "warps = -1: want a whole number, 0 or more".to_owned()),
            (
                "{\"warps\":1,\"times\":[7,99999999999999999999]}",
                1,
                format!("99999999999999999999: {u64_most}"),
            ),
            ("{\"warps\":1.5}", 1, "warps = 1.5: want a whole number".to_owned()),
            ("{\"warps\":1e999}", 1, "number out of range: want a row".to_owned()),
            ("{\"warps\":true}", 1, "invalid type: boolean `true`, expected u64: want a row".to_owned()),
        ] {
            assert_eq!(of(text).unwrap_err(), (line, what), "{text}");
        }
    }
}
