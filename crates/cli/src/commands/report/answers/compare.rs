//! Drawings of two versions of the code: what became of each bound, and what became of the lines.

use warpspan_document::compare::{cycles, in_percent, lines_of, number_of, signed};
use warpspan_figures::{Changed, Changes, Input, Sketch};
use warpspan_records::Compare;
use warpspan_records::compare::{Compared, LineChange};

/// Adds a record to what is drawn.
pub(in crate::commands::report) fn compare(record: &Compare, input: &mut Input) {
    let changed = |one: &Compared| {
        let percent = one.percent?;
        let (old, new) = (number_of(one.old.as_ref(), &one.unit), number_of(one.new.as_ref(), &one.unit));
        Some(Changed {
            name: one.name.clone(),
            change: percent,
            number: in_percent(percent),
            tip: format!("{}: {old} before, {new} now", one.name),
        })
    };
    let rows: Vec<Changed> = record.entries.iter().filter_map(changed).collect();
    if rows.iter().any(|row| row.change.abs() > 0.0) {
        input.sketches.push(Sketch::from(Changes {
            title: format!("Bounds of {}, beside those of {}", record.new, record.old),
            caption: "The upper bound of each entry, in percent of the old one.".to_owned(),
            unit: "% of the old bound",
            rows,
        }));
    }
    for one in record.entries.iter().filter(|one| !one.lines.is_empty()) {
        input.sketches.push(Sketch::from(Changes {
            title: format!("{}: {}", one.name, lines_of(one)),
            caption: format!("What lines of {} add, the new version less the old one.", one.name),
            unit: "cycles",
            rows: one.lines.iter().map(line).collect(),
        }));
    }
}

/// What a line is: a place of the source, or an instruction.
fn place(line: &LineChange) -> String {
    let at = |line: Option<u32>| line.map_or_else(|| "-".to_owned(), |line| line.to_string());
    match &line.file {
        Some(file) => format!("{file}:{}", at(line.new_line.or(line.old_line))),
        None => line.instruction.clone().unwrap_or_else(|| "(in a function)".to_owned()),
    }
}

fn line(line: &LineChange) -> Changed {
    let lines = match (line.old_line, line.new_line) {
        (Some(old), Some(new)) if old == new => format!("line {new}"),
        (Some(old), Some(new)) => format!("line {old}, now {new}"),
        (Some(old), None) => format!("line {old}, gone"),
        (None, Some(new)) => format!("line {new}, new"),
        (None, None) => String::new(),
    };
    Changed {
        name: place(line),
        change: line.change.as_f64().unwrap_or_default(),
        number: signed(&line.change),
        tip: format!(
            "{}, {lines}: {} cycles before, {} now",
            place(line),
            cycles(&line.old),
            cycles(&line.new)
        ),
    }
}
