//! What is wrong with one routine of a file. The others are not the worse for it, so the file is read all the same, and whoever
//! asks for the routine, or for one that calls it, is told.

use warpspan_model::source::InputError;

/// What is wrong with a routine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Its text cannot be read, so that nothing at all is known of it.
    Text(InputError),
    /// Its instructions are known, but not where control goes: what is found at a line.
    Flow(u32, String),
}

impl Fault {
    /// The line at which something is wrong, and what.
    pub(super) fn line_and_what(&self) -> (u32, String) {
        match self {
            Self::Text(error) => {
                let line = error.line.and_then(|line| u32::try_from(line).ok());
                (line.unwrap_or_default(), error.what.to_string())
            }
            Self::Flow(line, what) => (*line, what.clone()),
        }
    }
}
