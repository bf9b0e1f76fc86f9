//! The passes of a loop in a program.

use warpspan_model::program::Piece;

/// What a program repeats of the loop whose header is in a line of the listing: one pass for each place at which it has the loop.
pub fn passes_of<L: Clone + PartialEq>(program: &Piece<L>, line: u32) -> Vec<Piece<L>> {
    let mut found: Vec<Piece<L>> = Vec::new();
    for piece in program.pieces() {
        match piece {
            Piece::Loop { body, line: header, .. } if *header == line && !found.contains(body) => {
                found.push(Piece::clone(body));
            }
            _ => {}
        }
    }
    found
}
