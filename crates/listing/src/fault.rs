//! What is wrong with one routine of a file. The others are not the worse for it, so the file is read all the same, and whoever
//! asks for the routine, or for one that calls it, is told.

use crate::declare::reached;
use crate::routine::Listing;
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

/// Checks that not every entry that was chosen has, or calls, a text that cannot be read. If only some do, these have no program
/// and say why.
///
/// # Errors
/// The first thing that cannot be read.
pub(super) fn check(listing: &Listing<'_>, chosen: &[usize]) -> Result<(), InputError> {
    let of = |number: usize| match &listing.routines[number].fault {
        Some(Fault::Text(error)) => Some(error),
        _ => None,
    };
    let mut of_chosen = Vec::with_capacity(chosen.len());
    for &entry in chosen {
        let Some(error) = reached(listing, entry).into_iter().find_map(of) else { return Ok(()) };
        of_chosen.push(error);
    }
    let all = || (0..listing.routines.len()).filter_map(of).min_by_key(|error| error.line);
    let first = of_chosen.into_iter().min_by_key(|error| error.line).or_else(all);
    first.map_or(Ok(()), |error| Err(error.clone()))
}
