//! Which registers an instruction of SASS may write.
//!
//! Nothing is claimed of an opcode without a row. Of a load whose modifiers are not known, and of an opcode of which only the
//! kind is known, it is claimed that no register is written but those that it names and the seven behind each, since no
//! result has more than 256 bits.

use crate::instruction::Instruction;
use crate::operand::{Kind, Operand};
use crate::register::{File, Register};
use crate::row::{Fact, Output, Row, Transfer, Value, Width};
use crate::sass::row;

/// The registers that an opcode of which only the kind is known may write from each that it names on.
pub const WIDEST: usize = 8;

/// Registers that follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The first of them.
    pub first: Register,
    /// How many are certainly written.
    pub certain: usize,
    /// How many may be.
    pub most: usize,
}

impl Block {
    const fn maybe(first: Register, most: usize) -> Self {
        Self { first, certain: 0, most }
    }

    const fn one(first: Register) -> Self {
        Self { first, certain: 1, most: 1 }
    }
}

/// What an instruction writes; none if it may write anything. A call is not looked into.
pub fn written(instruction: &Instruction<'_>) -> Option<Vec<Block>> {
    let row = row(instruction.name())?;
    let operands = instruction.operands();
    match row.output {
        Output::Nothing if row.has(Fact::Answers) && instruction.has_modifier("RED") => {
            every_name(instruction)
        }
        Output::Nothing => Some(vec![]),
        Output::Predicates => {
            let leading = operands.iter().take(2).take_while(|operand| operand.is_predicate());
            Some(leading.filter_map(Operand::predicate).map(Block::one).collect())
        }
        Output::Mask => {
            let first = Register { file: File::Predicate, number: 0 };
            Some(vec![Block::maybe(first, File::Predicate.size())])
        }
        Output::Named => every_name(instruction),
        Output::Anything => None,
        Output::Register(width) => match width_of(width, instruction.opcode) {
            Some(width) => in_place(row, operands, width),
            None => every_name(instruction),
        },
    }
}

/// All registers that an instruction names, and the seven behind each that is no predicate; none if a uniform register
/// chooses one of them, which may then be any.
fn every_name(instruction: &Instruction<'_>) -> Option<Vec<Block>> {
    if instruction.operands().iter().any(Operand::is_chosen) {
        return None;
    }
    let mut found: Vec<Block> = Vec::new();
    for first in instruction.registers().filter(|one| one.file != File::Barrier) {
        let most = if first.file.is_of_predicates() { 1 } else { WIDEST };
        let block = Block::maybe(first, most);
        if !found.contains(&block) {
            found.push(block);
        }
    }
    Some(found)
}

/// The result in its place, which has so many registers at least and at most.
fn in_place(row: &Row, operands: &[Operand<'_>], (certain, most): (usize, usize)) -> Option<Vec<Block>> {
    let mut found: Vec<Block> = Vec::new();
    let leading = operands.iter().take_while(|operand| operand.is_predicate()).count();
    let (before, rest) = operands.split_at(leading);
    found.extend(before.iter().filter_map(Operand::predicate).map(Block::one));
    let Some((result, behind)) = rest.split_first() else { return (leading > 0).then_some(found) };
    match result.kind {
        Kind::Zero(_) => {}
        Kind::Register { register, .. } if result.sign.is_none() => match register.file {
            File::General | File::Uniform => found.push(Block { first: register, certain, most }),
            File::Barrier if row.transfer == Transfer::Move => {}
            _ => return None,
        },
        _ => return None,
    }
    // Predicates behind the result may be further ones. Of what memory or other lanes give, any predicate may be one.
    let directly = row.value == Value::Function;
    let behind = behind.iter().take_while(|operand| !directly || operand.is_predicate());
    found.extend(behind.filter_map(Operand::predicate).map(|first| Block::maybe(first, 1)));
    Some(found)
}

/// The registers of a result of some width with the modifiers of an opcode, at least and at most; none if that is not known.
pub(crate) fn width_of(width: Width, opcode: &str) -> Option<(usize, usize)> {
    let modifiers = || opcode.split('.').skip(1);
    let has = |wanted: &str| modifiers().any(|one| one == wanted);
    let says = |wanted: &str| modifiers().any(|one| one.contains(wanted));
    Some(match width {
        Width::One => (1, 1),
        Width::Two => (if has("32") { 1 } else { 2 }, 2),
        Width::Four => (1, 4),
        Width::Eight => (1, 8),
        Width::Wide if has("WIDE") => (2, 2),
        Width::Wide => (1, if says("64") || says("WIDE") { 2 } else { 1 }),
        Width::Long => (1, if says("64") { 2 } else { 1 }),
        Width::Loaded => {
            let widths = modifiers().map(loaded).collect::<Option<Vec<_>>>()?;
            let most = widths.into_iter().max().unwrap_or(1);
            (most, most)
        }
    })
}

/// The registers that a modifier of a load says; none if the modifier is not known.
fn loaded(modifier: &str) -> Option<usize> {
    /// Modifiers that say nothing of how much is loaded, or that it is no more than 32 bits.
    const NARROW: [&str; 44] = [
        "E", "U8", "S8", "U16", "S16", "U", "32", "U32", "S32", "F32", "CONSTANT", "STRONG", "WEAK", "GPU",
        "SYS", "SM", "CTA", "CG", "CI", "CS", "CV", "CA", "EF", "EL", "EU", "LU", "NA", "LTC64B", "LTC128B",
        "LTC256B", "PRIVATE", "MMIO", "ADD", "MIN", "MAX", "AND", "OR", "XOR", "EXCH", "INC", "DEC", "CAS",
        "POPC", "RN",
    ];
    match modifier {
        "64" | "U64" | "S64" | "F64" | "B64" => Some(2),
        "128" | "B128" => Some(4),
        narrow if NARROW.contains(&narrow) => Some(1),
        _ => None,
    }
}

/// The number of consecutive registers that any operand of an instruction for 2.x may stand for.
pub fn registers_each(instruction: &Instruction<'_>) -> u16 {
    let has = |names: &[&str]| instruction.has_any(names);
    if has(&["128", "B128", "F128"]) {
        4
    } else if instruction.opcode.starts_with('D') || has(&["64", "F64", "S64", "U64", "B64", "WIDE", "E"]) {
        2
    } else {
        1
    }
}
