//! The body of a function: its instructions, labels and inner blocks.

use crate::ptx::cursor::{Cursor, run_on};
use crate::ptx::labels::Labels;
use crate::ptx::line::{LINES, arguments, debug};
use crate::routine::Declared;
use warpspan_isa::instruction::{Flow, Guard, Instruction, Language};
use warpspan_isa::ptx_operand::Operand;
use warpspan_isa::row::Transfer;
use warpspan_model::source::InputError;

type Body<'a> = (Vec<Instruction<'a>>, Vec<(&'a str, usize)>, Vec<Declared<'a>>);

/// Reads `{ ... }`.
pub(super) fn body<'a>(cursor: &mut Cursor<'a>, name: &str) -> Result<Body<'a>, InputError> {
    let start = cursor.line;
    cursor.eat(b'{');
    let mut instructions = Vec::new();
    let mut labels = Labels::new();
    let mut declared = Vec::new();
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            None => {
                let what = format!("the body of {name} has no closing brace: is the file truncated?");
                return Err(cursor.error_at(start, what));
            }
            Some(b'{') => {
                cursor.eat(b'{');
                labels.open(cursor)?;
            }
            Some(b'}') => {
                cursor.eat(b'}');
                if !labels.close() {
                    let labels = labels.resolve(cursor, &mut instructions)?;
                    return Ok((instructions, labels, declared));
                }
            }
            Some(b';') => {
                cursor.eat(b';');
            }
            Some(b'.') => {
                let text = directive(cursor)?;
                declared.extend(declarations(text, labels.is_outside()));
            }
            Some(b'@') => guarded(cursor, &mut instructions, &mut labels)?,
            Some(_) => {
                let word = cursor.word();
                let mut after = cursor.clone();
                after.skip_blanks();
                if !word.is_empty() && after.eat(b':') {
                    *cursor = after;
                    label(cursor, word, instructions.len(), &mut labels)?;
                } else {
                    instruction(cursor, word, None, &mut instructions, &mut labels)?;
                }
            }
        }
    }
}

/// The names in a declaration such as `.reg .u32 %r<9>, a` or `.local .align 4 .b8 name[12]`.
pub(super) fn declarations(text: &str, whole: bool) -> impl Iterator<Item = Declared<'_>> {
    let types = text.split_whitespace().filter_map(|word| word.strip_prefix(['.']));
    let bits = types.filter_map(|word| word.strip_prefix(['b', 'u', 's', 'f'])?.parse().ok()).next();
    text.split(',').filter_map(move |part| {
        let part = part.split(['[', '=']).next()?;
        let (part, counted) = part.split_once('<').map_or((part, false), |(name, _)| (name, true));
        let name = part.split_whitespace().last().filter(|name| !name.starts_with('.'))?;
        Some(Declared { name, counted, bits, whole })
    })
}

/// Reads a declaration and returns its text, or passes over a directive that ends with its line.
fn directive<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, InputError> {
    let start = cursor.line;
    let word = cursor.word();
    if matches!(word, ".entry" | ".func" | ".visible" | ".version" | ".target") {
        return Err(
            cursor.error_at(start, format!("{word} inside of a function: is a closing brace missing?"))
        );
    }
    let line = LINES.contains(&word);
    let text = if line { arguments(cursor, word) } else { cursor.until(b";")? };
    if !line && let Some(found) = run_on(text) {
        return Err(cursor.error_at(start, format!("no ';' between {word} and {found}")));
    }
    Ok(if line { "" } else { text })
}

fn label<'a>(
    cursor: &mut Cursor<'a>,
    label: &'a str,
    at: usize,
    labels: &mut Labels<'a>,
) -> Result<(), InputError> {
    let mut after = cursor.clone();
    after.skip_blanks();
    match after.word() {
        ".branchtargets" => {
            let list = after.until(b";")?;
            labels.targets(cursor, label, list)?;
            *cursor = after;
            Ok(())
        }
        ".callprototype" | ".calltargets" => {
            after.until(b";")?;
            labels.other(cursor, label)?;
            *cursor = after;
            Ok(())
        }
        _ => labels.place(cursor, label, at),
    }
}

fn guarded<'a>(
    cursor: &mut Cursor<'a>,
    instructions: &mut Vec<Instruction<'a>>,
    labels: &mut Labels<'a>,
) -> Result<(), InputError> {
    let start = cursor.clone();
    cursor.eat(b'@');
    if cursor.peek() == Some(b'@') {
        *cursor = start;
        return debug(cursor);
    }
    let negated = cursor.eat(b'!');
    cursor.skip_blanks();
    let register = cursor.word();
    cursor.skip_blanks();
    let word = cursor.word();
    if register.is_empty() || word.is_empty() {
        return Err(
            start.error("a guard without a predicate or an instruction: want @%p or @!%p before an opcode")
        );
    }
    instruction(cursor, word, Some(Guard { register, negated }), instructions, labels)
}

fn instruction<'a>(
    cursor: &mut Cursor<'a>,
    opcode: &'a str,
    guard: Option<Guard<'a>>,
    instructions: &mut Vec<Instruction<'a>>,
    labels: &mut Labels<'a>,
) -> Result<(), InputError> {
    let line = cursor.line;
    if !opcode.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') {
        let found = if opcode.is_empty() { cursor.clone().line_rest() } else { opcode };
        let found = crate::message::shorten(found);
        return Err(cursor.error(format!("{found:?}: want an instruction, a label or a directive")));
    }
    let operands = cursor.until(b";")?.trim();
    cursor.eat(b';');
    if let Some(found) = run_on(operands) {
        return Err(cursor.error_at(line, format!("no ';' between {opcode} and {found}")));
    }
    let mut instruction = Instruction::new(Language::Ptx, line, guard, opcode, operands);
    let at = instructions.len();
    // The targets of jumps are found when the labels are resolved.
    match instruction.transfer() {
        Transfer::Jump => labels.branch(at, operands, line),
        Transfer::Indirect => {
            labels.branch(at, instruction.ptx_operands().last().map_or("", |last| last.text), line);
        }
        Transfer::Call => instruction.flow = call(&instruction),
        Transfer::End => instruction.flow = Flow::End,
        _ => {}
    }
    instruction.uniform = instruction.says_uniform();
    instructions.push(instruction);
    Ok(())
}

/// `(ret), name, (arguments)`, or a register instead of the name, which no listing resolves.
fn call<'a>(instruction: &Instruction<'a>) -> Flow<'a> {
    let mut operands = instruction.ptx_operands().iter();
    match operands.find(|one| !one.text.starts_with('(')).and_then(Operand::name) {
        Some(name) if !name.starts_with('%') => Flow::Call(name),
        _ => Flow::Unknown,
    }
}
