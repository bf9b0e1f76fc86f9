//! Reading PTX: the entries and functions of a module. Only what a bound needs is read: opcodes, guards,
//! operands as text, labels and targets. The grammar is that of *PTX ISA*, chapters 4, 5, 10 and 11.
//!
//! A cuobjdump listing puts a header before the module (`Fatbin ptx code:`, `arch = sm_70`), which is
//! skipped. Crates that parse PTX into a syntax tree know a fixed set of instructions and fail on any other
//! and on that header; this reader knows no instruction by name.

mod body;
mod cursor;
mod labels;
mod line;

use crate::Fault;
use crate::routine::{Declared, Parameter, Points, Routine};
use body::{body, declarations};
use cursor::{Cursor, is_word, run_on};
use line::{LINES, arguments, debug};
use warpspan_isa::ptx_operand::literal;
use warpspan_model::source::InputError;

/// The routines of a module whose comments have been blanked.
pub(super) fn read<'a>(place: &'a str, text: &'a str) -> Result<Vec<Routine<'a>>, InputError> {
    let mut cursor = Cursor::new(place, text);
    let mut routines: Vec<Routine<'a>> = Vec::new();
    let mut target = None;
    let mut module = Vec::new();
    let mut file = 0;
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            None => {
                for routine in &mut routines {
                    routine.declared.extend(&module);
                }
                return Ok(routines);
            }
            Some(b'.') => {
                file += u32::from(cursor.clone().word() == ".version");
                let found = item(&mut cursor, &mut target, &mut module)?;
                routines.extend(found.map(|routine| Routine { file, ..routine }));
            }
            Some(b'@') => {
                debug(&mut cursor)?;
            }
            Some(b';') => {
                cursor.eat(b';');
            }
            Some(_) => header(&mut cursor)?,
        }
    }
}

/// A line that cuobjdump writes before a module.
fn header(cursor: &mut Cursor<'_>) -> Result<(), InputError> {
    let start = cursor.clone();
    let line = cursor.line_rest().trim();
    let assignment = line.split_once('=').is_some_and(|(key, _)| {
        !key.trim().is_empty()
            && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b' ')
    });
    let known = line.starts_with("Fatbin ") || line.bytes().all(|byte| byte == b'=') || assignment;
    if known || matches!(line, "compressed" | "has debug info") || line.starts_with("ptxasOptions") {
        return Ok(());
    }
    Err(start.error(format!("{:?}: want a directive of PTX", crate::message::shorten(line))))
}

/// Reads one directive of the module; the result is a routine if the directive defines one.
fn item<'a>(
    cursor: &mut Cursor<'a>,
    target: &mut Option<String>,
    module: &mut Vec<Declared<'a>>,
) -> Result<Option<Routine<'a>>, InputError> {
    let start = cursor.line;
    let mut word = cursor.word();
    if LINES.contains(&word) {
        let rest = arguments(cursor, word);
        if word == ".target" {
            *target = capability(rest);
        }
        return Ok(None);
    }
    if word == ".section" {
        cursor.until(b"{")?;
        cursor.eat(b'{');
        cursor.until(b"}")?;
        cursor.eat(b'}');
        return Ok(None);
    }
    while matches!(word, ".visible" | ".extern" | ".weak" | ".common") {
        cursor.skip_blanks();
        word = cursor.word();
    }
    if word != ".entry" && word != ".func" {
        let text = cursor.until(b";")?;
        cursor.eat(b';');
        return match run_on(text) {
            Some(found) => Err(cursor.error_at(start, format!("no ';' between {word} and {found}"))),
            None => {
                module.extend(declarations(text, false));
                Ok(None)
            }
        };
    }
    let header = cursor.until(b"{;")?;
    let (name, parameters, results) = head(header);
    let (parameters, layout): (Vec<&str>, Vec<Parameter>) = parameters.into_iter().unzip();
    if name.is_empty() {
        return Err(cursor.error_at(start, format!("{word} without a name")));
    }
    if cursor.eat(b';') {
        return Ok(None);
    }
    // What is wrong inside of a body concerns that one only, if it is clear where it ends.
    let mut end = cursor.clone();
    let ((instructions, labels, mut declared), fault) = match body(cursor, name) {
        Ok(body) => (body, None),
        Err(error) if end.skip_body() => {
            *cursor = end;
            (Default::default(), Some(Fault::Text(error)))
        }
        Err(error) => return Err(error),
    };
    let named = |&name: &&'a str| Declared { name, counted: false, bits: None, whole: true };
    declared.extend(parameters.iter().chain(&results).map(named));
    let entry = word == ".entry";
    let (target, points) = (target.clone(), Points::default());
    let line = start;
    Ok(Some(Routine {
        name,
        file: 0,
        line,
        entry,
        target,
        most_threads: None,
        block: required_block(header),
        parameters,
        layout,
        instructions,
        labels,
        points,
        declared,
        marked: true,
        fault,
    }))
}

/// Name, parameters and results of `(.param .b32 r) name (.param .b32 a, ...) .maxntid 256`.
fn head(header: &str) -> (&str, Vec<(&str, Parameter)>, Vec<&str>) {
    let mut rest = header.trim_start();
    let mut results = Vec::new();
    // The returned value, and attributes like `.noreturn`.
    while rest.starts_with(['(', '.']) {
        let end = if rest.starts_with('(') {
            let end = rest.find(')');
            results.extend(names(&rest[1..end.unwrap_or(rest.len())]).map(|(name, _)| name));
            end.map(|at| at + 1)
        } else {
            rest.find(char::is_whitespace)
        };
        rest = rest[end.unwrap_or(rest.len())..].trim_start();
    }
    let end = rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len());
    let inside = rest[end..]
        .split_once('(')
        .and_then(|(_, tail)| tail.split_once(')'))
        .map_or("", |(inside, _)| inside);
    (&rest[..end], names(inside).collect(), results)
}

/// The sizes of a block that the head of an entry requires: `.reqntid 16, 8`.
fn required_block(header: &str) -> Option<[u64; 3]> {
    let (_, sizes) = header.split_once(".reqntid")?;
    let mut block = [1; 3];
    for (size, text) in block.iter_mut().zip(sizes.split(',')) {
        let mut words = text.split_whitespace();
        *size = literal(words.next()?).filter(|&size| size > 0)?;
        // Another directive follows.
        if words.next().is_some() {
            break;
        }
    }
    Some(block)
}

/// The names in a list such as `.param .align 4 .b8 name[12]`: the last word of each item, before any bracket. With each comes
/// how many bytes it has if it is a number, and 0 otherwise.
fn names(inside: &str) -> impl Iterator<Item = (&str, Parameter)> {
    let bytes = |word: &str| match word
        .strip_prefix(['.'])
        .and_then(|word| word.strip_prefix(['u', 's', 'b', 'f']))
    {
        Some(bits @ ("8" | "16" | "32" | "64")) => bits.parse().ok().map(|bits: u32| bits / 8),
        _ => None,
    };
    inside.split(',').filter_map(move |one| {
        let (before, array) = one.split_once('[').map_or((one, false), |(before, _)| (before, true));
        let bytes = before.split_whitespace().find_map(bytes).filter(|_| !array).unwrap_or_default();
        Some((before.split_whitespace().last()?, Parameter { offset: 0, bytes, integer: true }))
    })
}

/// `sm_20, debug` or `sm_90a` as `2.0`, `9.0`.
fn capability(text: &str) -> Option<String> {
    text.split(',').find_map(|part| crate::capability::capability_of(part.trim().strip_prefix("sm_")?))
}
