//! How far kernels are from the edge of what is proved.

use serde_json::Number;

use super::MOST;
use crate::table::first;
use crate::words::decimals;
use crate::{Document, Table};
use warpspan_records::Rta;
use warpspan_records::rta::{Kernel, Sensitivity, VerdictBy};

/// A table of the edges of all kernels; nothing unless they were asked for.
pub(super) fn edges(out: &mut Document, record: &Rta) {
    let edges: Vec<(&Kernel, &Sensitivity)> =
        record.kernels.iter().filter_map(|kernel| Some((kernel, kernel.sensitivity.as_ref()?))).collect();
    if edges.is_empty() {
        return;
    }
    let none = || "none".to_owned();
    let time = |edge: &Option<Number>, asked: bool| asked.then(|| edge.as_ref().map_or_else(none, decimals));
    let table = Table::of(first(&edges, MOST))
        .words("kernel", |(kernel, _)| kernel.name.clone())
        .number("largest C", |(kernel, found)| time(&found.largest_execution, kernel.measured.is_some()))
        .number("smallest period", |(kernel, found)| time(&found.smallest_period, kernel.period.is_some()))
        .number("most blocks", |(_, found)| {
            found.largest_blocks.map_or_else(none, |blocks| blocks.to_string())
        });
    out.gap();
    out.line(
        "sensitivity: up to these values the bounds prove all deadlines, if one value changes and nothing else",
    );
    out.gap();
    out.table(table);
    let cut = edges.len() > MOST;
    let periodic = edges.iter().any(|(kernel, _)| kernel.period.is_some());
    let notes = [
        (cut, "the table has no more kernels; --format json has all"),
        (
            periodic,
            "deadlines stay as they are; launches of a kernel whose period changes may also be more than a period apart",
        ),
        (
            record.checked.bounds.by == VerdictBy::Algorithm2,
            "the verdict rests on Algorithm 2, but these values on the bounds that need none of its assumptions",
        ),
    ];
    let notes = notes.into_iter().filter(|(is_said, _)| *is_said).map(|(_, what)| what.to_owned());
    let stop = edges.iter().find_map(|(_, found)| found.stop).map(|stop| {
        format!(
            "the search was stopped ({}): the values are proved, but may not be the last ones, and \"none\" means that \
             none was found by then",
            stop.name()
        )
    });
    out.gapped_notes(notes.chain(stop));
}
