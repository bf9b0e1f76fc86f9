//! Why code has no E.

use thiserror::Error;

use warpspan_model::program::MAX_DEPTH;

/// The largest number of different tokens in the code of a warp.
pub const MOST_TOKENS: usize = 1024;

/// Why code has no E. Lines are those of the listing, and 0 where there is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OwnError {
    /// Cycle counts would not fit.
    #[error("a warp alone takes 2^64 cycles or more: want fewer rounds or shorter latencies")]
    Overflow,
    /// Pieces are nested too deeply.
    #[error("pieces lie deeper than {MAX_DEPTH} in one another: flatten the program")]
    Depth,
    /// The greatest number of rounds of a loop is below the least.
    #[error("{}a loop of at least {least} and at most {most} rounds: want least..most", at(*line))]
    Rounds {
        /// The line of the loop.
        line: u32,
        /// The least number of rounds.
        least: u64,
        /// The greatest number of rounds.
        most: u64,
    },
    /// A barrier stands in an arm that only some of a warp's threads may take.
    #[error(
        "{}a barrier in an arm of a divergent branch, which may never open: declare the branch uniform",
        at(*line)
    )]
    Barrier {
        /// The line of the branch.
        line: u32,
    },
    /// The code names too many tokens.
    #[error("{0} registers or scoreboards in the code of a warp: want {MOST_TOKENS} at most")]
    Tokens(usize),
}

/// A line as it stands before a message.
fn at(line: u32) -> String {
    if line == 0 { String::new() } else { format!("line {line}: ") }
}
