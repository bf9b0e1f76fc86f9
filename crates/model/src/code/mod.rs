//! What a warp runs: a kernel string, or a program with several paths.

mod error;
mod reader;
mod text;

use std::borrow::Cow;
use std::fmt;

use crate::program::Piece;
use crate::{Kernel, Unit};

pub use error::CodeError;
pub(crate) use reader::{Alphabet, Reader, in_name};

/// What a warp runs. A kernel string is a program of one path.
///
/// ```
/// use warpspan_model::Code;
///
/// assert!(matches!("(LLC|)16".parse()?, Code::Kernel(_)));
/// assert!(matches!("(LLC|)0..16[L/C]".parse()?, Code::Program(_)));
/// # Ok::<(), warpspan_model::CodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Code {
    /// A straight line, for which the engines find schedules.
    Kernel(Kernel),
    /// A program with branches or loops. The worst case is that over all its paths.
    Program(Piece),
}

impl Code {
    /// The kernel string, if the code is one.
    pub fn kernel(&self) -> Option<&Kernel> {
        match self {
            Self::Kernel(kernel) => Some(kernel),
            Self::Program(_) => None,
        }
    }

    /// The code as a program. A kernel string becomes a program of a single path, in normal form.
    pub fn program(&self) -> Cow<'_, Piece> {
        match self {
            Self::Kernel(kernel) => Cow::Owned(straight_line(kernel)),
            Self::Program(program) => Cow::Borrowed(program),
        }
    }

    /// Whether the code has one path only.
    pub fn is_straight(&self) -> bool {
        match self {
            Self::Kernel(_) => true,
            Self::Program(program) => program.is_straight(),
        }
    }

    /// Whether the code holds a barrier.
    pub fn has_barrier(&self) -> bool {
        match self {
            Self::Kernel(kernel) => !kernel.barriers().is_empty(),
            Self::Program(program) => program.has_barrier(),
        }
    }
}

/// A kernel string as a program: its runs of letters, with the barriers between them.
fn straight_line(kernel: &Kernel) -> Piece {
    let run = |run: &[Unit]| Piece::Letters { letter: run[0], count: run.len() as u64, line: 0 };
    let mut pieces = Vec::new();
    for (at, segment) in kernel.segments().enumerate() {
        if at > 0 {
            pieces.push(Piece::Barrier { line: 0 });
        }
        pieces.extend(segment.chunk_by(|a, b| a == b).map(run));
    }
    if pieces.len() == 1 { pieces.remove(0) } else { Piece::Sequence(pieces.into()) }
}

impl From<Kernel> for Code {
    fn from(kernel: Kernel) -> Self {
        Self::Kernel(kernel)
    }
}

impl From<Piece> for Code {
    fn from(program: Piece) -> Self {
        Self::Program(program)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_string_is_a_program_of_one_path() {
        for text in ["L", "LLCLL", "L|C", "LLC|CLL|L"] {
            let kernel: Kernel = text.parse().unwrap();
            let program: Piece = text.parse().unwrap();
            assert_eq!(*Code::from(kernel).program(), program, "{text}");
            assert_eq!(*Code::from(program.clone()).program(), program, "{text}");
        }
    }
}
