//! Which operands an instruction may have, and where. What is a part of a register, has a sign that it cannot have, or stands at another place means
//! something that nobody knows, so that the instruction is not lifted.

use crate::sass::Reader;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::operand::{Kind, Operand};
use warpspan_isa::register::File;
use warpspan_isa::row::Fact;

/// How many predicates there are at most before a result, directly behind it, and behind the sources.
const fn most_predicates(name: &str) -> [usize; 3] {
    match name.as_bytes() {
        b"IADD3" => [0, 2, 2],
        b"LEA" | b"IMAD" => [0, 1, 1],
        b"LOP" => [1, 0, 0],
        b"LOP3" => [1, 0, 1],
        b"SEL" | b"ISET" | b"IMNMX" | b"VIMNMX" | b"VIADDMNMX" => [0, 0, 1],
        _ => [0; 3],
    }
}

/// Whether an operand is all of what it names, or a number, and whether its sign is one that it may have.
pub(super) fn is_whole(operand: &Operand<'_>) -> bool {
    let whole = match operand.kind {
        Kind::Register { register, whole } => whole && register.file != File::Barrier,
        Kind::Zero(_) | Kind::True(_) => operand.unsigned().bytes().all(|c| c.is_ascii_alphabetic()),
        Kind::Special(base, axis) => operand.text.len() == base.len() + if axis.is_some() { 2 } else { 0 },
        Kind::Address { .. } => operand.text.ends_with(']') && !operand.text.contains('|'),
        _ => true,
    };
    let fits = match operand.sign {
        None => true,
        Some('!') => operand.is_predicate(),
        Some(_) => !operand.is_predicate(),
    };
    whole && fits
}

/// Whether an operand is a predicate that may be a result.
fn is_result(operand: &Operand<'_>) -> bool {
    operand.is_predicate() && operand.sign.is_none() && is_whole(operand)
}

/// Whether an operand is a result of the data path whose instruction it is.
fn is_of(operand: &Operand<'_>, of_warp: bool) -> bool {
    let file = operand.file().filter(|file| *file != File::Barrier);
    operand.sign.is_none() && file.is_some_and(|file| file.is_of_warp() == of_warp)
}

/// Whether an opcode may set the condition code as well, so that `.CC` stands behind its result.
fn has_code(name: &str, operand: &Operand<'_>) -> bool {
    let may = matches!(
        name,
        "IADD3"
            | "IADD"
            | "IADD32I"
            | "LEA"
            | "ISCADD"
            | "IMAD"
            | "XMAD"
            | "SHL"
            | "SHR"
            | "SHF"
            | "LOP"
            | "LOP32I"
            | "ISET"
    );
    let name = operand.text.strip_suffix(".CC");
    may && name.is_some_and(|name| name.bytes().all(|c| c.is_ascii_alphanumeric()))
}

/// Whether all operands are what an instruction with this name, without the `U` of the uniform data path, may have there.
pub(super) fn is_known(name: &str, instruction: &Instruction<'_>, reader: &Reader<'_, '_>) -> bool {
    let of_warp = instruction.has(Fact::OfWarp);
    if matches!(name, "ISETP" | "PLOP3" | "PSETP") {
        let (results, sources) = reader.all.split_at(reader.all.len().min(2));
        return results.iter().all(|one| is_result(one) && is_of(one, of_warp))
            && sources.iter().all(is_whole);
    }
    let [before, outs, ins] = most_predicates(name);
    // Halves of words, and numbers without their signs, are read by their text.
    let parts = matches!(name, "XMAD" | "I2I" | "I2F" | "I2FP" | "MUFU" | "F2I");
    reader.before.len() <= before
        && reader.outs.len() <= outs
        && reader.ins.len() <= ins
        && reader.before.iter().chain(reader.outs).all(|one| is_result(one) && is_of(one, of_warp))
        && reader
            .outs
            .windows(2)
            .all(|two| two[0].predicate().is_none() || two[0].predicate() != two[1].predicate())
        && (is_whole(reader.to) || has_code(name, reader.to))
        && is_of(reader.to, of_warp)
        && !reader.to.is_predicate()
        && reader.ins.iter().all(|one| one.is_predicate() && is_whole(one))
        && (parts || reader.sources.iter().all(is_whole))
}
