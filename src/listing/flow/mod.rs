//! From instructions with targets to a structured program.
//!
//! ```text
//! Routine -> Blocks (control flow graph) -> View (all of it, or one pass of a loop) -> Piece
//! ```
//!
//! The paths of the program include those of the code; `docs/extract.md` has the rules and the proof.

mod barriers;
mod blocks;
mod counter;
mod defer;
mod error;
mod letters;
mod loops;
mod meets;
mod obstacle;
mod operands;
mod structure;
mod uniform;
mod view;

pub use error::StructureError;
pub use loops::LoopBound;
pub use obstacle::Obstacle;
pub(super) use structure::{Asked, structure};
