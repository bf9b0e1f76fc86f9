//! Why a program has no bound.

use std::fmt;

use thiserror::Error;

use crate::model::program::MAX_DEPTH;

/// Why a program has no bound. Lines are those of the listing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// A group whose program has no instruction on any path.
    #[error("the program of group {0} is empty: want at least one L or C")]
    Empty(usize),
    /// Too deep.
    #[error("pieces lie deeper than {MAX_DEPTH} in one another: flatten the program")]
    Depth,
    /// A loop that goes round less often at most than at least.
    #[error("{line}a loop of at least {least} and at most {most} rounds: want least..most")]
    Rounds {
        /// Where.
        line: Line,
        /// At least.
        least: u64,
        /// At most.
        most: u64,
    },
    /// A barrier in an arm that only a part of a warp's threads may go.
    #[error("{0}a barrier in an arm of a divergent branch, which may never open: declare the branch uniform")]
    Barrier(Line),
    /// Arms that hold different numbers of barriers.
    #[error(
        "{0}the arms of the branch hold different or unknown numbers of barriers: want equally many in each, or fixed \
         counts of the loops around them"
    )]
    Arms(Line),
    /// Arms with more barriers than are told apart.
    #[error(
        "{line}more than {most} barriers in an arm of the branch: want fewer rounds of the loops around them"
    )]
    Barriers {
        /// Where.
        line: Line,
        /// How many would do.
        most: usize,
    },
    /// More arms than orders are tried for.
    #[error("{line}{arms} arms of a divergent branch: want {most} at most, the others nested")]
    Orders {
        /// Where.
        line: Line,
        /// How many there are.
        arms: usize,
        /// How many would do.
        most: usize,
    },
    /// Cycle counts would not fit.
    #[error("the bound exceeds 2^63 cycles: want fewer warps or rounds")]
    Overflow,
}

/// A line of a listing, as it stands before a message; 0 is no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line(pub u32);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            line => write!(f, "line {line}: "),
        }
    }
}
