//! The letters of an instruction.

use crate::listing::classes::{Classes, Letters};
use crate::listing::flow::{Obstacle, StructureError};
use crate::listing::routine::Instruction;
use crate::model::program::Piece;

/// The piece of one instruction, without what it calls; none if it uses no unit. An instruction issues
/// whatever its predicate is, so it always counts once.
///
/// # Errors
/// If nobody says how many letters it is, or the model does not cover what it does.
pub(super) fn piece(
    instruction: &Instruction<'_>,
    classes: &mut Classes,
) -> Result<Option<Piece>, StructureError> {
    let line = instruction.line;
    let error = |what: Obstacle| StructureError::at(line, what);
    let opcode = instruction.opcode;
    let Some(class) = classes.class(opcode) else {
        return Err(error(Obstacle::NoClass(opcode.to_owned())));
    };
    match class.letters {
        Letters::Unit(unit, count) => Ok(Some(Piece::Letters { letter: unit, count, line })),
        Letters::None => Ok(None),
        Letters::Unrated(_) => Err(error(Obstacle::Unrated(opcode.to_owned()))),
        Letters::Refused(_, reason) => {
            Err(error(Obstacle::Refused { opcode: opcode.to_owned(), reason: reason.to_string() }))
        }
        Letters::Barrier if instruction.conditional => {
            Err(error(Obstacle::PredicatedBarrier(opcode.to_owned())))
        }
        Letters::Barrier if of_a_part(instruction) => Err(error(Obstacle::PartialBarrier(opcode.to_owned()))),
        Letters::Barrier => Ok(Some(Piece::Barrier { line })),
    }
}

/// `bar.sync a, b` and `bar.red d, a, b, p` wait for b threads only.
fn of_a_part(instruction: &Instruction<'_>) -> bool {
    let operands = instruction.operands.split(',').count();
    let reduces = instruction.opcode.split('.').any(|part| part.eq_ignore_ascii_case("red"));
    // A reduction of PTX has a result and a predicate besides, one of SASS only the predicate.
    let beside = match (reduces, instruction.opcode.starts_with("BAR")) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    operands > 1 + beside
}
