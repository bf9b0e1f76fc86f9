//! Comparisons of PTX.

use crate::instruction::Instruction;

/// The parts of `setp.lt.ftz.f32 %p1, %f1, %f2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison<'a> {
    /// How the numbers compare: `lt`.
    pub relation: &'a str,
    /// Whether subnormal numbers count as zero.
    pub flush: bool,
    /// Their type.
    pub kind: &'a str,
    /// The two numbers, as they are written.
    pub operands: [&'a str; 2],
}

impl<'a> Comparison<'a> {
    /// That of an instruction which is no more than one.
    pub fn of(instruction: &Instruction<'a>) -> Option<Self> {
        let parts: Vec<&str> = instruction.opcode.split('.').collect();
        let (relation, flush, kind) = match parts[..] {
            ["setp", relation, kind] => (relation, false, kind),
            ["setp", relation, "ftz", kind] => (relation, true, kind),
            _ => return None,
        };
        let operands: Vec<&str> = instruction.operands.split(',').map(str::trim).collect();
        let [_, one, other] = operands[..] else { return None };
        Some(Self { relation, flush, kind, operands: [one, other] })
    }
}
