//! Assumptions about the code under which its bound holds.

use crate::program::error::Line;
use warpspan_model::program::Piece;

/// Adds one sentence for each loop and branch of a piece that holds a barrier and about which the bound
/// assumes something.
pub(super) fn assumptions(program: &Piece, found: &mut Vec<String>) {
    for piece in program.pieces().filter(|piece| piece.has_barrier()) {
        let (what, line) = match piece {
            Piece::Branch { line, .. } => {
                ("all threads of a block go the same way: a barrier is on each", line)
            }
            Piece::Loop { least: 0, most: 1, line, .. } => {
                ("all threads of a block go this way or none: a barrier is on it", line)
            }
            Piece::Loop { least, most, line, .. } if least < most => {
                ("all threads of a block go round the loop equally often: it holds a barrier", line)
            }
            _ => continue,
        };
        found.push(format!("{}{what}", Line(*line)));
    }
}
