//! Barriers of the block: who waits there.

use crate::instruction::Instruction;
use crate::operand::Operand;
use crate::register::{File, Register};

/// Whether a barrier is for some threads of the block only: `bar.sync a, b` and `bar.red d, a, b, p` wait for b threads.
pub fn is_of_a_part(instruction: &Instruction<'_>) -> bool {
    let reduces = instruction.opcode.split('.').any(|part| part.eq_ignore_ascii_case("red"));
    // A reduction of PTX has a result and a predicate as well, one of SASS only the predicate.
    let further = match (reduces, instruction.name() == "BAR") {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    instruction.operand_count() > 1 + further
}

/// Whether all threads of a warp must come to a barrier of PTX together.
pub fn is_aligned(instruction: &Instruction<'_>) -> bool {
    instruction.opcode.starts_with("bar.") || instruction.opcode.split('.').any(|part| part == "aligned")
}

/// The register of a barrier whose number, and how many threads it is for, are in one register.
pub fn packed(instruction: &Instruction<'_>) -> Option<Register> {
    let general = |operand: &Operand<'_>| operand.plain().filter(|register| register.file == File::General);
    let [number, threads] = instruction.operands() else { return None };
    general(number).filter(|&register| instruction.name() == "BAR" && general(threads) == Some(register))
}

/// What an instruction writes to the register of such a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// It is zero: the whole block.
    Clears,
    /// What it holds is the number of threads.
    Shifts,
    /// The number of the barrier is added.
    Numbers,
    /// It may be written by something else.
    Other,
}

/// What an instruction writes to a register for a barrier; none if it does not write it.
pub fn written_for(one: &Instruction<'_>, register: Register) -> Option<Writes> {
    let is = |operand: &Operand<'_>| operand.plain() == Some(register);
    // A wide result is up to four registers.
    let is_word =
        matches!(one.opcode, "MOV" | "IMAD.MOV.U32" | "HFMA2.MMA" | "HFMA2" | "LOP3.LUT" | "SHF.L.U32");
    let writes = match is_word {
        true => one.operands().first().is_some_and(is),
        false => one.registers().any(|first| first.may_reach(register)),
    };
    let what = match (one.opcode, one.operands()) {
        _ if one.guard.is_some() => Writes::Other,
        ("LOP3.LUT", [_, from, mask, other, table, never])
            if is(from) && mask.is(0xf) && !is(other) && table.is(0xf8) && never.is_always(false) =>
        {
            Writes::Numbers
        }
        ("SHF.L.U32", [_, from, by, low]) if is(from) && by.is(0x10) && low.is_zero() => Writes::Shifts,
        ("MOV", [_, what]) if what.is_zero() => Writes::Clears,
        ("IMAD.MOV.U32", [_, a, b, what]) if [a, b, what].into_iter().all(Operand::is_zero) => Writes::Clears,
        ("HFMA2.MMA" | "HFMA2", [_, a, b, upper, lower])
            if (a.text, b.text, upper.text, lower.text) == ("-RZ", "RZ", "0", "0") =>
        {
            Writes::Clears
        }
        _ => Writes::Other,
    };
    writes.then_some(what)
}
