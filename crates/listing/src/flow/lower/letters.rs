//! The letters of the multiprocessor of the paper: the alphabet of [`Classes`].

use crate::classes::{Classes, Letters};
use crate::flow::lower::Alphabet;
use crate::flow::{Obstacle, StructureError};
use warpspan_isa::instruction::Instruction;
use warpspan_model::Unit;
use warpspan_model::program::Piece;

impl Alphabet for Classes {
    type Letter = Unit;

    fn classes(&mut self) -> &mut Classes {
        self
    }

    fn end_has_letters(&mut self, opcode: &str) -> bool {
        self.class(opcode).is_some_and(|class| class.letters.units().next().is_some())
    }

    fn pieces(&mut self, instruction: &Instruction<'_>) -> Result<Vec<Piece>, StructureError> {
        let line = instruction.line;
        let error = |what: Obstacle| StructureError::at(line, what);
        let opcode = instruction.opcode;
        let Some(class) = self.class_of(instruction) else {
            return Err(error(Obstacle::NoClass(opcode.to_owned())));
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
            Letters::Unrated(_) => Err(error(Obstacle::Unrated(opcode.to_owned()))),
            Letters::Refused(_, reason) => {
                Err(error(Obstacle::Refused { opcode: opcode.to_owned(), reason: reason.to_string() }))
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
    let (line, opcode) = (instruction.line, instruction.opcode.to_owned());
    if of_a_part(instruction) {
        return Err(StructureError::at(line, Obstacle::PartialBarrier(opcode)));
    }
    let barrier = Piece::Barrier { line };
    if instruction.conditional {
        // All threads of the block come to it or none, as CUDA demands: a loop of one pass or none, which says so.
        return Ok(Piece::Loop { body: Box::new(barrier), least: 0, most: 1, line });
    }
    Ok(barrier)
}

/// `bar.sync a, b` and `bar.red d, a, b, p` wait for b threads only.
fn of_a_part(instruction: &Instruction<'_>) -> bool {
    let reduces = instruction.opcode.split('.').any(|part| part.eq_ignore_ascii_case("red"));
    // A reduction of PTX has a result and a predicate besides, one of SASS only the predicate.
    let beside = match (reduces, instruction.opcode.starts_with("BAR")) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    instruction.operand_count() > 1 + beside
}
