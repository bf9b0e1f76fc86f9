//! Structured programs: what a warp runs when its code has loops, branches and barriers.
//!
//! # Text
//!
//! Kernel strings have the same grammar, without the brackets of branches and without ranges:
//! [`Code`](crate::Code) reads both.
//!
//! | text | is |
//! |---|---|
//! | `L`, `C` | an instruction |
//! | `\|` | a barrier of the block |
//! | `L16`, `(LLC)16` | exactly 16 times |
//! | `(LLC)0..16` | at least and at most so many times |
//! | `[LC/CC]` | a uniform branch: one of the arms |
//! | `[/]` | nothing, but the program is no straight line: warps may leave letters out |
//! | `{LC/CC}` | a divergent branch: one, or several one after the other in any order |
//! | `<LC/CC>` | one, or several interleaved in any way |
//!
//! Arms may be empty, and there may be more than two. [`Piece::normal`] is the normal form, to which a text
//! is read. [`Piece::pieces`], [`Piece::distinct`] and [`Piece::fold`] walk a program.

mod normal;
mod path;
mod text;
mod walk;

use std::sync::Arc;

use crate::Unit;

pub use path::Path;

/// How deeply pieces may be nested.
pub const MAX_DEPTH: usize = 200;

/// A piece of a warp's code, over the units of the paper's multiprocessor or over the letters `L` of another
/// machine. `line` is its line in the listing, from 1. It is 0 where there is no listing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Piece<L = Unit> {
    /// One instruction, with one letter for each cycle that it keeps its unit busy.
    Letters {
        /// The letter.
        letter: L,
        /// The number of letters, 1 or more.
        count: u64,
        /// The line in the listing.
        line: u32,
    },
    /// A barrier of the block: a warp goes on when all warps of its block have reached the barrier or have
    /// ended.
    Barrier {
        /// The line in the listing.
        line: u32,
    },
    /// One piece after the other. A copy shares them, since a program may have the same code in many places.
    Sequence(Arc<[Piece<L>]>),
    /// One of several pieces, or several of them one after the other.
    Branch {
        /// The alternatives. An empty sequence stands for doing nothing.
        arms: Arc<[Piece<L>]>,
        /// What the threads of a warp may do.
        divergence: Divergence,
        /// The line in the listing.
        line: u32,
    },
    /// A piece that is repeated.
    Loop {
        /// The piece.
        body: Box<Piece<L>>,
        /// The least number of rounds.
        least: u64,
        /// The greatest number of rounds.
        most: u64,
        /// The line in the listing.
        line: u32,
    },
}

/// What the threads of a warp may do at a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Divergence {
    /// All threads of a warp take the same arm.
    Uniform,
    /// The threads may take different arms, which run one after the other in an order that the code does not
    /// determine.
    Divergent,
    /// Independent thread scheduling (capability 7.0 and later): the instructions of the arms may alternate.
    Interleaved,
}
