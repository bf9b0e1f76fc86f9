//! The table that ends the answers to several instances.

use std::cmp::Reverse;
use std::time::Duration;

use crate::Failure;
use crate::instances::Place;
use crate::output::print;
use crate::table::table;
use warpspan_check::bound::{Interval, Theorem};
use warpspan_solver::portfolio::{self, Side};

/// A row for each instance, in their order.
#[derive(Debug, Default)]
pub(super) struct Summary {
    rows: Vec<Row>,
}

/// What is known of an instance.
#[derive(Debug)]
pub(super) struct Row {
    /// The warps of all groups or blocks.
    pub(super) warps: u64,
    /// The worst case takes at least so many cycles.
    pub(super) lower: u64,
    /// The upper bound on the worst case in cycles, and what it follows from; none where there is no upper bound.
    pub(super) upper: Option<(u64, Theorem)>,
    /// The seconds that it took, where they are told.
    pub(super) seconds: Option<f64>,
}

impl Row {
    /// Of the worst case of so many warps.
    pub(super) fn new(warps: u64, worst: Interval, elapsed: Duration) -> Self {
        let (lower, upper) = (worst.lower().cycles().0, worst.upper());
        let upper = Some((upper.cycles().0, upper.theorem()));
        Self { warps, lower, upper, seconds: Some(elapsed.as_secs_f64()) }
    }

    /// Of the best of safe bounds, and of equal ones that which is checked best.
    pub(super) fn of_bounds(warps: u64, rows: &[portfolio::Row]) -> Self {
        let safe = |side: Side| rows.iter().filter(move |row| row.safe && row.side == side);
        let lower = safe(Side::Lower).map(|row| row.value.0).max().unwrap_or(0);
        let upper = safe(Side::Upper)
            .min_by_key(|row| (row.value, Reverse(row.theorem.map(|theorem| theorem.checked()))));
        let upper = upper.and_then(|row| Some((row.value.0, row.theorem?)));
        Self { warps, lower, upper, seconds: None }
    }
}

impl Summary {
    pub(super) fn add(&mut self, row: Row) {
        self.rows.push(row);
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
            let file = place.file.clone().unwrap_or_else(|| "-".to_owned());
            let mut cells = match rows.next() {
                Some(Row { warps, lower, upper, seconds }) => {
                    let (cycles, evidence) = match upper {
                        Some((upper, theorem)) => (
                            if lower == upper { upper.to_string() } else { format!("{lower} to {upper}") },
                            format!("{}, {}", theorem.name(), theorem.checked().name()),
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
