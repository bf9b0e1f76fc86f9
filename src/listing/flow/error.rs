//! Why code has no structured program here.

use std::fmt;

use crate::listing::flow::loops::LoopBound;
use crate::listing::text::one_line;

/// What stands in the way, where, and what would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StructureError {
    /// Loops that nobody gave a bound.
    Unbounded(Vec<LoopBound>),
    /// Anything else.
    At {
        /// The line.
        line: u32,
        /// What was found and what would do.
        what: String,
    },
}

impl StructureError {
    pub(super) fn at(line: u32, what: impl fmt::Display) -> Self {
        Self::At { line, what: one_line(&what) }
    }
}

impl fmt::Display for StructureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At { line, what } => write!(f, "line {line}: {what}"),
            Self::Unbounded(loops) => {
                write!(f, "no bound for")?;
                for (at, one) in loops.iter().enumerate() {
                    let comma = if at > 0 { "," } else { "" };
                    write!(f, "{comma} loop {} (line {})", one.label, one.line)?;
                }
                write!(f, ": want --loop-bound LABEL=N for each")
            }
        }
    }
}
