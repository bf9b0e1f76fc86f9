//! Why a program has no bound.

use std::fmt;

use thiserror::Error;

use warpspan_model::program::MAX_DEPTH;

/// Why a program has no bound. Lines are those of the listing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// The program of a group has no instruction on any path.
    #[error("the program of group {0} is empty: want at least one L or C")]
    Empty(usize),
    /// Pieces are nested too deeply.
    #[error("pieces lie deeper than {MAX_DEPTH} in one another: flatten the program")]
    Depth,
    /// The greatest number of rounds of a loop is below the least.
    #[error("{line}a loop of at least {least} and at most {most} rounds: want least..most")]
    Rounds {
        /// The line of the loop.
        line: Line,
        /// The least number of rounds.
        least: u64,
        /// The greatest number of rounds.
        most: u64,
    },
    /// A barrier stands in an arm that only some of a warp's threads may take.
    #[error("{0}a barrier in an arm of a divergent branch, which may never open: declare the branch uniform")]
    Barrier(Line),
    /// The arms of a branch hold different numbers of barriers.
    #[error(
        "{0}the arms of the branch hold different or unknown numbers of barriers: want equally many in each, or fixed \
         counts of the loops around them"
    )]
    Arms(Line),
    /// The arms of a branch hold more barriers than the analysis distinguishes.
    #[error(
        "{line}more than {most} barriers in an arm of the branch: want fewer rounds of the loops around them"
    )]
    Barriers {
        /// The line of the branch.
        line: Line,
        /// The largest number that is allowed.
        most: usize,
    },
    /// A branch has more arms than the analysis tries all orders of.
    #[error("{line}{arms} arms of a divergent branch: want {most} at most, the others nested")]
    Orders {
        /// The line of the branch.
        line: Line,
        /// The number of arms.
        arms: usize,
        /// The largest number that is allowed.
        most: usize,
    },
    /// A branch around loops whose bounds are symbols has no expression.
    #[error(
        "no expression: a barrier in a branch around a loop without a bound, blocks with barriers, or more than four \
         arms that part a warp: want bounds of the loops"
    )]
    Symbols,
    /// Cycle counts would not fit.
    #[error("the bound exceeds 2^63 cycles: want fewer warps or rounds")]
    Overflow,
}

/// A line of a listing, as it stands before a message. The line 0 is not written.
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
