//! Which letter of a machine an instruction of the cores has.

use crate::instruction::{Instruction, Language};
use crate::ptx_operand;
use crate::row::Letter;

/// Whether the table of SASS gives an instruction of the cores this letter.
fn has_letter(instruction: &Instruction<'_>, letter: Letter) -> bool {
    instruction.row().is_some_and(|row| row.letter == letter)
}

/// Whether an instruction is one of the uniform data path.
pub fn is_uniform(instruction: &Instruction<'_>) -> bool {
    has_letter(instruction, Letter::Uniform)
}

/// Whether an instruction only says where threads go on, or waits.
pub fn is_control(instruction: &Instruction<'_>) -> bool {
    match instruction.language() {
        Language::Ptx => instruction.ptx_row().is_some_and(|row| row.control),
        Language::Sass => has_letter(instruction, Letter::Control),
    }
}

/// Whether an instruction reads a register of the multiprocessor, not of the thread.
pub fn reads_special_register(instruction: &Instruction<'_>) -> bool {
    const NAMES: [&str; 12] = [
        "tid",
        "ntid",
        "laneid",
        "warpid",
        "nwarpid",
        "ctaid",
        "nctaid",
        "smid",
        "nsmid",
        "gridid",
        "clock",
        "globaltimer",
    ];
    const BEGINNINGS: [&str; 8] =
        ["lanemask_", "clock", "cluster_", "clusterid", "nclusterid", "is_explicit", "pm", "envreg"];
    if instruction.language() == Language::Sass {
        return has_letter(instruction, Letter::Special);
    }
    let source = instruction.ptx_operands().get(1).and_then(ptx_operand::Operand::name);
    let register = source.and_then(|name| name.strip_prefix('%'));
    instruction.name() == "mov"
        && register.is_some_and(|register| {
            NAMES.contains(&register) || BEGINNINGS.iter().any(|start| register.starts_with(start))
        })
}
