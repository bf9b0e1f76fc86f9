//! Records as lines, and as text for a person.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Failure;
use crate::asked::asked;
use crate::place::Place;
use crate::screen::folded;
use warpspan_model::source::{disturbs, escaped};
use warpspan_records::{self as records, Body, Envelope};

/// The text of a record for a person. What users named is in it without characters that would disturb a line or a screen.
pub(super) fn in_text<R: Serialize + DeserializeOwned>(
    record: &R,
    text: impl FnOnce(&R) -> String,
) -> Result<String, Failure> {
    plain(record).map(|record| folded(text(&record)))
}

/// The record in whose texts such characters are escaped.
pub(super) fn plain<R: Serialize + DeserializeOwned>(record: &R) -> Result<Shown<'_, R>, Failure> {
    let line = serde_json::to_string(record).map_err(Failure::internal)?;
    match plain_json(&line) {
        Cow::Borrowed(_) => Ok(Shown::AsItIs(record)),
        Cow::Owned(line) => serde_json::from_str(&line).map(Shown::Escaped).map_err(Failure::internal),
    }
}

/// A record as it is shown.
pub(super) enum Shown<'a, R> {
    AsItIs(&'a R),
    Escaped(R),
}

impl<R> std::ops::Deref for Shown<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        match self {
            Self::AsItIs(record) => record,
            Self::Escaped(record) => record,
        }
    }
}

/// A text of JSON in which the texts are escaped once more, where they hold characters that would disturb a line.
pub(super) fn plain_json(json: &str) -> Cow<'_, str> {
    let is_plain = |text: &str| !text.contains(disturbs) && !text.contains('\\');
    if json.split("\\\"").all(|part| part.split("\\\\").all(is_plain)) {
        return Cow::Borrowed(json);
    }
    let mut plain = String::with_capacity(json.len());
    let mut letters = json.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(&next @ ('"' | '\\' | '/'))) => {
                letters.next();
                plain.extend([letter, next]);
            }
            ('\\', _) => plain += &escaped_again(&mut letters),
            ('\n' | '\r' | '\t', _) => plain.push(letter),
            _ if disturbs(letter) => plain += &escaped(letter.encode_utf8(&mut [0; 4])).replace('\\', "\\\\"),
            _ => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

/// What JSON has behind a backslash for a character, as it is shown: `\\u{1b}` of `u001b`.
fn escaped_again(letters: &mut Peekable<Chars<'_>>) -> String {
    match letters.next() {
        Some('u') => {
            let code: String = letters.by_ref().take(4).collect();
            let shown = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
            match shown {
                Some(shown) => escaped(shown.encode_utf8(&mut [0; 4])).replace('\\', "\\\\"),
                // Half of a character beyond the first 65536.
                None => format!("\\u{code}"),
            }
        }
        Some(letter) => format!("\\\\{letter}"),
        None => "\\".to_owned(),
    }
}

/// A record as a line, with the place that it is about.
pub(super) fn line_of<R: Body + Serialize>(place: &Place, record: R) -> Result<String, Failure> {
    let place = records::Place { file: place.file.clone(), line: place.line };
    written(&Envelope::new(record).asked_by(asked()).at(place))
}

/// A record as a line.
pub(super) fn line<R: Body + Serialize>(record: R) -> Result<String, Failure> {
    written(&Envelope::new(record).asked_by(asked()))
}

fn written(record: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(record).map(|text| text + "\n").map_err(Failure::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_once_more_and_nothing_else() {
        let usual = "{\"name\":\"a \\\"b\\\" \\\\n c ü\"}";
        assert!(matches!(plain_json(usual), Cow::Borrowed(_)));
        let name = "a\nb|c\u{1b}[31m \\ \" \u{202e} \u{7f} \t \\n \u{1f600}";
        let line = serde_json::to_string(&[name]).unwrap();
        let shown: [String; 1] = serde_json::from_str(&plain_json(&line)).unwrap();
        assert_eq!(shown[0], "a\\nb|c\\u{1b}[31m \\ \" \\u{202e} \\u{7f} \\t \\n \u{1f600}");
        assert_eq!(shown[0], escaped(name));
        // As others may write JSON.
        let shown: String =
            serde_json::from_str(&plain_json("\"\\u0041\\u001b\\b\\/\\ud83d\\ude00\"")).unwrap();
        assert_eq!(shown, "A\\u{1b}\\b/\u{1f600}");
        let of_lines = "{\n\t\"a\": \"\\n\"\r\n}";
        assert_eq!(plain_json(of_lines), "{\n\t\"a\": \"\\\\n\"\r\n}");
    }

    #[test]
    fn a_record_is_shown_escaped_and_only_where_it_has_to_be() {
        let usual = vec!["a".to_owned()];
        assert!(matches!(plain(&usual).unwrap(), Shown::AsItIs(_)));
        let shown = in_text(&vec!["a\u{1b}".to_owned()], |names| names.concat()).unwrap();
        assert_eq!(shown, "a\\u{1b}");
    }
}
