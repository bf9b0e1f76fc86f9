//! What memory instructions say of other threads, and of what stays the same while a kernel runs.

use crate::instruction::Instruction;

/// Whether it may read what other threads write meanwhile: a load of SASS that says so, or an atomic operation.
pub fn reads_others(one: &Instruction<'_>) -> bool {
    let is_load = one.name().starts_with("LD") && one.has_any(&["STRONG", "MMIO", "CV"]);
    is_load || one.name().starts_with("ATOM")
}

/// Whether an access of PTX acquires or releases, so that it is one with a fence.
pub fn is_ordered(one: &Instruction<'_>) -> bool {
    one.has_any(&["acquire", "release", "acq_rel"])
}

/// Whether `ptxas` may add up the values of a warp before an instruction of PTX, an atomic operation.
pub fn may_be_added_up(one: &Instruction<'_>) -> bool {
    matches!(one.name(), "atom" | "red")
}

/// Whether an instruction of PTX reads what describes the launch: parameters, addresses of variables, special registers. It lies at constant
/// addresses of the constant bank.
pub fn reads_launch(one: &Instruction<'_>) -> bool {
    one.name() == "mov" || one.opcode.starts_with("ld.param")
}

/// Whether a load of PTX gives what stays the same while a kernel runs: of the constant banks, or of a parameter of the kernel.
pub fn reads_constant(one: &Instruction<'_>, is_parameter: impl Fn(&str) -> bool) -> bool {
    let symbol = || one.ptx_operands().iter().find(|one| one.address.is_some())?.names.first();
    one.name() == "ld"
        && (one.has_modifier("const")
            || one.has_any(&["param", "param::entry"]) && symbol().is_some_and(|symbol| is_parameter(symbol)))
}

/// How many words an instruction of SASS reads from the address of each operand in the constant bank on.
pub fn words_of_constants(one: &Instruction<'_>) -> u32 {
    let ends = |width| one.opcode.ends_with(width);
    if ends(".128") { 4 } else { 1 + u32::from(ends(".64")) }
}

/// Whether addresses of an instruction of SASS are of two registers.
pub fn has_wide_addresses(one: &Instruction<'_>) -> bool {
    one.has_modifier("E")
}
