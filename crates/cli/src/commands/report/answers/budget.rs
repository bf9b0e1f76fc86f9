//! Kernels and their deadlines.

use crate::commands::budget::words;
use warpspan_figures::{Answer, AnswerTable, Said, Subject, Tone};
use warpspan_records::budget::Outcome;
use warpspan_records::{Budget, BudgetKernel};

pub(in crate::commands::report) fn budget(record: &Budget) -> Answer {
    let row = |kernel: &BudgetKernel| {
        vec![
            kernel.name.clone(),
            words::verdict(kernel.outcome).to_owned(),
            words::rests_on(kernel),
            words::bound(kernel),
            words::deadline(kernel),
        ]
    };
    let tone = match record.outcome {
        Outcome::Met => Tone::Good,
        Outcome::Undecided | Outcome::NotAccepted => Tone::Open,
        Outcome::Missed | Outcome::Error => Tone::Bad,
    };
    let said = Said {
        tone,
        verdict: words::verdict(record.outcome).to_owned(),
        number: format!("{} of {}", record.count(Outcome::Met), record.kernels.len()),
        gap: None,
        file: String::new(),
    };
    let failed = record.kernels.iter().filter(|kernel| kernel.outcome != Outcome::Met);
    let reasons = failed.filter_map(|kernel| Some((kernel, words::reason(kernel)?)));
    let reason =
        |(kernel, why): (&BudgetKernel, String)| (kernel.outcome.name(), format!("{}: {why}", kernel.name));
    Answer {
        subject: Subject::Deadlines,
        title: record.budget.clone(),
        said,
        facts: std::iter::once(("deadlines", words::summary(record))).chain(reasons.map(reason)).collect(),
        tables: vec![AnswerTable {
            heads: vec!["kernel", "verdict", "rests on", "at most", "deadline"],
            texts: 3,
            rows: record.kernels.iter().map(row).collect(),
        }],
        notes: words::notes(record)
            .into_iter()
            .map(|(name, of, what)| format!("{name}: {of}: {what}"))
            .collect(),
    }
}
