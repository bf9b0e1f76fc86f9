//! What ends with its line.

use crate::ptx::cursor::Cursor;
use warpspan_model::source::InputError;

/// Directives that end with their line.
pub(super) const LINES: [&str; 5] = [".version", ".target", ".address_size", ".file", ".loc"];

/// A line of debug information, as old compilers write it.
pub(super) fn debug(cursor: &mut Cursor<'_>) -> Result<(), InputError> {
    let start = cursor.clone();
    if cursor.line_rest().starts_with("@@DWARF") {
        return Ok(());
    }
    Err(start.error("an instruction outside of a function: is a brace too many before it?"))
}

/// What stands behind one of [`LINES`]: the rest of the line, or, if something else begins on the same line, what belongs to
/// the directive by its grammar.
pub(super) fn arguments<'a>(cursor: &mut Cursor<'a>, word: &str) -> &'a str {
    let line = cursor.clone().line_rest();
    let behind = line.rsplit('"').next().unwrap_or_default();
    let directive = |text: &str| text.starts_with('.') && text.len() > 1;
    if !behind.contains([';', '{', '}', '@', ':']) && !behind.split_whitespace().any(directive) {
        return cursor.line_rest();
    }
    let begin = cursor.clone();
    let word_of = |cursor: &mut Cursor<'a>| {
        cursor.skip_blanks();
        cursor.word()
    };
    // What is no number is not part of the directive, and is not lost.
    let number = |cursor: &mut Cursor<'a>| {
        let mut after = cursor.clone();
        after.skip_blanks();
        if after.word().starts_with(|c: char| c.is_ascii_digit()) {
            word_of(cursor);
        }
    };
    let comma = |cursor: &mut Cursor<'a>| {
        let mut after = cursor.clone();
        after.skip_blanks();
        let found = after.eat(b',');
        if found {
            *cursor = after;
        }
        found
    };
    match word {
        ".target" => _ = word_of(cursor),
        _ => number(cursor),
    }
    match word {
        ".target" => {
            while comma(cursor) {
                word_of(cursor);
            }
        }
        ".file" => {
            cursor.skip_blanks();
            if cursor.eat(b'"') {
                cursor.past(b'"');
            }
            while comma(cursor) {
                number(cursor);
            }
        }
        ".loc" => {
            number(cursor);
            number(cursor);
            // `, function_name NAME + N` and `, inlined_at FILE LINE COLUMN`
            while comma(cursor) {
                if word_of(cursor) == "inlined_at" {
                    (0..3).for_each(|_| number(cursor));
                } else {
                    word_of(cursor);
                }
                let mut after = cursor.clone();
                after.skip_blanks();
                if after.eat(b'+') {
                    word_of(&mut after);
                    *cursor = after;
                }
            }
        }
        _ => {}
    }
    begin.up_to(cursor)
}
