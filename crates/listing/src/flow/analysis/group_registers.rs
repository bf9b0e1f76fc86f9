//! Uniform registers that only a group of threads agrees on.

use std::collections::HashSet;

use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::operand::Operand;
use warpspan_isa::register::{File, Register};
use warpspan_isa::row::Fact;

/// Uniform registers (`UR4`, `UP0`) that are written where threads may have diverged: what a group reads there may be what another one
/// has written.
#[derive(Debug, Default)]
pub(super) struct GroupRegisters {
    /// All of them: what is called may have been called by a group, and what it calls is not looked into.
    all: bool,
    registers: HashSet<usize>,
    predicates: HashSet<usize>,
}

impl GroupRegisters {
    /// `called` says whether it is for a function that is called.
    pub(super) fn new(called: bool) -> Self {
        Self { all: called, ..Self::default() }
    }

    /// Notes what an instruction may write where threads may have diverged.
    pub(super) fn note(&mut self, instruction: &Instruction<'_>) {
        self.all |= matches!(instruction.flow, Flow::Call(_) | Flow::CallInside(_) | Flow::Unknown);
        // An opcode without a row may be one of these.
        let writes = instruction.row().is_none_or(|row| row.has(Fact::OfWarp));
        let first = instruction.operands().first().and_then(Operand::file);
        if writes || first.is_some_and(File::is_of_warp) {
            let (registers, predicates) = of_warp(instruction.registers());
            // Wide results are several registers.
            self.registers.extend(registers.into_iter().flat_map(|first| first..first + 4));
            self.predicates.extend(predicates);
        }
    }

    /// How much they are. They only become more.
    pub(super) fn extent(&self) -> (bool, usize, usize) {
        (self.all, self.registers.len(), self.predicates.len())
    }

    /// Whether an instruction reads one of them.
    pub(super) fn reads(&self, instruction: &Instruction<'_>) -> bool {
        let guard = instruction.guard.and_then(|guard| Register::of(guard.register));
        let (registers, predicates) = of_warp(instruction.registers().chain(guard));
        let mut wide = registers.iter().flat_map(|&first| first..first + 4);
        self.all && !(registers.is_empty() && predicates.is_empty())
            || wide.any(|one| self.registers.contains(&one))
            || predicates.iter().any(|one| self.predicates.contains(one))
    }
}

/// The numbers of the uniform registers and of the uniform predicates among registers.
fn of_warp(registers: impl Iterator<Item = Register>) -> (Vec<usize>, Vec<usize>) {
    let (registers, predicates): (Vec<_>, Vec<_>) =
        registers.filter(|one| one.file.is_of_warp()).partition(|one| one.file == File::Uniform);
    let numbers = |all: Vec<Register>| all.into_iter().map(|one| one.number).collect();
    (numbers(registers), numbers(predicates))
}
