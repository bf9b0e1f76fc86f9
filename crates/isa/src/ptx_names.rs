//! The registers and symbols that an instruction of PTX reads and writes.

use crate::instruction::Instruction;
use crate::ptx::{Output, row};
use crate::ptx_operand::Operand;

/// Registers that an instruction may write: those of its first operand, if that is no address. A call may
/// write whatever it names.
pub fn written<'a>(instruction: &Instruction<'a>) -> Vec<&'a str> {
    let output = row(instruction.name()).map_or(Output::First, |row| row.output);
    match output {
        Output::Nothing => vec![],
        // Of the barriers only the reductions write something.
        Output::Answer if !instruction.has_modifier("red") => vec![],
        Output::Named => every_name(instruction).collect(),
        Output::First | Output::Answer => result(instruction).map_or(vec![], |first| first.names.clone()),
    }
}

/// The first operand, if it is no address.
fn result<'i, 'a>(instruction: &'i Instruction<'a>) -> Option<&'i Operand<'a>> {
    instruction.ptx_operands().first().filter(|first| first.address.is_none())
}

/// All names in the operands of an instruction.
pub fn every_name<'a>(instruction: &Instruction<'a>) -> impl Iterator<Item = &'a str> {
    instruction.ptx_operands().iter().flat_map(|one| one.names.iter().copied())
}

/// Names that an instruction reads: those of all operands but the one that it only writes.
pub fn read<'a>(instruction: &Instruction<'a>) -> impl Iterator<Item = &'a str> {
    let skip = usize::from(result(instruction).is_some());
    instruction.ptx_operands().iter().skip(skip).flat_map(|one| one.names.iter().copied())
}
