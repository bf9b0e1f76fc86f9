//! Registers and constants among the operands of PTX.

use std::collections::{HashMap, HashSet};

use crate::listing::routine::{Instruction, Routine};

/// Operands between commas outside of brackets.
pub(super) fn split(operands: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_u32, 0);
    for (at, byte) in operands.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(operands[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(operands[from..].trim());
    parts
}

/// Names in an operand: registers and symbols, no numbers; `v` of `v.x`.
fn names(operand: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '%' | '.'));
    operand
        .split(word)
        .filter(|name| name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '%')))
        .map(|name| name.split('.').next().unwrap_or(name))
}

/// Registers that an instruction may write: those of its first operand outside of an address. A call may write what
/// it names anywhere.
pub(super) fn written<'a>(instruction: &Instruction<'a>) -> Vec<&'a str> {
    let base = instruction.opcode.split('.').next().unwrap_or_default();
    let operands = split(instruction.operands);
    match base {
        "bra" | "exit" | "ret" => vec![],
        // but for the reductions a barrier writes nothing
        "bar" | "barrier" if !instruction.opcode.split('.').any(|part| part == "red") => vec![],
        "call" => names(instruction.operands).collect(),
        _ => operands
            .first()
            .filter(|first| !first.starts_with('['))
            .map_or(vec![], |first| names(first).collect()),
    }
}

/// All names in the operands of an instruction.
pub(super) fn every_name<'a>(instruction: &Instruction<'a>) -> Vec<&'a str> {
    names(instruction.operands).collect()
}

/// Names that an instruction reads: all of its operands but what it only writes.
pub(super) fn read<'a>(instruction: &Instruction<'a>) -> Vec<&'a str> {
    let operands = split(instruction.operands);
    let skip = usize::from(operands.first().is_some_and(|first| !first.starts_with('[')));
    operands.into_iter().skip(skip).flat_map(names).collect()
}

/// Where each register is written, by name whatever its block.
pub(super) fn writers<'a>(routine: &Routine<'a>) -> HashMap<&'a str, Vec<usize>> {
    let mut writers: HashMap<&'a str, Vec<usize>> = HashMap::new();
    for (at, instruction) in routine.instructions.iter().enumerate() {
        for name in written(instruction) {
            writers.entry(name).or_default().push(at);
        }
    }
    writers
}

/// Names that are perhaps those of several registers: declared in a block inside of the routine, or twice, or by the module.
pub(super) fn doubtful<'a>(routine: &Routine<'a>) -> HashSet<&'a str> {
    let guards = routine.instructions.iter().filter_map(|one| one.guard).map(|guard| guard.register);
    let mut found: HashSet<&'a str> =
        routine.instructions.iter().flat_map(every_name).chain(guards).collect();
    found.retain(|name| {
        let mut of = routine.declared.iter().filter(|one| one.is(name));
        of.next().is_some_and(|one| !one.whole) || of.next().is_some()
    });
    found
}

/// The source of an unguarded `mov` of an integer.
pub(super) fn moved<'a>(instruction: &Instruction<'a>) -> Option<&'a str> {
    let integer =
        matches!(instruction.opcode.split_once('.')?, ("mov", "s32" | "u32" | "b32" | "s64" | "u64" | "b64"));
    let parts = split(instruction.operands);
    (integer && instruction.guard.is_none() && parts.len() == 2).then(|| parts[1])
}

/// `17`, `-1`, `0x1F`, `8U`.
pub(super) fn number(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from(u64::from_str_radix(hex, 16).ok()?),
        // Octal and binary are not written by compilers: better unknown than wrong.
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    Some(sign * value)
}
