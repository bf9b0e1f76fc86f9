//! The instructions of a block, with the functions that it calls.

use std::collections::hash_map::Entry;
use std::ops::Range;

use crate::flow::analysis::{Function, FunctionId};
use crate::flow::lower::barriers::check_arms;
use crate::flow::lower::{Alphabet, Lowering, size};
use crate::flow::{Obstacle, StructureError};
use warpspan_isa::control::Missing;
use warpspan_isa::instruction::Flow;
use warpspan_isa::instruction::Instruction;
use warpspan_model::program::Piece;

impl<A: Alphabet> Lowering<'_, '_, '_, A> {
    pub(super) fn block(
        &mut self,
        function: &Function<'_, '_>,
        instructions: Range<usize>,
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        for at in instructions {
            let instruction = &function.routine.instructions[at];
            let line = instruction.line;
            self.budget.spend(1, line)?;
            let pieces = match self.pieces.entry((function.id.routine, at)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.alphabet.pieces(instruction)?),
            };
            // Under a predicate it must not be one to which the threads of a warp may come one by one.
            if instruction.conditional && pieces.iter().any(Piece::has_barrier) && !function.is_for_all(at) {
                let obstacle = Obstacle::PredicatedBarrier(instruction.opcode().to_string());
                return Err(StructureError::at(line, obstacle));
            }
            out.extend(pieces.iter().cloned());
            // Threads that part here stand at the same place, but not together.
            let to_next = instruction.conditional && instruction.flow == Flow::Branch(at + 1);
            if to_next && !function.is_ptx() && !self.threads && !function.uniform_at(at) {
                return Err(StructureError::at(line, Obstacle::BranchToNext));
            }
            if let Some(callee) = callee(function, at)? {
                self.call(function, at, callee, depth, out)?;
            }
        }
        Ok(())
    }

    /// The body of what an instruction calls.
    fn call(
        &mut self,
        function: &Function<'_, '_>,
        at: usize,
        callee: FunctionId,
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let instruction = &function.routine.instructions[at];
        let (line, opcode) = (instruction.line, instruction.opcode());
        let body = self.function(callee, depth + 1, true)?;
        self.budget.spend(size(&body), line)?;
        if !instruction.conditional {
            out.extend(body);
            return Ok(());
        }
        let uniform = function.uniform_at(at) || self.threads;
        if !uniform && !function.is_ptx() {
            return Err(StructureError::at(line, Obstacle::ConditionalCall(opcode.to_string())));
        }
        let divergence = function.divergence(uniform);
        let arms = vec![Piece::Sequence(body.into()), Piece::Sequence(vec![].into())];
        check_arms(&arms, divergence, line, &opcode.to_string())?;
        out.push(Piece::Branch { arms: arms.into(), divergence, line });
        Ok(())
    }
}

/// What an instruction calls.
///
/// # Errors
/// If the listing does not say where control goes, or has no body of what is called.
fn callee(function: &Function<'_, '_>, at: usize) -> Result<Option<FunctionId>, StructureError> {
    let instruction = &function.routine.instructions[at];
    let obstacle = match &instruction.flow {
        Flow::Unknown if instruction.reconverges() => Obstacle::UnknownWait {
            opcode: instruction.opcode().to_string(),
            register: instruction.operands.to_owned(),
        },
        Flow::Unknown => {
            let before = at.checked_sub(1).map(|before| &function.routine.instructions[before]);
            let what = instruction.to_string();
            match instruction.missing(before.is_some_and(Instruction::is_push_of_return)) {
                Missing::Callee => Obstacle::UnknownCall(what),
                Missing::Table => Obstacle::UnknownTable(what),
                Missing::Target => Obstacle::UnknownTarget(what),
            }
        }
        Flow::Call(name) if function.callee(at).is_none() => Obstacle::NoBody((*name).to_owned()),
        _ => return Ok(function.callee(at)),
    };
    Err(StructureError::at(instruction.line, obstacle))
}
