//! The table that ends the answers to several instances.

use crate::instances::Place;
use crate::output::print;
use crate::table::table;
use crate::{Failure, escaped};
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
    /// The worst case takes at least so many cycles.
    lower: u64,
    /// The upper bound on the worst case in cycles, and what it follows from; none where there is no upper bound.
    upper: Option<(u64, Basis)>,
    /// The seconds that it took, where they are told.
    seconds: Option<f64>,
}

impl From<&Solve> for Row {
    fn from(found: &Solve) -> Self {
        let &Solve { lower, upper, seconds, .. } = found;
        let upper = found.evidence.upper.map(|basis| (upper, basis));
        Self { warps: found.instance.total_warps(), lower, upper, seconds: Some(seconds) }
    }
}

impl From<&Bound> for Row {
    fn from(found: &Bound) -> Self {
        let [_, upper] = found.ends();
        Self { warps: found.instance.total_warps(), lower: found.lower, upper, seconds: None }
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
        let mut header = vec!["file", "warps", "worst case", "evidence"];
        header.extend(has_time.then_some("time"));
        let mut out = table(header, if has_time { vec![1, 2, 4] } else { vec![1, 2] });
        let mut rows = self.rows.into_iter();
        for place in places {
            let file = place.file.as_deref().map_or_else(|| "-".to_owned(), escaped);
            let mut cells = match rows.next() {
                Some(Row { warps, lower, upper, seconds }) => {
                    let (cycles, evidence) = match upper {
                        Some((upper, basis)) => (
                            if lower == upper { upper.to_string() } else { format!("{lower} to {upper}") },
                            format!("{}, {}", basis.name, basis.checked.name()),
                        ),
                        None => (format!("{lower} or more"), "no upper bound".to_owned()),
                    };
                    let time = seconds.map(|seconds| format!("{seconds:.3} s"));
                    [vec![file, warps.to_string(), cycles, evidence], time.into_iter().collect()].concat()
                }
                None => vec![file, "-".to_owned(), "-".to_owned(), "interrupted before".to_owned()],
            };
            cells.resize(if has_time { 5 } else { 4 }, "-".to_owned());
            out.add_row(cells);
        }
        print(&format!("\n{out}\n"))
    }
}
