//! Bounds and estimates of an instance, with the evidence of each.

use crate::subject::title;
use crate::text::several;
use warpspan_figures::{Answer, AnswerTable, Said, Subject, Tone};
use warpspan_records::Bound;
use warpspan_records::bound::{Row, Side};

pub(in crate::commands::report) fn bound(record: &Bound) -> Answer {
    let checked = |row: &Row| match (row.safe, row.evidence) {
        (true, Some(basis)) => basis.checked.name(),
        (true, None) => "unknown",
        (false, _) => "NOT SAFE",
    };
    let row = |row: &Row| {
        let side = match row.side {
            Side::Upper => "upper",
            Side::Lower => "lower",
            Side::Estimate => "estimate",
        };
        vec![
            row.name.clone(),
            side.to_owned(),
            checked(row).to_owned(),
            row.source.clone(),
            row.value.to_string(),
        ]
    };
    let lower = record.lower;
    let (number, gap) = match record.upper {
        Some(upper) if upper == lower => (several(upper, "cycle"), Some(0.0)),
        Some(upper) => (format!("{lower} to {}", several(upper, "cycle")), Some(super::gap(lower, upper))),
        None => (format!("{} or more", several(lower, "cycle")), None),
    };
    let known = record.upper == Some(lower);
    let said = Said {
        tone: if known { Tone::Good } else { Tone::Open },
        verdict: if known { "exact" } else { "bounded" }.to_owned(),
        number,
        gap,
        file: String::new(),
    };
    let skipped =
        record.skipped.iter().map(|skipped| format!("{} is not used: {}", skipped.name, skipped.why));
    Answer {
        subject: Subject::Bounds,
        title: title(&record.instance),
        said,
        facts: Vec::new(),
        tables: vec![AnswerTable {
            heads: vec!["bound", "side", "checked", "source", "cycles"],
            texts: 4,
            rows: record.bounds.iter().map(row).collect(),
        }],
        notes: skipped.chain(record.notes.iter().cloned()).collect(),
    }
}
