//! What an instruction of SASS writes. What is not lifted may write anything to the registers that it may write.

use crate::flow::analysis::counts::effect::{CARRY, Effect, Operation, Write, ZERO};
use crate::flow::analysis::counts::lifted::{loaded, understood};
use crate::params::Launch;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::operand::Operand;
use warpspan_isa::register::Register;
use warpspan_isa::row::Output;
use warpspan_isa::written::written;
use warpspan_lift::sass::lift;

/// What an instruction writes.
pub(crate) fn effect<'a>(instruction: &Instruction<'a>, launch: &Launch) -> Effect<'a> {
    let nothing = instruction.row().is_some_and(|row| row.output == Output::Nothing);
    let calls = matches!(instruction.flow, Flow::Call(_) | Flow::CallInside(_) | Flow::Unknown);
    let Some(blocks) = written(instruction).filter(|_| nothing || !calls) else {
        return Effect::everything();
    };
    let unknown = |register| Write { register, bits: 32, result: Operation::Unknown };
    let registers = blocks.into_iter().flat_map(|block| block.first.run(block.most));
    // What a predicate says of a register that is written too is said of the new one.
    let mut registers: Vec<Register> = registers.collect();
    registers.sort_by_key(|one| one.file.is_of_predicates());
    let mut writes: Vec<Write<'a>> = registers.into_iter().filter_map(Register::name).map(unknown).collect();
    loaded(&mut writes, instruction);
    // A predicate that is a result may stand before the register that is one.
    let operands = instruction.operands();
    let before = usize::from(operands.first().is_some_and(Operand::is_predicate));
    if operands.iter().take(before + 1).any(|one| one.names_code) {
        let code = |register| Write { register, bits: 1, result: Operation::Unknown };
        writes.extend([CARRY, ZERO].map(code));
    }
    if let Some(lifted) = lift(instruction) {
        understood(&mut writes, &lifted, (&[], launch));
    }
    Effect { writes, everything: false }
}
