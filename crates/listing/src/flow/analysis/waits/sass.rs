//! The accesses of instructions of SASS.

use crate::flow::analysis::effects::{Kind, Registers, deciding, effects, is_result, kind, named};
use crate::flow::analysis::operands::split;
use crate::flow::analysis::waits::access::{Access, Found, Place};
use crate::isa::register::{self, File};
use crate::isa::row::{self as isa, Fact, Row, Shared};
use crate::isa::sass::row;
use crate::routine::{Flow, Instruction};

/// What an instruction reads and writes.
pub(super) fn access<'a>(instruction: &Instruction<'a>) -> Access<'a> {
    let operands = split(instruction.operands);
    let has = |wanted: &[&str]| instruction.opcode.split('.').any(|part| wanted.contains(&part));
    let mut access = Access::default();
    if !matches!(instruction.flow, Flow::Next) {
        access.reads.extend(places(deciding(instruction)));
        access.reads.extend(operands.iter().flat_map(|one| uniform(one, 1)));
        if matches!(instruction.flow, Flow::Call(_) | Flow::CallInside(_)) {
            (access.everything, access.unknown) = (true, true);
        }
        return access;
    }
    let kind = kind(instruction);
    let leading = operands.iter().take_while(is_result).count();
    let stores = operands.get(leading).is_some_and(|first| first.starts_with('['));
    let quiet = matches!(kind, Kind::Quiet);
    let (results, rest) = if quiet || stores {
        operands.split_at(0)
    } else {
        operands.split_at((leading + 1).min(operands.len()))
    };
    let all = |operands: &[&str], each| {
        operands.iter().map(|operand| named(operand, each)).fold(Registers::default(), Registers::with)
    };
    let known = effects(instruction);
    let wide = if has(&["64", "WIDE"]) { 2 } else { 1 };
    let of_address = |operand: &&str| all(&[*operand], if operand.contains('[') { 2 } else { wide });
    let rest_reads = rest.iter().map(of_address).fold(Registers::default(), Registers::with);
    let (reads, writes, kills) = match kind {
        Kind::Unknown => {
            access.everything = true;
            access.unknown = true;
            (rest_reads, Registers::default(), Registers::default())
        }
        Kind::Computes | Kind::Unpacks => (known.reads, known.writes.with(known.touches), known.writes),
        Kind::Reads { .. } => (known.reads, known.writes.with(known.touches), known.writes),
        Kind::Quiet => (rest_reads, Registers::default(), Registers::default()),
        Kind::Votes => (
            all(&operands[1.min(operands.len())..], 1),
            all(results, 1),
            all(&operands[..1.min(operands.len())], 1),
        ),
        Kind::Loads(_) => (rest_reads, known.touches, all(results, 1)),
        Kind::Fetches => (rest_reads, known.touches, all(results, 1)),
    };
    access.reads = places(reads).chain(rest.iter().flat_map(|one| uniform(one, wide))).collect();
    access.writes = places(writes).chain(results.iter().flat_map(|one| uniform(one, wide))).collect();
    access.kills = places(kills).chain(results.iter().flat_map(|one| uniform(one, 1))).collect();
    let row = row(instruction.name());
    let is_copy = |row: &Row| matches!(row.access, isa::Access::Copy | isa::Access::Bulk);
    if row.is_some_and(|row| row.shared == Shared::Writes || row.shared == Shared::Maybe && is_copy(row)) {
        access.writes.push(Place::Shared);
    }
    access.counts = !has(&["MOV"]) && row.is_some_and(|row| row.has(Fact::Counts));
    memory(instruction, &operands, has, &mut access);
    access
}

/// What an access of memory finds.
fn memory<'a>(
    instruction: &Instruction<'a>,
    operands: &[&'a str],
    has: impl Fn(&[&str]) -> bool,
    access: &mut Access<'a>,
) {
    match instruction.name() {
        "ATOM" | "ATOMG" => {
            let none = operands.last().is_some_and(|last| *last == "RZ");
            access.found = Some(match () {
                () if has(&["ADD", "INC", "DEC"]) && !none => Found::Number,
                () if has(&["CAS"]) => Found::Compared,
                () => Found::Current,
            });
            if access.found == Some(Found::Compared) {
                let behind = operands.iter().position(|one| one.contains('[')).map(|address| address + 1);
                let compared = behind.and_then(|at| operands.get(at));
                let each = if has(&["64"]) { 2 } else { 1 };
                access.compared = compared.into_iter().flat_map(|one| places(named(one, each))).collect();
            }
        }
        "LD" | "LDG" | "LDU" if has(&["CONSTANT"]) => access.unknown = true,
        "LD" | "LDG" | "LDU" => {
            let strong = has(&["STRONG", "MMIO", "CV"]) && !has(&["CTA", "SM"]);
            access.found = Some(if strong { Found::Current } else { Found::Ordinary });
        }
        "ST" | "STG" | "RED" | "REDG" => access.stores = true,
        "LDS" | "LDSM" => access.reads.push(Place::Shared),
        "LDL" | "ATOMS" | "SULD" | "SUATOM" => access.unknown = true,
        "TEX" | "TEXS" | "TLD" | "TLDS" | "TLD4" | "TLD4S" => access.unknown = true,
        "S2R" | "CS2R" | "S2UR" | "CS2UR" => {
            access.unknown = ["CLOCK", "TIMER", "PM"].iter().any(|one| instruction.operands.contains(one));
        }
        _ => {}
    }
}

fn places<'a>(registers: Registers) -> impl Iterator<Item = Place<'a>> {
    registers.numbers().map(Place::Register)
}

/// A predicate by its name; none for a constant.
pub(super) fn predicate<'a>(name: &str) -> Option<Place<'a>> {
    places(named(name, 1)).next().or_else(|| uniform(name, 1).pop())
}

/// The registers of the warp that an operand names, with so many registers behind each as well.
fn uniform<'a>(operand: &str, each: usize) -> Vec<Place<'a>> {
    let mut found = Vec::new();
    for register in register::named(operand) {
        match register.file {
            File::Uniform => found.extend(register.run(each).map(|one| Place::Uniform(one.number))),
            File::UniformPredicate => found.push(Place::UniformPredicate(register.number)),
            File::General | File::Predicate | File::Barrier => {}
        }
    }
    found
}
