//! Opcodes of no class that may count as the most expensive class.

use crate::instruction::{Flow, Instruction};
use crate::operand::name_label;

/// Beginnings of opcodes that may change where threads go on, wait for a state, or move as much as a register says.
const CONTROL: [&str; 27] = [
    "BR", "JM", "JCAL", "CAL", "RET", "EXIT", "SYNC", "BS", "KIL", "SSY", "PBK", "PCNT", "PRET", "LONGJ",
    "PLONG", "CONT", "RTT", "WARP", "YIELD", "TRAP", "END", "PREEMPT", "ACQ", "UTC", "TCGEN", "UTMA", "UBLK",
];
/// Parts of opcodes that wait for other threads, for time or for copies, or that are matrix instructions, whose time has
/// no limit in the tables.
const WAITS: [&str; 8] = ["BAR", "WAIT", "SLEEP", "SUSPEND", "SYNC", "MMA", "DEPBAR", "ARRIVE"];

/// Whether an instruction of no class may be counted: it goes on at the next instruction and names no place.
pub fn may_count(instruction: &Instruction<'_>) -> bool {
    let opcode = instruction.opcode.to_ascii_uppercase();
    instruction.flow == Flow::Next
        && !name_label(instruction.operands)
        && !CONTROL.iter().any(|start| opcode.starts_with(start))
        && !WAITS.iter().any(|part| opcode.contains(part))
}
