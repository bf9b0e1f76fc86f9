//! How an opcode is spelled, for the crate that lifts instructions. No other one may ask (`tests/it/architecture`).

use crate::instruction::Instruction;

/// The parts of an opcode: its name, and then its modifiers.
pub fn parts<'a>(one: &Instruction<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    one.opcode.split('.')
}
