//! A place in PTX text.

use crate::message::fail;
use crate::message::newlines;
use warpspan_model::source::InputError;

/// A place in the text, with its line.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    place: &'a str,
    text: &'a str,
    at: usize,
    /// The number of the line, from 1.
    pub(super) line: u32,
}

/// Whether a byte may stand in a name.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.') || byte >= 0x80
}

impl<'a> Cursor<'a> {
    pub(super) fn new(place: &'a str, text: &'a str) -> Self {
        Self { place, text, at: 0, line: 1 }
    }

    /// An error at this line.
    pub(super) fn error(&self, what: impl std::fmt::Display) -> InputError {
        fail(self.place, self.line, what)
    }

    /// An error at a line.
    pub(super) fn error_at(&self, line: u32, what: impl std::fmt::Display) -> InputError {
        fail(self.place, line, what)
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes `length` bytes, which must end at the border of a character.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.text[self.at..self.at + length];
        self.line = self.line.saturating_add(newlines(taken.as_bytes()));
        self.at += length;
        taken
    }

    pub(super) fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.take(rest.len() - rest.trim_start().len());
    }

    /// Passes one byte, if it is the given one.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.take(1);
        }
        found
    }

    /// Reads a name, a directive or an opcode; the result is empty if none stands here.
    pub(super) fn word(&mut self) -> &'a str {
        let bytes = self.rest().as_bytes();
        let mut length = 0;
        // `::` belongs to opcodes (`ld.global.L2::128B`), while a single colon ends a label.
        while length < bytes.len() && (is_word(bytes[length]) || bytes[length..].starts_with(b"::")) {
            length += if bytes[length] == b':' { 2 } else { 1 };
        }
        self.take(length)
    }

    /// Passes everything up to a byte, and the byte itself; or all of the line if it has none.
    pub(super) fn past(&mut self, byte: u8) {
        let rest = self.rest();
        let line = &rest.as_bytes()[..rest.find('\n').unwrap_or(rest.len())];
        let length = line.iter().position(|&one| one == byte).map_or(line.len(), |at| at + 1);
        self.take(length);
    }

    /// The text from here to another place behind it.
    pub(super) fn up_to(&self, end: &Self) -> &'a str {
        self.text.get(self.at..end.at).unwrap_or_default()
    }

    /// Reads the rest of the line.
    pub(super) fn line_rest(&mut self) -> &'a str {
        let rest = self.rest();
        self.take(rest.find('\n').unwrap_or(rest.len()))
    }

    /// Passes a body with its braces, if it is clear where it ends: its braces match, and no other function begins inside.
    pub(super) fn skip_body(&mut self) -> bool {
        let mut depth = 0_u32;
        while let Some(byte) = self.peek() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                b'"' => {
                    self.take(1);
                    self.past(b'"');
                    continue;
                }
                _ if is_word(byte) => {
                    if matches!(self.word(), ".entry" | ".func" | ".visible" | ".version" | ".target") {
                        return false;
                    }
                    continue;
                }
                _ => {}
            }
            let length = self.rest().chars().next().map_or(1, char::len_utf8);
            self.take(length);
            if depth == 0 {
                return true;
            }
        }
        false
    }

    /// Reads the text up to one of the bytes `ends` outside of braces, brackets and strings. The cursor
    /// then stands before that byte.
    pub(super) fn until(&mut self, ends: &[u8]) -> Result<&'a str, InputError> {
        let start = self.line;
        let bytes = self.rest().as_bytes();
        let mut depth = 0_u32;
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                byte if depth == 0 && ends.contains(&byte) => return Ok(self.take(at)),
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => {
                    depth = depth.checked_sub(1).ok_or_else(|| {
                        let line = start.saturating_add(newlines(&bytes[..at]));
                        let what =
                            format!("'{}' where a ';' was to come: is one missing?", char::from(bytes[at]));
                        self.error_at(line, what)
                    })?;
                }
                b'"' => {
                    at += bytes[at + 1..].iter().position(|&byte| byte == b'"').map_or(0, |length| length + 1)
                }
                _ => {}
            }
            at += 1;
        }
        Err(self.error_at(start, "the file ends inside of this statement: is it truncated?"))
    }
}

/// The place where two words follow each other without a comma, as they do when a semicolon is missing
/// between two statements.
pub(super) fn run_on(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut ended = false; // a name, a number or a closing bracket stands before
    let mut at = 0;
    while at < bytes.len() {
        if is_word(bytes[at]) {
            let length = bytes[at..].iter().position(|&byte| !is_word(byte)).unwrap_or(bytes.len() - at);
            let dotted = bytes[at] == b'.';
            if ended && !dotted {
                return Some(&text[at..at + length]);
            }
            ended = !dotted;
            at += length;
        } else if bytes[at] == b'"' {
            // What is quoted is one thing.
            let length = bytes[at + 1..].iter().position(|&byte| byte == b'"').unwrap_or(bytes.len());
            at = at.saturating_add(length).saturating_add(2);
            ended = false;
        } else {
            ended = match bytes[at] {
                b'>' | b']' | b'}' | b')' => true,
                byte if byte.is_ascii_whitespace() => ended,
                _ => false,
            };
            at += 1;
        }
    }
    None
}
