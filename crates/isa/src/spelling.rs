//! How an opcode is spelled, for the crate that lifts instructions. No other one may ask (`tests/it/architecture`).

use crate::instruction::{Instruction, Language};
use crate::{ptx, sass};

/// The parts of an opcode: its name, and then its modifiers.
pub fn parts<'a>(one: &Instruction<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    one.opcode.split('.')
}

/// The names of all opcodes that have a row.
pub fn names(language: Language) -> Vec<&'static str> {
    match language {
        Language::Ptx => ptx::ROWS.iter().map(|row| row.name).collect(),
        Language::Sass => sass::all().map(|row| row.name).collect(),
    }
}
