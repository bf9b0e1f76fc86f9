//! Assumptions about the code under which its bound holds.

use crate::engines::program::error::Line;
use crate::model::program::Piece;

/// Adds one sentence for each loop of a piece that holds a barrier and about which the bound assumes
/// something.
pub(super) fn assumptions(piece: &Piece, found: &mut Vec<String>) {
    match piece {
        Piece::Letters { .. } | Piece::Barrier { .. } => {}
        Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
            pieces.iter().for_each(|piece| assumptions(piece, found));
        }
        Piece::Loop { body, least, most, line } => {
            if least < most && body.has_barrier() {
                let what = match (least, most) {
                    (0, 1) => "all warps of a block go this way or none: a barrier is on it",
                    _ => "all warps of a block go round the loop equally often: it holds a barrier",
                };
                found.push(format!("{}{what}", Line(*line)));
            }
            assumptions(body, found);
        }
    }
}
