//! Assumptions about the code under which its bound holds.

use crate::program::error::Line;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::program::Piece;

/// Adds what the bound takes for granted of each loop and branch of a piece that holds a barrier.
pub(super) fn assumptions(program: &Piece, found: &mut Vec<Assumption>) {
    for piece in program.pieces().filter(|piece| piece.has_barrier()) {
        let (what, line) = match piece {
            Piece::Branch { line, .. } => ("go the same way: a barrier is on each", line),
            Piece::Loop { least: 0, most: 1, line, .. } => ("go this way or none: a barrier is on it", line),
            Piece::Loop { least, most, line, .. } if least < most => {
                ("make as many iterations of the loop: it holds a barrier", line)
            }
            _ => continue,
        };
        let subject = format!("{}all threads of a block", Line(*line));
        found.push(Assumption::modelled(Id::BarrierUniform, subject, what));
    }
}
