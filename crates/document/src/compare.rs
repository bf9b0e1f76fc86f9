//! What `compare` tells: a table of the entries, what is missing, and what lines of each entry changed.

use serde_json::Number;

use crate::assumptions::in_numbers;
use crate::words::{decimals, in_words, shortened};
use crate::{Document, Part, Said, Table, Text, Tone};
use warpspan_records::Compare;
use warpspan_records::compare::{Change, Compared, LineChange, Of, Verdict};

/// The answer.
pub fn document(found: &Compare) -> Document {
    let (tone, verdict) = match (found.verdict, found.worse_than) {
        // Without a limit nothing is too much.
        (Verdict::Within, None) => (Tone::Proved, "all bounds known"),
        (Verdict::Within, _) => (Tone::Proved, "no bound rises too much"),
        (Verdict::Unknown, _) => (Tone::Undecided, "not all bounds can be compared"),
        (Verdict::Gone, _) => (Tone::Refuted, "an entry is gone"),
        (Verdict::Worse, _) => (Tone::Refuted, "a bound rises too much"),
    };
    let changes = found.entries.iter().filter_map(|one| Some((one.percent?, &one.name)));
    let largest = changes.max_by(|a, b| a.0.total_cmp(&b.0));
    let most = largest.map_or_else(String::new, |(most, name)| format!("{}, {name}", in_percent(most)));
    let said = Said::new(tone, verdict, most);
    let mut out = Document::new("compare", format!("{} since {}", found.new, found.old), said, 9);
    let said = |one: &Compared| {
        let change = change(one, found.worse_than);
        if fails(found, one) { Text::default().toned(Tone::Refuted, change) } else { change.into() }
    };
    let entries = Table::of(&found.entries)
        .words("entry", |one| Text::code(&one.name))
        .number("old", |one| number_of(one.old.as_ref(), &one.unit))
        .number("new", |one| number_of(one.new.as_ref(), &one.unit))
        .number("change", |one| one.percent.map_or(String::new(), in_percent))
        .words("", said);
    let verdict = Text::default().toned(tone, verdict);
    let what =
        Text::from("bounds of ").toned(Tone::Code, &found.new).then(" since ").toned(Tone::Code, &found.old);
    out.line(Text([what.then(": ").0, verdict.0].concat()));
    out.gap();
    out.table(entries);
    if found.assumptions.iter().any(|one| one.kind.has_to_be_accepted()) {
        out.fact("rests on", format!("{}: --format json", in_numbers(&found.assumptions)));
    }
    for one in &found.entries {
        for (version, error) in [("old", &one.old_error), ("new", &one.new_error)] {
            let error = error.as_ref().map(|error| format!("{}, {version} version: {error}", one.name));
            out.facts("no bound", error);
        }
        // Where the table has room for it, it stands there.
        let because = one.because.as_ref().filter(|_| one.exceeds);
        out.facts("because", because.map(|because| format!("{}: {because}", one.name)));
        for differs in &one.differs {
            out.fact(differs.what.to_string(), format!("{}: {}", one.name, differs.says()));
        }
        out.facts("note", one.notes.iter().map(|note| format!("{}: {note}", one.name)));
    }
    if found.entries.iter().any(|one| !one.lines.is_empty()) {
        out.parts.push(Part::Details("What lines add, line by line"));
    }
    for one in found.entries.iter().filter(|one| !one.lines.is_empty()) {
        out.gap();
        out.line(format!("{}: {}, line by line", one.name, lines_of(one)));
        out.table(lines(one));
    }
    out
}

/// What lines of an entry add more or less.
fn lines(one: &Compared) -> Table {
    let is_source = one.lines.iter().any(|line| line.file.is_some());
    let what = if is_source { "source" } else { "instruction" };
    let at = |line: Option<u32>| line.map_or(String::new(), |line| line.to_string());
    let text = |line: &LineChange| {
        shortened(line.file.as_deref().or(line.instruction.as_deref()).unwrap_or("(in a function)"))
    };
    Table::of(&one.lines)
        .number("old line", |line| at(line.old_line))
        .number("new line", |line| at(line.new_line))
        .words(what, text)
        .number("old", |line| cycles(&line.old))
        .number("new", |line| cycles(&line.new))
        .number("change", |line| signed(&line.change))
        .number("%", |line| line.percent.map_or(String::new(), in_percent))
        .into()
}

/// What the cycles of lines are.
pub fn lines_of(one: &Compared) -> &'static str {
    match one.of {
        Some(Of::CriticalPath) => "cycles of the critical path",
        Some(Of::Kernel) => "cycles of the kernel",
        _ => "cycles that a further warp adds",
    }
}

/// A change in cycles with its sign.
pub fn signed(change: &Number) -> String {
    let sign = if change.as_f64().unwrap_or_default() < 0.0 { "" } else { "+" };
    format!("{sign}{}", cycles(change))
}

/// A bound with its unit; nanoseconds in the largest unit of time of which there is one.
pub fn number_of(number: Option<&Number>, unit: &str) -> String {
    match number {
        None => "none".to_owned(),
        Some(number) => match number.as_u64().filter(|_| unit == "ns") {
            Some(nanoseconds) => in_words(nanoseconds),
            None => format!("{} {unit}", decimals(number)),
        },
    }
}

/// Cycles in a few decimals, if they are not whole: the record has them exactly.
pub fn cycles(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(real) if real.abs() < 10.0 => format!("{real:.3}"),
        Some(real) => format!("{real:.1}"),
        None => number.to_string(),
    }
}

/// A difference in percent with its sign.
pub fn in_percent(percent: f64) -> String {
    format!("{percent:+.1}%")
}

/// What became of a bound, and because of what, if that is not the code alone.
fn change(one: &Compared, worse_than: Option<f64>) -> String {
    match (worse_than, &one.because) {
        (Some(most), _) if one.exceeds => format!("larger by more than {most}%"),
        (_, Some(because)) => because.clone(),
        _ => one.change.name().to_owned(),
    }
}

/// Whether an entry may not be as it is.
fn fails(found: &Compare, one: &Compared) -> bool {
    one.exceeds || one.change == Change::Gone && !found.allow_gone
}
