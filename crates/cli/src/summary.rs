//! The table that ends the answers to several instances.

use crate::Failure;
use crate::document::sheet;
use crate::output::print;
use crate::place::Place;
use warpspan_document::Table;
use warpspan_model::source::escaped;
use warpspan_records::solve::Basis;
use warpspan_records::{Bound, Solve};

/// A row for each instance, in their order.
#[derive(Debug, Default)]
pub(super) struct Summary {
    rows: Vec<Row>,
}

/// What is known of an instance.
#[derive(Debug)]
pub(super) struct Row {
    /// The warps of all groups or blocks.
    warps: u64,
    /// The worst case in cycles, or its bounds, and what they follow from.
    worst: String,
    evidence: String,
    /// The seconds that it took, where they are told.
    seconds: Option<f64>,
}

impl Row {
    fn new(warps: u64, lower: u64, upper: Option<(u64, Basis)>, seconds: Option<f64>) -> Self {
        let (worst, evidence) = match upper {
            None => (format!("{lower} or more"), "no upper bound".to_owned()),
            Some((upper, basis)) => (
                if lower == upper { upper.to_string() } else { format!("{lower} to {upper}") },
                format!("{}, {}", basis.name, basis.checked.name()),
            ),
        };
        Self { warps, worst, evidence, seconds }
    }
}

impl From<&Solve> for Row {
    fn from(found: &Solve) -> Self {
        let &Solve { lower, upper, seconds, .. } = found;
        let upper = found.evidence.upper.map(|basis| (upper, basis));
        Self::new(found.instance.total_warps(), lower, upper, Some(seconds))
    }
}

impl From<&Bound> for Row {
    fn from(found: &Bound) -> Self {
        let [_, upper] = found.ends();
        Self::new(found.instance.total_warps(), found.lower, upper, None)
    }
}

impl Summary {
    pub(super) fn add(&mut self, row: impl Into<Row>) {
        self.rows.push(row.into());
    }

    /// Prints the table under the answers, if there are several places. Places without a row were not looked at, since the
    /// run was interrupted.
    pub(super) fn print<'a>(self, places: impl ExactSizeIterator<Item = &'a Place>) -> Result<(), Failure> {
        if places.len() < 2 {
            return Ok(());
        }
        let has_time = self.rows.iter().any(|row| row.seconds.is_some());
        let rows = self.rows.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
        let rows: Vec<(&Place, Option<Row>)> = places.zip(rows).collect();
        let interrupted = || "interrupted before".to_owned();
        let seconds = |row: &Row| row.seconds.map(|seconds| format!("{seconds:.3} s"));
        let table = Table::of(&rows)
            .words("file", |(place, _)| place.file.as_deref().map(escaped))
            .number("warps", |(_, row)| row.as_ref().map(|row| row.warps))
            .number("worst case", |(_, row)| row.as_ref().map(|row| row.worst.clone()))
            .words("evidence", |(_, row)| row.as_ref().map_or_else(interrupted, |row| row.evidence.clone()))
            .number_if(has_time, "time", |(_, row)| row.as_ref().and_then(seconds));
        print(&format!("\n{}\n", sheet(&table.into())))
    }
}
