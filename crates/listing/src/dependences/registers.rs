//! Dependences from registers, for capability 2.x, whose listings show all that its hardware goes by.
//!
//! An instruction waits until what it reads has been written, and until what it writes has been written and
//! read by all instructions before it. Reading is taken to last as long as the latency. Of the instructions
//! below it is known which operands they write. Any other one waits for everything, and the next one waits for
//! it, which is also what instructions do that may change the flow of control.

use std::collections::BTreeSet;

use crate::dependences::registers::Kind::{Branch, Load, Store};
use crate::routine::Routine;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::operand::Operand;
use warpspan_isa::register::{File, Register};
use warpspan_isa::row::{Fact, Output};
use warpspan_isa::written::registers_each;
use warpspan_model::machine::Waits;

/// How the tokens are numbered: register r has r for its writers and 256 + r for its readers, so that 512
/// numbers belong to registers.
const READERS: u16 = 256;
/// Predicate p has 512 + p and 768 + p.
const PREDICATES: u16 = 2 * READERS;
/// The condition code has this number and that of its readers.
const CONDITION: u16 = 4 * READERS;
/// Set by instructions that the next one waits for.
const FLOW: u16 = 6 * READERS;

/// What is known of an opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It writes its first operand, and the second if both are predicates.
    Load,
    /// It writes no register.
    Store,
    /// It writes no register, and the next instruction waits for it.
    Branch,
}

fn kind(instruction: &Instruction<'_>) -> Option<Kind> {
    let row = instruction.row().filter(|row| row.has(Fact::Fermi));
    if row.is_some() && instruction.holds_next() || instruction.flow != Flow::Next {
        return Some(Branch);
    }
    Some(if row?.output == Output::Nothing { Store } else { Load })
}

/// The tokens of the writers of a register and of those behind it, so many in all.
fn of_register(register: Register, each: u16) -> impl Iterator<Item = u16> {
    let (first, count) = match register.file {
        File::General => (0, each),
        File::Predicate => (PREDICATES, 1),
        File::Uniform | File::UniformPredicate | File::Barrier => (0, 0),
    };
    let run = register.run(usize::from(count)).filter_map(|one| u16::try_from(one.number).ok());
    run.map(move |number| first + number)
}

/// The tokens of the writers of what operands name.
fn tokens(operands: &[Operand<'_>], each: u16) -> BTreeSet<u16> {
    let registers = operands.iter().flat_map(|one| &one.registers);
    let code = operands.iter().any(|one| one.names_code).then_some(CONDITION);
    registers.flat_map(|&register| of_register(register, each)).chain(code).collect()
}

/// The dependences of a routine of capability 2.x.
pub(super) fn of(routine: &Routine<'_>) -> Option<Vec<Waits>> {
    routine.target.as_deref().filter(|target| target.starts_with("2."))?;
    let mut all: Vec<Waits> = routine.instructions.iter().map(waits).collect();
    let tokens: BTreeSet<u16> = all.iter().flat_map(|waits| waits.sets.iter().copied()).collect();
    for (waits, _) in all.iter_mut().zip(&routine.instructions).filter(|(_, one)| kind(one).is_none()) {
        waits.needs = tokens.iter().copied().collect();
    }
    Some(all)
}

fn waits(instruction: &Instruction<'_>) -> Waits {
    let each = registers_each(instruction);
    let operands = instruction.operands();
    let is_predicate = |at: usize| operands.get(at).is_some_and(Operand::is_result);
    let written = match kind(instruction) {
        Some(Load) if is_predicate(0) && is_predicate(1) => 2,
        Some(Load) => 1,
        _ => 0,
    };
    let (written, read) = operands.split_at(written.min(operands.len()));
    // The condition code stands beside the register that is written, and .X reads it.
    let (mut writes, mut reads) = (tokens(written, each), tokens(read, each));
    // A register in brackets is an address, also where the first operand is one.
    let addresses: Vec<_> = written.iter().filter(|one| one.is_address()).cloned().collect();
    reads.extend(tokens(&addresses, each));
    let guard = instruction.guard.and_then(|guard| Register::of(guard.register));
    reads.extend(guard.into_iter().flat_map(|register| of_register(register, 1)));
    if instruction.reads_carry() {
        reads.insert(CONDITION);
    }
    if instruction.writes_code() {
        writes.insert(CONDITION);
    }
    let mut needs = &writes | &reads;
    needs.extend(writes.iter().map(|token| token + READERS));
    needs.insert(FLOW);
    let mut sets = writes;
    sets.extend(reads.iter().map(|token| token + READERS));
    if !matches!(kind(instruction), Some(Load | Store)) {
        sets.insert(FLOW);
    }
    Waits { stall: 1, needs: needs.into_iter().collect(), sets: sets.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use crate::dependences::tests::waited_for as waited_for_in;
    use crate::flow::testing::sass;

    /// For each instruction the earlier ones that it waits for, by name.
    fn waited_for(target: &str, body: &[&str]) -> Option<Vec<String>> {
        let text = sass(target, &[body, &["EXIT"]].concat());
        let mut found = waited_for_in("k", text, None)?;
        found.pop(); // that of EXIT
        Some(found)
    }

    #[test]
    fn reads_writes_pairs_and_predicates() {
        let body = [
            "MOV R1, c [0x1] [0x100]",
            "LD.E.64 R2, [R4+0x10]",
            "FADD R6, R1, 0x1",
            "FMUL R8, R3, R8",
            "ISETP.LT.AND P0, pt, R8, c [0x0] [0x28], pt",
            "@!P0 ST.E [R4], R6",
            "IADD R4.CC, R12, 0x8",
            "IADD.X R13, R13, RZ",
        ];
        // The first sum waits for both readers of R4.
        let expected = ["", "", "MOV", "LD", "FMUL", "FADD ISETP", "LD ST", "IADD"];
        assert_eq!(waited_for("20", &body), Some(expected.iter().map(|one| (*one).to_owned()).collect()));
        assert_eq!(waited_for("35", &body), None);
        assert_eq!(waited_for("75", &body), None);
    }

    #[test]
    fn what_is_not_known_waits_for_everything() {
        let body = [
            "MOV R1, R2",
            "LD R3, [R9]",
            "TEX.NODEP.P R20, R10, 0x0, 0x0, 2D",
            "MOV R5, R6",
            "BRA 0x20",
            "MOV R7, R8",
        ];
        let expected = ["", "", "MOV LD", "TEX", "TEX", "TEX BRA"];
        assert_eq!(waited_for("20", &body), Some(expected.iter().map(|one| (*one).to_owned()).collect()));
    }
}
