//! What an instruction of PTX gives different threads of a warp although its operands do not vary.

use std::collections::HashSet;

use crate::flow::analysis::definitions::Writers;
use crate::routine::Routine;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::ptx::row;
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
        let stores = |one: &&Instruction<'a>| one.opcode.starts_with("st.param") || one.name() == "call";
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
        let mut parts = instruction.opcode.split('.');
        match parts.next().unwrap_or_default() {
            "ld" => {
                let address = instruction.ptx_operands().iter().find(|one| one.address.is_some());
                let symbol = address.and_then(|address| address.names.first());
                let constant = parts.clone().any(|part| part == "const");
                let parameter = parts.any(|part| matches!(part, "param" | "param::entry"))
                    && symbol.is_some_and(|symbol| self.parameters.contains(symbol));
                !(constant || parameter)
            }
            name => row(name).is_none_or(|row| !row.computes),
        }
    }
}
