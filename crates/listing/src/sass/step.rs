//! What each instruction does to the flow of control.

use crate::routine::Routine;
use crate::sass::stacks::Kind;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::operand::Operand;
use warpspan_isa::register::Register;
use warpspan_isa::row::Transfer;

/// The line of an error, and what is wrong there.
pub(super) type Wrong = (u32, String);

/// What an instruction does to the flow of control and to the stack of locations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing.
    Next,
    /// Control goes to a location. `without` are the registers whose barriers the threads that go there have left, by
    /// a `BREAK` of each under the same predicate before.
    Branch { to: usize, conditional: bool, without: Vec<Register> },
    /// Control goes to one of several locations.
    Switch(Vec<usize>),
    /// A part of this function is called.
    Call(usize),
    /// Another function is called.
    CallOut,
    /// A location is pushed.
    Push(Kind, usize),
    /// The topmost location of a kind is taken off, and control goes there.
    Pop(Kind),
    /// `BSYNC`: threads wait for those in the barrier register.
    Wait(Register),
    /// `BREAK`: threads leave the barrier of the register, unless the branch behind it says so.
    Leave(Register),
    /// Something else is done to these registers.
    Touch(Vec<Register>),
    /// Control goes where the listing does not tell.
    Unknown,
    /// The threads end.
    End,
}

/// Adds the instructions to which control may go from a step in the same function.
pub(super) fn successors(routine: &Routine<'_>, step: &Step, at: usize, open: &mut Vec<usize>) {
    match step {
        Step::Branch { to, .. } => open.push(*to),
        Step::Switch(list) => open.extend(list),
        _ => {}
    }
    if !goes_elsewhere(step) || routine.instructions[at].conditional {
        open.push(at + 1);
    }
}

/// Whether control goes somewhere else than to the instruction behind, unless a predicate says otherwise.
pub(super) fn goes_elsewhere(step: &Step) -> bool {
    matches!(step, Step::End | Step::Pop(_) | Step::Switch(_) | Step::Branch { conditional: false, .. })
}

/// Whether a jump or an end has a condition beside its guard: a predicate or the condition code as an operand, or the question
/// whether the warp is together.
pub(crate) fn has_condition(instruction: &Instruction<'_>) -> bool {
    let says = || instruction.operands().iter().any(Operand::is_condition);
    match instruction.transfer() {
        Transfer::Jump => instruction.asks_for_warp() || says(),
        Transfer::Indirect | Transfer::End | Transfer::Pop(_) => says(),
        _ => false,
    }
}
