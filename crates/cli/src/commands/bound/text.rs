//! What `bound` tells a person.

use crate::screen::Tone;
use crate::table::{Sheet, cell, table};
use crate::text::{grid_heading, heading, phases, stop, worst_case};
use warpspan_check::bound::{Term, Theorem};
use warpspan_model::limits::Ending;
use warpspan_model::{Cycles, Grid, Workload};
use warpspan_solver::portfolio::{Row, Side, Terms, Value};

/// Characters of a line of the table where there is no screen.
const WIDTH: usize = 80;

pub(super) fn text(workload: &Workload, rows: &[Row], terms: Option<&Terms>) -> String {
    let mut out = answer(&heading(workload), rows);
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
    answer(&grid_heading(grid), rows)
}

/// The interval of the safe bounds, their subject, and all bounds.
pub(super) fn answer(heading: &str, rows: &[Row]) -> String {
    let safe = |side: Side| {
        let safe = rows.iter().filter(move |row| row.safe && row.side == side);
        safe.filter_map(|row| Some((row.value, row.theorem?)))
    };
    let value = |&(cycles, _): &(Cycles, Theorem)| cycles;
    let ends = [safe(Side::Lower).max_by_key(value), safe(Side::Upper).min_by_key(value)];
    format!("{}{heading}\n\n{}\n", worst_case(ends, None), table_of(rows))
}

/// The table of bounds. An equation that is too long goes on in the next line.
fn table_of(rows: &[Row]) -> Sheet {
    let mut table = table(["bound", "cycles", "side", "checked", "source"], [1]).usually(WIDTH);
    for row in rows {
        let side = match row.side {
            Side::Upper => "upper",
            Side::Lower => "lower",
            Side::Estimate => "estimate",
        };
        let checked = row.theorem.filter(|_| row.safe).map(|theorem| theorem.checked().name());
        let checked = checked.map_or_else(|| cell(Tone::Refuted, "NOT SAFE"), Into::into);
        let [name, value, side, source] =
            [row.name, &row.value.to_string(), side, row.source].map(Into::into);
        table.add_row([name, value, side, checked, source]);
    }
    table
}
