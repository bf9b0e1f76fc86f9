//! The passes of a loop in a program.

use warpspan_model::program::Piece;

/// What a program repeats of the loop whose header is in a line of the listing: one pass for each place at which it has the loop.
pub fn passes_of<L: Clone + PartialEq>(program: &Piece<L>, line: u32) -> Vec<Piece<L>> {
    let mut found = Vec::new();
    add(program, line, &mut found);
    found
}

fn add<L: Clone + PartialEq>(piece: &Piece<L>, header: u32, found: &mut Vec<Piece<L>>) {
    match piece {
        Piece::Letters { .. } | Piece::Barrier { .. } => {}
        Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
            pieces.iter().for_each(|piece| add(piece, header, found));
        }
        Piece::Loop { body, line, .. } => {
            if *line == header && !found.contains(body.as_ref()) {
                found.push(body.as_ref().clone());
            }
            add(body, header, found);
        }
    }
}
