//! How far kernels are from the edge of what is proved, for a person to read.

use std::fmt::Write;

use serde_json::Number;

use crate::table::table as table_of;
use warpspan_document::rta::MOST;
use warpspan_document::words::decimals;
use warpspan_records::Rta;
use warpspan_records::rta::{Kernel, Sensitivity, VerdictBy};

/// A table of the edges of all kernels; empty unless they were asked for.
pub(super) fn table(record: &Rta) -> String {
    let edges: Vec<(&Kernel, &Sensitivity)> =
        record.kernels.iter().filter_map(|kernel| Some((kernel, kernel.sensitivity.as_ref()?))).collect();
    if edges.is_empty() {
        return String::new();
    }
    let mut table = table_of(["kernel", "largest C", "smallest period", "most blocks"], 1..4);
    let none = || "none".to_owned();
    let time = |edge: &Option<Number>, asked: bool| match edge {
        _ if !asked => "-".to_owned(),
        edge => edge.as_ref().map_or_else(none, decimals),
    };
    for (kernel, found) in edges.iter().take(MOST) {
        table.add_row([
            kernel.name.clone(),
            time(&found.largest_execution, kernel.measured.is_some()),
            time(&found.smallest_period, kernel.period.is_some()),
            found.largest_blocks.map_or_else(none, |blocks| blocks.to_string()),
        ]);
    }
    let mut out = format!(
        "\nsensitivity: up to these values the bounds prove all deadlines, if one value changes and nothing else\n\n{table}\n"
    );
    let mut gap = "\n";
    let mut note = |what: &str| {
        let _ = writeln!(out, "{gap}note        {what}");
        gap = "";
    };
    if edges.len() > MOST {
        note("the table has no more kernels; --format json has all");
    }
    if edges.iter().any(|(kernel, _)| kernel.period.is_some()) {
        note(
            "deadlines stay as they are; launches of a kernel whose period changes may also be more than a period apart",
        );
    }
    if record.checked.bounds.by == VerdictBy::Algorithm2 {
        note(
            "the verdict rests on Algorithm 2, but these values on the bounds that need none of its assumptions",
        );
    }
    if let Some(stop) = edges.iter().find_map(|(_, found)| found.stop) {
        note(&format!(
            "the search was stopped ({}): the values are proved, but may not be the last ones, and \"none\" means that \
             none was found by then",
            stop.name()
        ));
    }
    out
}
