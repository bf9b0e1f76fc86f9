//! `warpspan bound`.

use comfy_table::{CellAlignment, Table, presets};

use crate::cli::args::{BoundArgs, Format};
use crate::cli::instances::workloads;
use crate::cli::output::print;
use crate::cli::record::line_of;
use crate::cli::{Exit, Failure, progress, text};
use crate::engines::portfolio::{Note, free_terms, table, terms};
use crate::engines::portfolio::{Row, Side, SolveError, Terms, Value};
use crate::engines::program::bound;
use crate::limits::{Ending, Limits};
use crate::model::{Instance, Workload};
use crate::records::Bound;

pub(super) fn run(args: &BoundArgs) -> Result<Exit, Failure> {
    let workloads = workloads(&args.instance)?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let mut exit = Exit::Done;
    for (place, workload) in workloads {
        let (rows, terms, mut notes) = match workload.instance() {
            Some(instance) => {
                let terms = match args.up_to.or(free_terms(instance)) {
                    Some(up_to) => solve_terms(instance, up_to.min(instance.total_warps()), &limits)?,
                    None => None,
                };
                (table(instance, terms.as_ref(), &limits), terms, Vec::new())
            }
            None => {
                let (row, notes) = of_paths(&workload)?;
                (vec![row], None, notes)
            }
        };
        notes.extend_from_slice(&place.notes);
        print(&match args.format {
            Format::Text => place.over(&(text(&workload, &rows, terms.as_ref()) + &text::notes(&notes))),
            Format::Json => line_of(&place, Bound::new((&workload).into(), rows, notes))?,
        })?;
        if terms.is_some_and(|terms| terms.ending != Ending::Proved) {
            exit = Exit::Limit;
        }
    }
    Ok(exit)
}

/// The one bound of a workload whose code has several paths, and what is assumed of the code.
fn of_paths(workload: &Workload) -> Result<(Row, Vec<String>), Failure> {
    let bound = bound(workload)?;
    let row = Row {
        name: "program",
        value: bound.makespan.cycles(),
        side: Side::Upper,
        safe: true,
        source: "phase bound of structured programs",
        more: Value::Phase {
            rates: bound.rates.iter().map(ToString::to_string).collect(),
            labels: vec![],
            finish: bound.finish,
        },
    };
    Ok((row, bound.assumes.into_iter().map(|what| Note::Assumed(what).to_string()).collect()))
}

/// The exact values for few warps; none for several groups, or in a build that cannot solve them.
fn solve_terms(instance: &Instance, up_to: u64, limits: &Limits) -> Result<Option<Terms>, Failure> {
    let bar = progress::bar(up_to, "solving T(y)");
    let terms = terms(instance, up_to, limits, || bar.inc(1));
    bar.finish_and_clear();
    match terms {
        Some(Err(SolveError::NoHighs { .. })) => {
            eprintln!("warpspan: no estimate: its terms need the ILP, and this build has no HiGHS");
            Ok(None)
        }
        Some(terms) => Ok(Some(terms?)),
        None => Ok(None),
    }
}

fn text(workload: &Workload, rows: &[Row], terms: Option<&Terms>) -> String {
    let mut out = format!("{}\n{}\n", text::heading(workload), table_of(rows));
    for row in rows {
        match &row.more {
            Value::Terms { terms } => {
                let term =
                    |term: &crate::bound::Term| format!("y={}: {} ({})", term.y, term.value, term.makespan);
                let terms: Vec<String> = terms.iter().map(term).collect();
                out.push_str(&format!("ceil(W/y) T(y), and T(y): {}\n", terms.join(", ")));
            }
            Value::Phase { rates, labels, finish } => {
                out.push_str(&text::phases(workload, &rates.join(", "), labels));
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
            text::stop(terms.ending),
            terms.exact.len()
        ));
    }
    out
}

/// The table of bounds.
fn table_of(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["bound", "cycles", "side", "safe", "source"]);
    for row in rows {
        let side = match row.side {
            Side::Upper => "upper",
            Side::Lower => "lower",
            Side::Estimate => "estimate",
        };
        let safe = if row.safe { "yes" } else { "NO" };
        table.add_row([row.name, &row.value.to_string(), side, safe, row.source]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
