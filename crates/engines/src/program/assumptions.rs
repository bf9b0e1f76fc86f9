//! Assumptions about the code under which its bound holds.

use crate::program::error::Line;
use warpspan_model::program::Piece;

/// Adds one sentence for each loop and branch of a piece that holds a barrier and about which the bound
/// assumes something.
pub(super) fn assumptions(piece: &Piece, found: &mut Vec<String>) {
    match piece {
        Piece::Letters { .. } | Piece::Barrier { .. } => {}
        Piece::Sequence(pieces) => pieces.iter().for_each(|piece| assumptions(piece, found)),
        Piece::Branch { arms, line, .. } => {
            if arms.iter().any(Piece::has_barrier) {
                let what = "all threads of a block go the same way: a barrier is on each";
                found.push(format!("{}{what}", Line(*line)));
            }
            arms.iter().for_each(|piece| assumptions(piece, found));
        }
        Piece::Loop { body, least, most, line } => {
            if least < most && body.has_barrier() {
                let what = match (least, most) {
                    (0, 1) => "all threads of a block go this way or none: a barrier is on it",
                    _ => "all threads of a block go round the loop equally often: it holds a barrier",
                };
                found.push(format!("{}{what}", Line(*line)));
            }
            assumptions(body, found);
        }
    }
}
