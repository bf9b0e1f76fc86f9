//! What `bound` tells a person.

use comfy_table::{ColumnConstraint, ContentArrangement, Table};

use crate::bound::Term;
use crate::cli::table::table;
use crate::cli::text::{grid_heading, heading, phases, stop};
use crate::engines::portfolio::{Row, Side, Terms, Value};
use crate::limits::Ending;
use crate::model::{Grid, Workload};

/// Characters of a line of the table.
const WIDTH: u16 = 80;

pub(super) fn text(workload: &Workload, rows: &[Row], terms: Option<&Terms>) -> String {
    let mut out = format!("{}\n{}\n", heading(workload), table_of(rows));
    for row in rows {
        match &row.more {
            Value::Terms { terms } => {
                let term = |term: &Term| format!("y={}: {} ({})", term.y, term.value, term.makespan);
                let terms: Vec<String> = terms.iter().map(term).collect();
                out.push_str(&format!("ceil(W/y) T(y), and T(y): {}\n", terms.join(", ")));
            }
            Value::Phase { rates, labels, finish } => {
                out.push_str(&phases(workload, &rates.join(", "), labels));
                if finish.len() > 1 {
                    let finish: Vec<String> = finish.iter().map(ToString::to_string).collect();
                    out.push_str(&format!("  finish    by cycle {}, group by group\n", finish.join(", ")));
                }
            }
            Value::Plain {} => {}
        }
    }
    if let Some(terms) = terms.filter(|terms| terms.ending != Ending::Proved) {
        out.push_str(&format!(
            "{}: only {} of the values T(y) were solved\n",
            stop(terms.ending),
            terms.exact.len()
        ));
    }
    out
}

/// The bounds of a grid.
pub(super) fn grid(grid: &Grid, rows: &[Row]) -> String {
    format!("{}\n{}\n", grid_heading(grid), table_of(rows))
}

/// The table of bounds.
pub(super) fn table_of(rows: &[Row]) -> Table {
    let mut table = table(["bound", "cycles", "side", "checked", "source"], [1]);
    // An equation that is too long goes on in the next line.
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_constraints([ColumnConstraint::ContentWidth; 4]);
    for row in rows {
        let side = match row.side {
            Side::Upper => "upper",
            Side::Lower => "lower",
            Side::Estimate => "estimate",
        };
        let checked = row.theorem.filter(|_| row.safe).map_or("NOT SAFE", |theorem| theorem.checked().name());
        table.add_row([row.name, &row.value.to_string(), side, checked, row.source]);
    }
    table
}
