//! Why code on a machine has no bound.

use thiserror::Error;

use crate::own::OwnError;

/// Why code on a machine has no bound. Lines are those of the listing; 0 where there is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LatencyError {
    /// The code of a group, counting from 1, has no instruction on any path.
    #[error("the code of group {0} is empty: want at least one letter")]
    Empty(usize),
    /// The arms of a branch hold different numbers of barriers.
    #[error("{}the arms of the branch hold different numbers of barriers: want equally many in each", at(*.0))]
    Arms(u32),
    /// Blocks of a grid have barriers.
    #[error("blocks that follow one another have no bound if their code has barriers: want code without any")]
    Grid,
    /// A number of a grid is zero.
    #[error("{0}: want 1 or more")]
    Zero(&'static str),
    /// Others take all that the servers of the memory serve.
    #[error("others and pauses take all of the memory: want a higher rate, or less that others take")]
    Starved,
    /// A warp alone has no bound.
    #[error(transparent)]
    Own(OwnError),
    /// Numbers would not fit.
    #[error("the bound exceeds 2^63 cycles: want fewer warps or rounds")]
    Overflow,
}

/// A line as it stands before a message.
fn at(line: u32) -> String {
    if line == 0 { String::new() } else { format!("line {line}: ") }
}

impl From<OwnError> for LatencyError {
    fn from(error: OwnError) -> Self {
        match error {
            OwnError::Overflow => Self::Overflow,
            error => Self::Own(error),
        }
    }
}

/// The sum of two numbers.
pub(super) fn plus(a: i128, b: i128) -> Result<i128, LatencyError> {
    a.checked_add(b).ok_or(LatencyError::Overflow)
}

/// The product of two numbers.
pub(super) fn times(a: i128, b: impl Into<i128>) -> Result<i128, LatencyError> {
    a.checked_mul(b.into()).ok_or(LatencyError::Overflow)
}
