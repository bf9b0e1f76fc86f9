//! The text of a file of declarations, wherever what it says comes from.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::SourceLine;
use crate::declared::is_alone;
use crate::message::one_line;
use crate::reached::reached;
use crate::routine::{Listing, Routine};
use warpspan_model::source::{disturbs, quoted};

/// Writes what may be said of an entry.
pub(crate) struct Writer<'w, 'a> {
    pub(crate) place: &'w str,
    pub(crate) listing: &'w Listing<'a>,
    pub(crate) entry: usize,
    pub(crate) source: &'w BTreeMap<u32, SourceLine>,
}

impl Writer<'_, '_> {
    /// The table of a place, with its only other key; unless the line holds several such places, which a line cannot
    /// tell apart.
    pub(crate) fn table(
        &self,
        kind: &str,
        place: (usize, usize),
        by_label: bool,
        key: &str,
        might_be: impl Fn(&Routine<'_>, usize) -> bool,
        out: &mut String,
    ) {
        let routine = &self.listing.routines[place.0];
        let _ = match is_alone(routine, place.1, might_be) {
            true => write!(out, "[[entry.{kind}]]\n{}{key}\n", self.mark(place, by_label)),
            false => writeln!(
                out,
                "# Line {} holds several such places: want an instruction a line, to say something of each.",
                routine.line_of(place.1)
            ),
        };
    }

    /// The first place of the entry, and of what it calls, that is as described.
    pub(crate) fn find(&self, is: impl Fn(&Routine<'_>, usize) -> bool) -> Option<(usize, usize)> {
        reached(self.listing, self.entry).into_iter().find_map(|number| {
            let routine = &self.listing.routines[number];
            (0..routine.instructions.len()).find(|&at| is(routine, at)).map(|at| (number, at))
        })
    }

    /// The keys that name a place: its label if that stands once and may be taken, or else its number.
    pub(crate) fn mark(&self, (number, at): (usize, usize), by_label: bool) -> String {
        let routine = &self.listing.routines[number];
        let function = match number == self.entry {
            true => String::new(),
            false => format!("function = {}\n", quoted(routine.name)),
        };
        let label = routine.labels.iter().find(|(_, place)| *place == at).filter(|_| by_label);
        let label =
            label.filter(|(name, _)| routine.labels.iter().filter(|(other, _)| other == name).count() == 1);
        match label {
            Some((label, _)) => format!("{function}label = {}\n", quoted(label)),
            None => format!("{function}instruction = {}\n", at + 1),
        }
    }

    /// The line of the source behind a line of the listing, where it is known.
    pub(crate) fn source(&self, line: u32) -> String {
        let source = self.source.get(&line);
        source.map_or(String::new(), |source| format!(", {}:{}", plain(&source.file), source.line))
    }
}

/// A text of a listing as it may stand in a comment.
pub(crate) fn plain(text: &str) -> String {
    let text = one_line(&text);
    let text = text.trim().chars().map(|c| if disturbs(c) { ' ' } else { c });
    text.take(200).collect()
}
