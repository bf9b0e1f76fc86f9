//! What an instruction of PTX gives different threads of a warp although its operands do not vary.

use std::collections::HashSet;

use crate::flow::analysis::definitions::Writers;
use crate::routine::Routine;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::reads_constant;
use warpspan_isa::ptx_names::{every_name, read, written};

/// Special registers that are the same for all threads of a warp.
const UNIFORM: [&str; 6] = ["%ctaid", "%nctaid", "%ntid", "%gridid", "%nwarpid", "%nsmid"];

/// The names by which a switch is decided.
pub(crate) fn decides<'a>(instruction: &Instruction<'a>) -> impl Iterator<Item = &'a str> {
    written(instruction).into_iter().chain(read(instruction)).take(1)
}

/// Where values that vary come from in a kernel.
pub(crate) struct Sources<'a> {
    /// Parameters of the kernel whose name is not stored to: loads of them do not vary.
    parameters: HashSet<&'a str>,
    /// Registers that an instruction writes.
    written: HashSet<&'a str>,
}

impl<'a> Sources<'a> {
    pub(crate) fn new(routine: &Routine<'a>, writers: &Writers<'a>, ambiguous: &HashSet<&'a str>) -> Self {
        // Parameters of calls and of blocks are stored to, and may have the names of the kernel's.
        let stores = |one: &&Instruction<'a>| one.passes_parameters();
        let stored: HashSet<&str> = routine.instructions.iter().filter(stores).flat_map(every_name).collect();
        let mut parameters: HashSet<&str> = routine.parameters.iter().copied().collect();
        parameters.retain(|name| !stored.contains(name) && !ambiguous.contains(name));
        Self { parameters, written: writers.keys().copied().collect() }
    }

    /// Whether nobody writes a register that is not known to be uniform.
    pub(crate) fn unknown(&self, name: &str) -> bool {
        name.starts_with('%') && !self.written.contains(name) && !UNIFORM.contains(&name)
    }

    /// Whether what an instruction gives may vary although its operands do not. An opcode that is not known
    /// may.
    pub(crate) fn varies(&self, instruction: &Instruction<'_>) -> bool {
        let is_parameter = |symbol: &str| self.parameters.contains(symbol);
        instruction.ptx_row().is_none_or(|row| !row.computes && !reads_constant(instruction, is_parameter))
    }
}
