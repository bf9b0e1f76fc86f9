//! Why a text is not code.

use thiserror::Error;

use crate::MAX_KERNEL_LENGTH;
use crate::program::MAX_DEPTH;

/// The deepest nesting of brackets. Each bracket makes at most three nested pieces: a loop of a branch of
/// sequences.
pub(super) const DEEPEST: usize = MAX_DEPTH / 3 - 1;

/// Why a text is not code. Positions count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CodeError {
    /// There is no instruction at all.
    #[error("the kernel is empty: want at least one L or C")]
    Empty,
    /// A character means nothing here.
    #[error(
        "character {position} is '{found}': want L, C, '|', a count after a letter or a bracket, or brackets"
    )]
    Unexpected {
        /// The position, from 1.
        position: usize,
        /// The character at that position.
        found: char,
    },
    /// The machine has no such letter.
    #[error(
        "character {position} is '{found}': want a letter of the machine, which are {names}, '|', a count after a letter or a bracket, or brackets"
    )]
    NoLetter {
        /// The position, from 1.
        position: usize,
        /// The name at that position.
        found: String,
        /// The names of all letters.
        names: String,
    },
    /// A bracket has no partner.
    #[error("the bracket at character {0} has no partner")]
    Bracket(usize),
    /// A count is zero.
    #[error("the count at character {0} is zero: want 1 or more")]
    ZeroCount(usize),
    /// A count is not a number of rounds.
    #[error("the count at character {0}: want 1 or more, or least..most with least at most most, below 2^64")]
    Count(usize),
    /// A kernel string has too many instructions.
    #[error("more than {MAX_KERNEL_LENGTH} instructions at character {0}: shorten the kernel or its counts")]
    TooLong(usize),
    /// Brackets are nested too deeply.
    #[error(
        "the bracket at character {0} holds brackets deeper than {most} in one another: flatten the program",
        most = DEEPEST
    )]
    Deep(usize),
}
