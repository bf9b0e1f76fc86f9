//! One path through a program: what a warp does at each choice.

use std::sync::Arc;

/// One path through a [`Piece`](crate::program::Piece), in the shape of the piece.
///
/// Rounds of a loop that are repeated are written once, so a path of a thousand million letters is small. Whether a
/// path fits a program is not part of its type; `Lines` is verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Path {
    /// Letters or a barrier, where there is nothing to choose.
    Whole,
    /// The path of each piece of a sequence.
    Sequence(Vec<Arc<Path>>),
    /// The arms of a branch that are taken, in this order, each by its index from 0 and its path.
    Arms(Vec<(usize, Arc<Path>)>),
    /// The rounds of a loop in their order. Each entry holds several rounds and how often they are repeated.
    Rounds(Vec<(u64, Vec<Arc<Path>>)>),
}
