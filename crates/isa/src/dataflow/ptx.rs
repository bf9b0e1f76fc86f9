//! The accesses of instructions of PTX.

use crate::dataflow::{Access, Found, Place};
use crate::instruction::Instruction;
use crate::ptx::row;
use crate::ptx_names::{every_name, read, written};

/// What an instruction reads and writes.
pub(super) fn access<'a>(instruction: &Instruction<'a>) -> Access<'a> {
    let mut parts = instruction.opcode.split('.');
    let base = parts.next().unwrap_or_default();
    let mut access = Access { reads: read(instruction).map(Place::Name).collect(), ..Access::default() };
    if instruction.flow.is_call() || base == "call" {
        access.reads = every_name(instruction).map(Place::Name).collect();
        access.writes.clone_from(&access.reads);
        access.unknown = true;
        return access;
    }
    let operands = instruction.ptx_operands();
    access.writes = written(instruction).into_iter().map(Place::Name).collect();
    let part = operands.first().is_some_and(|first| first.part.is_some());
    if !part {
        access.kills.clone_from(&access.writes);
    }
    // Special registers, as the clock, are no names that anything writes.
    let clocks = |name: &str| ["%clock", "%globaltimer", "%pm"].iter().any(|start| name.starts_with(start));
    access.unknown = every_name(instruction).any(clocks);
    access.counts = row(base).is_some_and(|row| row.counts);
    let shared = instruction.has_any(&["shared", "shared::cta", "shared::cluster"]);
    match base {
        "st" if shared => access.writes.push(Place::Shared),
        "red" | "atom" if shared => {
            access.writes.push(Place::Shared);
            access.unknown = true;
        }
        "atom" => {
            let none = operands.last().and_then(|last| last.number) == Some(0);
            access.found = Some(match () {
                () if instruction.has_any(&["add", "inc", "dec"]) && !none => Found::Number,
                () if instruction.has_any(&["cas"]) => Found::Compared,
                () => Found::Current,
            });
            if access.found == Some(Found::Compared) {
                access.compared = operands.get(2).map(|one| Place::Name(one.text)).into_iter().collect();
            }
        }
        "ld" | "ldu" if shared => access.reads.push(Place::Shared),
        "ld" | "ldu" if instruction.has_any(&["param", "const"]) => {}
        "ld" | "ldu" if instruction.has_any(&["local", "nc"]) => access.unknown = true,
        "ld" | "ldu" => {
            let strong = instruction.has_any(&["volatile", "acquire", "relaxed", "mmio"]);
            access.found = Some(if strong { Found::Current } else { Found::Ordinary });
        }
        "st" | "red" if !instruction.has_any(&["local", "param"]) => access.stores = true,
        "tex" | "tld4" | "suld" => access.unknown = true,
        _ => {}
    }
    access
}
