//! Two versions of the code: what became of each bound, and what became of the lines.

use crate::commands::compare::{change, cycles, in_percent, lines_of, number, signed};
use warpspan_figures::{Answer, AnswerTable, Changed, Changes, Input, Said, Subject, Tone};
use warpspan_records::Compare;
use warpspan_records::compare::{Change, Compared, LineChange, Verdict};

/// Adds a record to what is shown.
pub(in crate::commands::report) fn compare(record: &Compare, input: &mut Input) {
    input.answers.push(answer(record));
    let changed = |one: &Compared| {
        let percent = one.percent?;
        let (old, new) = (number(one.old.as_ref(), &one.unit), number(one.new.as_ref(), &one.unit));
        Some(Changed {
            name: one.name.clone(),
            change: percent,
            number: in_percent(percent),
            tip: format!("{}: {old} before, {new} now", one.name),
        })
    };
    let rows: Vec<Changed> = record.entries.iter().filter_map(changed).collect();
    if rows.iter().any(|row| row.change.abs() > 0.0) {
        input.changes.push(Changes {
            title: format!("Bounds of {}, beside those of {}", record.new, record.old),
            caption: "The upper bound of each entry, in percent of the old one.".to_owned(),
            unit: "% of the old bound",
            rows,
        });
    }
    for one in record.entries.iter().filter(|one| !one.lines.is_empty()) {
        input.changes.push(Changes {
            title: format!("{}: {}", one.name, lines_of(one)),
            caption: format!("What lines of {} add, the new version less the old one.", one.name),
            unit: "cycles",
            rows: one.lines.iter().map(line).collect(),
        });
    }
}

fn answer(record: &Compare) -> Answer {
    let (tone, verdict) = match record.verdict {
        Verdict::Within => (Tone::Good, "no bound rises too much"),
        Verdict::Unknown => (Tone::Open, "a bound is missing"),
        Verdict::Gone => (Tone::Bad, "an entry is gone"),
        Verdict::Worse => (Tone::Bad, "a bound rises too much"),
    };
    // Without a limit nothing is too much.
    let verdict = match (record.verdict, record.worse_than) {
        (Verdict::Within, None) => "all bounds known",
        _ => verdict,
    };
    let largest = record.entries.iter().filter(|one| one.percent.is_some());
    let largest = largest.max_by(|a, b| a.percent.unwrap_or(0.0).total_cmp(&b.percent.unwrap_or(0.0)));
    let said = Said {
        tone,
        verdict: verdict.to_owned(),
        number: largest.map_or_else(String::new, |one| {
            format!("{}, {}", one.percent.map_or_else(String::new, in_percent), one.name)
        }),
        gap: None,
        file: String::new(),
    };
    let mut facts = vec![("old", record.old.clone()), ("new", record.new.clone())];
    facts.extend(record.worse_than.map(|most| ("may rise", format!("by {most}%"))));
    let count = |wanted: Change| record.entries.iter().filter(|one| one.change == wanted).count();
    let counts =
        Change::ALL.into_iter().map(|change| (change, count(change))).filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts.map(|(change, count)| format!("{count} {}", change.name())).collect();
    facts.push(("bounds", counts.join(", ")));
    let mut tables = vec![AnswerTable {
        heads: vec!["entry", "is", "old", "new", "change"],
        texts: 2,
        rows: record.entries.iter().map(|one| entry(one, record.worse_than)).collect(),
    }];
    tables.extend(record.entries.iter().filter(|one| !one.lines.is_empty()).map(lines));
    let errors = record.entries.iter().flat_map(|one| {
        let errors = [("old", &one.old_error), ("new", &one.new_error)];
        errors.into_iter().filter_map(|(version, error)| {
            Some(format!("{}, {version} version, has no bound: {}", one.name, error.as_ref()?))
        })
    });
    let notes = record.entries.iter().flat_map(|one| {
        let differs =
            one.differs.iter().map(|differs| format!("{}: {}: {}", one.name, differs.what, differs.says()));
        differs.chain(one.notes.iter().map(|note| format!("{}: {note}", one.name)))
    });
    Answer {
        subject: Subject::Comparisons,
        title: format!("{} since {}", record.new, record.old),
        said,
        facts,
        tables,
        notes: errors.chain(notes).collect(),
    }
}

fn entry(one: &Compared, worse_than: Option<f64>) -> Vec<String> {
    vec![
        one.name.clone(),
        change(one, worse_than),
        number(one.old.as_ref(), &one.unit),
        number(one.new.as_ref(), &one.unit),
        one.percent.map_or_else(String::new, in_percent),
    ]
}

/// What a line is: a place of the source, or an instruction.
fn place(line: &LineChange) -> String {
    let at = |line: Option<u32>| line.map_or_else(|| "-".to_owned(), |line| line.to_string());
    match &line.file {
        Some(file) => format!("{file}:{}", at(line.new_line.or(line.old_line))),
        None => line.instruction.clone().unwrap_or_else(|| "(in a function)".to_owned()),
    }
}

fn lines(one: &Compared) -> AnswerTable {
    let at = |line: Option<u32>| line.map_or_else(|| "-".to_owned(), |line| line.to_string());
    let row = |line: &LineChange| {
        vec![
            one.name.clone(),
            place(line),
            at(line.old_line),
            at(line.new_line),
            cycles(&line.old),
            cycles(&line.new),
            signed(&line.change),
            line.percent.map_or_else(String::new, in_percent),
        ]
    };
    AnswerTable {
        heads: vec!["entry", "line", "old line", "new line", "old cycles", "new cycles", "change", "%"],
        texts: 2,
        rows: one.lines.iter().map(row).collect(),
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
