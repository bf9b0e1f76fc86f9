//! How far kernels are from the edge of what is proved, for a person to read.

use std::fmt::Write;

use crate::commands::rta::text::MOST;
use crate::table::table as table_of;
use warpspan_model::time::Duration;
use warpspan_rta::{Analysis, Edge, Sensitivity, System};

/// A table of the edges of all kernels.
pub(super) fn table(system: &System, analysis: &Analysis, edges: &[Sensitivity]) -> String {
    let mut table = table_of(["kernel", "largest C", "smallest period", "most blocks"], 1..4);
    let time = |edge: Edge| match edge.proved {
        Some(time) => system.unit().write(Duration(time)),
        None => "none".to_owned(),
    };
    let maybe = |edge: Option<Edge>| edge.map_or_else(|| "-".to_owned(), time);
    let blocks = |edge: Edge| edge.proved.map_or_else(|| "none".to_owned(), |blocks| blocks.to_string());
    for (task, found) in system.tasks().iter().zip(edges).take(MOST) {
        let row = [task.name.clone(), maybe(found.execution), maybe(found.period), blocks(found.blocks)];
        table.add_row(row);
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
    if edges.iter().any(|found| found.period.is_some()) {
        note(
            "deadlines stay as they are; launches of a kernel whose period changes may also be more than a period apart",
        );
    }
    if analysis.safe {
        note(
            "the verdict rests on Algorithm 2, but these values on the bounds that need none of its assumptions",
        );
    }
    if let Some(stop) = edges.iter().find_map(Sensitivity::stop) {
        note(&format!(
            "the search was stopped ({}): the values are proved, but may not be the last ones, and \"none\" means that \
             none was found by then",
            stop.name()
        ));
    }
    out
}
