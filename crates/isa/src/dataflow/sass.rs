//! The accesses of instructions of SASS.

use crate::dataflow::{Access, Found, Place};
use crate::effects::{Kind, Registers, compares, deciding, effects, kind, named};
use crate::instruction::{Flow, Guard, Instruction};
use crate::operand::{self, Operand};
use crate::register::{File, Register};
use crate::row::{self as isa, Fact, Row, Shared};
use crate::sass::row;

/// What an instruction reads and writes.
pub(super) fn access<'a>(instruction: &Instruction<'a>) -> Access<'a> {
    let operands = instruction.operands();
    let mut access = Access::default();
    if !matches!(instruction.flow, Flow::Next) {
        access.reads.extend(places(deciding(instruction)));
        access.reads.extend(operands.iter().flat_map(|one| uniform(one, 1)));
        if instruction.flow.is_call() {
            (access.everything, access.unknown) = (true, true);
        }
        return access;
    }
    let kind = kind(instruction);
    let leading = operands.iter().take_while(|one| one.is_result()).count();
    let stores = operands.get(leading).is_some_and(|first| first.text.starts_with('['));
    let quiet = matches!(kind, Kind::Quiet);
    // What stands behind the two predicates of a comparison is read, also where it is a uniform register.
    let results = match () {
        () if quiet || stores => 0,
        () if compares(instruction.name()) => {
            operands.iter().take(2).take_while(|one| one.is_predicate()).count()
        }
        () => leading + 1,
    };
    let (results, rest) = operands.split_at(results.min(operands.len()));
    let known = effects(instruction);
    let wide = if instruction.has_any(&["64", "WIDE"]) { 2 } else { 1 };
    let (addresses, others): (Vec<_>, Vec<_>) = rest.iter().partition(|one| one.is_address());
    let rest_reads = named(addresses, 2).with(named(others, wide));
    let (reads, writes, kills) = match kind {
        Kind::Unknown => {
            access.everything = true;
            access.unknown = true;
            (rest_reads, Registers::default(), Registers::default())
        }
        Kind::Computes | Kind::Unpacks => (known.reads, known.writes.with(known.touches), known.writes),
        Kind::Reads { .. } => (known.reads, known.writes.with(known.touches), known.writes),
        Kind::Quiet => (rest_reads, Registers::default(), Registers::default()),
        Kind::Votes => (named(operands.iter().skip(1), 1), named(results, 1), named(operands.first(), 1)),
        Kind::Loads(_) => (rest_reads, known.touches, named(results, 1)),
        Kind::Fetches => (rest_reads, known.touches, named(results, 1)),
    };
    access.reads = places(reads).chain(rest.iter().flat_map(|one| uniform(one, wide))).collect();
    access.writes = places(writes).chain(results.iter().flat_map(|one| uniform(one, wide))).collect();
    access.kills = places(kills).chain(results.iter().flat_map(|one| uniform(one, 1))).collect();
    let row = row(instruction.name());
    let is_copy = |row: &Row| matches!(row.access, isa::Access::Copy | isa::Access::Bulk);
    if row.is_some_and(|row| row.shared == Shared::Writes || row.shared == Shared::Maybe && is_copy(row)) {
        access.writes.push(Place::Shared);
    }
    access.counts = !instruction.has_any(&["MOV"]) && row.is_some_and(|row| row.has(Fact::Counts));
    memory(instruction, &mut access);
    access
}

/// What an access of memory finds.
fn memory<'a>(instruction: &Instruction<'a>, access: &mut Access<'a>) {
    let operands = instruction.operands();
    match instruction.name() {
        "ATOM" | "ATOMG" => {
            let none = operands.last().is_some_and(|last| last.text == "RZ");
            access.found = Some(match () {
                () if instruction.has_any(&["ADD", "INC", "DEC"]) && !none => Found::Number,
                () if instruction.has_any(&["CAS"]) => Found::Compared,
                () => Found::Current,
            });
            if access.found == Some(Found::Compared) {
                let behind = operands.iter().position(Operand::is_address).map(|address| address + 1);
                let compared = behind.and_then(|at| operands.get(at));
                let each = if instruction.has_any(&["64"]) { 2 } else { 1 };
                access.compared = places(named(compared, each)).collect();
            }
        }
        "LD" | "LDG" | "LDU" if instruction.has_any(&["CONSTANT"]) => access.unknown = true,
        "LD" | "LDG" | "LDU" => {
            let strong =
                instruction.has_any(&["STRONG", "MMIO", "CV"]) && !instruction.has_any(&["CTA", "SM"]);
            access.found = Some(if strong { Found::Current } else { Found::Ordinary });
        }
        "ST" | "STG" | "RED" | "REDG" => access.stores = true,
        "LDS" | "LDSM" => access.reads.push(Place::Shared),
        "LDL" | "ATOMS" | "SULD" | "SUATOM" => access.unknown = true,
        "TEX" | "TEXS" | "TLD" | "TLDS" | "TLD4" | "TLD4S" => access.unknown = true,
        "S2R" | "CS2R" | "S2UR" | "CS2UR" => {
            let clock = |name: &str| ["CLOCK", "TIMER", "PM"].iter().any(|one| name.contains(one));
            let reads =
                |one: &Operand<'_>| matches!(one.kind, operand::Kind::Special(name, _) if clock(name));
            access.unknown = operands.iter().any(reads);
        }
        _ => {}
    }
}

fn places<'a>(registers: Registers) -> impl Iterator<Item = Place<'a>> {
    registers.numbers().map(Place::Register)
}

/// The predicate of a guard; none for a constant.
pub fn predicate<'a>(guard: Guard<'_>) -> Option<Place<'a>> {
    let uniform = Register::of(guard.register).and_then(|register| of_warp(register, 1).next());
    places(Registers::of_guard(guard)).next().or(uniform)
}

/// The uniform registers that an operand names, with so many registers in all from each on.
fn uniform<'a>(operand: &Operand<'_>, each: usize) -> impl Iterator<Item = Place<'a>> {
    operand.registers.iter().flat_map(move |&register| of_warp(register, each))
}

/// A register, if it is uniform, with so many registers in all from it on.
fn of_warp<'a>(register: Register, each: usize) -> impl Iterator<Item = Place<'a>> {
    let count = match register.file {
        File::Uniform => each,
        File::UniformPredicate => 1,
        File::General | File::Predicate | File::Barrier => 0,
    };
    register.run(count).map(|one| match one.file {
        File::UniformPredicate => Place::UniformPredicate(one.number),
        _ => Place::Uniform(one.number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::Language;

    #[test]
    fn a_comparison_reads_uniform_registers_behind_its_results() {
        for (opcode, operands, read, written) in [
            ("PLOP3.LUT", "P0, PT, PT, PT, UP0, 0x80, 0x8", Place::UniformPredicate(0), None),
            ("ISETP.GE.AND", "P0, PT, UR4, R2, PT", Place::Uniform(4), None),
            ("UISETP.GE.AND", "UP0, UP1, UR4, UR5, UPT", Place::Uniform(4), Some(Place::UniformPredicate(1))),
        ] {
            let found = access(&Instruction::new(Language::Sass, 1, None, opcode, operands));
            assert!(found.reads.contains(&read) && !found.writes.contains(&read), "{opcode} {operands}");
            assert!(written.is_none_or(|place| found.writes.contains(&place)), "{opcode} {operands}");
        }
    }
}
