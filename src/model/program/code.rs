//! What a warp runs, whichever way it is given.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::model::program::{Piece, ProgramTextError};
use crate::model::{Kernel, KernelError};

/// What a warp runs.
///
/// ```
/// use warpspan::model::program::Code;
///
/// assert!(matches!("(LLC|)16".parse()?, Code::Kernel(_)));
/// assert!(matches!("(LLC|)0..16[L/C]".parse()?, Code::Program(_)));
/// # Ok::<(), warpspan::model::program::CodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Code {
    /// A straight line, for which engines find schedules.
    Kernel(Kernel),
    /// A program with branches or loops, which has a bound.
    Program(Piece),
}

/// Why a text is neither.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CodeError {
    /// It has no branch and no range, and is no kernel string.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// It has, and is no program.
    #[error(transparent)]
    Program(#[from] ProgramTextError),
}

impl Code {
    /// As a program, which a kernel string is too: of one path.
    ///
    /// # Errors
    /// If brackets lie too deep in one another.
    pub fn program(self) -> Result<Piece, ProgramTextError> {
        match self {
            Self::Kernel(kernel) => kernel.to_string().parse(),
            Self::Program(program) => Ok(program),
        }
    }
}

impl FromStr for Code {
    type Err = CodeError;

    /// A text with the brackets of a branch or with a range of counts is a program, any other a kernel string.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        match text.contains(['[', '{', '<']) || text.contains("..") {
            true => Ok(Self::Program(text.parse()?)),
            false => Ok(Self::Kernel(text.parse()?)),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kernel(kernel) => kernel.fmt(f),
            Self::Program(program) => program.normal().fmt(f),
        }
    }
}
