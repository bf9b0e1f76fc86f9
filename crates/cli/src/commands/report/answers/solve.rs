//! Worst cases: the interval, and the evidence of its two ends.

use crate::subject::title;
use crate::text::several;
use warpspan_figures::{Answer, Said, Subject, Tone};
use warpspan_records::Solve;
use warpspan_records::solve::{Basis, Verdict};

pub(in crate::commands::report) fn solve(record: &Solve) -> Answer {
    let &Solve { lower, upper, .. } = record;
    let is_exact = record.verdict == Verdict::Exact;
    let behind = |basis: Option<&Basis>| {
        let basis = basis.and_then(|basis| serde_json::to_value(basis).ok());
        let word = |key: &str| Some(basis.as_ref()?.get(key)?.as_str()?.to_owned());
        word("name").zip(word("checked"))
    };
    let end = |cycles: u64, basis: Option<&Basis>| match behind(basis) {
        Some((name, checked)) => format!("{}: {name}; checked: {checked}", several(cycles, "cycle")),
        None => several(cycles, "cycle"),
    };
    let mut facts = vec![
        ("at least", end(lower, record.evidence.lower.as_ref())),
        ("at most", end(upper, record.evidence.upper.as_ref())),
        ("engine", record.engine.clone()),
    ];
    facts.extend(record.best_case.map(|best| ("best case", several(best, "cycle"))));
    let word = |value: Option<serde_json::Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    let stop = record.stop.as_ref().and_then(|stop| serde_json::to_value(stop).ok());
    facts.extend(word(stop).map(|stop| ("stopped by", stop)));
    let why = record.not_exact.as_ref().and_then(|why| serde_json::to_value(why).ok());
    facts.extend(word(why).map(|why| ("not exact", why)));
    let said = Said {
        tone: if is_exact { Tone::Good } else { Tone::Open },
        verdict: if is_exact { "exact" } else { "bounded" }.to_owned(),
        number: if is_exact {
            several(upper, "cycle")
        } else {
            format!("{lower} to {}", several(upper, "cycle"))
        },
        gap: Some(super::gap(lower, upper)),
        file: String::new(),
    };
    Answer {
        subject: Subject::Worst,
        title: title(&record.instance),
        said,
        facts,
        tables: Vec::new(),
        notes: record.notes.clone(),
    }
}
