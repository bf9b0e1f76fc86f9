//! The letters of the multiprocessor of the paper: the alphabet of [`Classes`].

use crate::classes::{Classes, Letters};
use crate::flow::lower::Alphabet;
use crate::flow::{Obstacle, StructureError};
use warpspan_isa::block_barrier::is_of_a_part;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::opcode::Opcode;
use warpspan_model::Unit;
use warpspan_model::program::Piece;

impl Alphabet for Classes {
    type Letter = Unit;

    fn classes(&mut self) -> &mut Classes {
        self
    }

    fn end_has_letters(&mut self, opcode: &Opcode<'_>) -> bool {
        self.class(opcode).is_some_and(|class| class.letters.units().next().is_some())
    }

    fn pieces(&mut self, instruction: &Instruction<'_>) -> Result<Vec<Piece>, StructureError> {
        let line = instruction.line;
        let error = |what: Obstacle| StructureError::at(line, what);
        let opcode = || instruction.opcode().to_string();
        let Some(class) = self.class_of(instruction) else {
            return Err(error(Obstacle::NoClass(opcode())));
        };
        match class.letters {
            Letters::Unit(unit, count) => Ok(vec![Piece::Letters { letter: unit, count, line }]),
            Letters::Both { compute, load_store, barrier: waits } => {
                let letters = |letter, count| Piece::Letters { letter, count, line };
                let mut pieces = Vec::new();
                pieces.extend((compute > 0).then_some(letters(Unit::CudaCore, compute)));
                pieces.extend((load_store > 0).then_some(letters(Unit::LoadStore, load_store)));
                if waits {
                    pieces.push(barrier(instruction)?);
                }
                Ok(pieces)
            }
            Letters::None => Ok(vec![]),
            Letters::Unrated(_) => Err(error(Obstacle::Unrated(opcode()))),
            Letters::Refused(_, reason) => {
                Err(error(Obstacle::Refused { opcode: opcode(), reason: reason.to_string() }))
            }
            Letters::Barrier => barrier(instruction).map(|barrier| vec![barrier]),
        }
    }
}

/// The piece of a barrier of the block.
///
/// # Errors
/// If only some warps or threads wait there.
pub(crate) fn barrier<L>(instruction: &Instruction<'_>) -> Result<Piece<L>, StructureError> {
    let line = instruction.line;
    if is_of_a_part(instruction) {
        let obstacle = Obstacle::PartialBarrier(instruction.opcode().to_string());
        return Err(StructureError::at(line, obstacle));
    }
    let barrier = Piece::Barrier { line };
    if instruction.conditional {
        // All threads of the block come to it or none, as CUDA demands: a loop of one pass or none, which says so.
        return Ok(Piece::Loop { body: Box::new(barrier), least: 0, most: 1, line });
    }
    Ok(barrier)
}
