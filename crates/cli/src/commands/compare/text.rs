//! What `compare` tells a person.

use comfy_table::Cell;
use serde_json::Number;

use crate::commands::extract::shortened;
use crate::commands::time::in_words;
use crate::screen::Tone;
use crate::table::{cell, table};
use crate::text::decimals;
use warpspan_records::Compare;
use warpspan_records::compare::{Change, Compared, LineChange, Of};

/// A table of the entries, what is missing, and what lines of each entry changed.
pub(super) fn text(found: &Compare) -> String {
    let mut entries = table(["entry", "old", "new", "change", ""], [1, 2, 3]);
    for one in &found.entries {
        entries.add_row([
            Cell::new(&one.name),
            number(one.old.as_ref(), &one.unit).into(),
            number(one.new.as_ref(), &one.unit).into(),
            percent(one).into(),
            match change(one, found.worse_than) {
                more if fails(found, one) => cell(Tone::Refuted, &more),
                word => word.into(),
            },
        ]);
    }
    let mut out = format!("{entries}\n");
    for one in &found.entries {
        let errors = [("old", &one.old_error), ("new", &one.new_error)];
        for (version, error) in errors {
            if let Some(error) = error {
                out.push_str(&format!("no bound  {}, {version} version: {error}\n", one.name));
            }
        }
        // Where the table has room for it, it stands there.
        if let Some(because) = one.because.as_ref().filter(|_| one.exceeds) {
            out.push_str(&format!("because   {}: {because}\n", one.name));
        }
        for differs in &one.differs {
            out.push_str(&format!("{:<9} {}: {}\n", differs.what, one.name, differs.says()));
        }
        one.notes.iter().for_each(|note| out.push_str(&format!("note      {}: {note}\n", one.name)));
    }
    for one in found.entries.iter().filter(|one| !one.lines.is_empty()) {
        out.push_str(&lines(one));
    }
    out
}

/// What lines of an entry add more or less.
fn lines(one: &Compared) -> String {
    let of = lines_of(one);
    let is_source = one.lines.iter().any(|line| line.file.is_some());
    let what = if is_source { "source" } else { "instruction" };
    let mut table = table(["old line", "new line", what, "old", "new", "change", "%"], [0, 1, 3, 4, 5, 6]);
    for line in &one.lines {
        let LineChange { file, old_line, new_line, instruction, old, new, change, percent, exact: _ } = line;
        let at = |line: &Option<u32>| line.map_or(String::new(), |line| line.to_string());
        let what = file.as_deref().or(instruction.as_deref()).unwrap_or("(in a function)");
        table.add_row([
            at(old_line),
            at(new_line),
            shortened(what),
            cycles(old),
            cycles(new),
            signed(change),
            percent.map_or(String::new(), in_percent),
        ]);
    }
    format!("\n{}: {of}, line by line\n{table}\n", one.name)
}

/// What the cycles of lines are.
pub(in crate::commands) fn lines_of(one: &Compared) -> &'static str {
    match one.of {
        Some(Of::CriticalPath) => "cycles of the critical path",
        Some(Of::Kernel) => "cycles of the kernel",
        _ => "cycles that a further warp adds",
    }
}

/// A change in cycles with its sign.
pub(in crate::commands) fn signed(change: &Number) -> String {
    let sign = if change.as_f64().unwrap_or_default() < 0.0 { "" } else { "+" };
    format!("{sign}{}", cycles(change))
}

/// A bound with its unit; nanoseconds in the largest unit of time of which there is one.
pub(in crate::commands) fn number(number: Option<&Number>, unit: &str) -> String {
    match number {
        None => "none".to_owned(),
        Some(number) => match number.as_u64().filter(|_| unit == "ns") {
            Some(nanoseconds) => in_words(nanoseconds),
            None => format!("{} {unit}", decimals(number)),
        },
    }
}

/// Cycles in a few decimals, if they are not whole: the record has them exactly.
pub(in crate::commands) fn cycles(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(real) if real.abs() < 10.0 => format!("{real:.3}"),
        Some(real) => format!("{real:.1}"),
        None => number.to_string(),
    }
}

pub(super) fn percent(one: &Compared) -> String {
    one.percent.map_or(String::new(), in_percent)
}

/// A difference in percent with its sign.
pub(in crate::commands) fn in_percent(percent: f64) -> String {
    format!("{percent:+.1}%")
}

/// What became of a bound, and because of what, if that is not the code alone.
pub(in crate::commands) fn change(one: &Compared, worse_than: Option<f64>) -> String {
    match (worse_than, &one.because) {
        (Some(most), _) if one.exceeds => format!("larger by more than {most}%"),
        (_, Some(because)) => because.clone(),
        _ => one.change.name().to_owned(),
    }
}

/// Whether an entry may not be as it is.
pub(super) fn fails(found: &Compare, one: &Compared) -> bool {
    one.exceeds || one.change == Change::Gone && !found.allow_gone
}
