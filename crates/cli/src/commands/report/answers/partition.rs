//! Partitions of multiprocessors, or why there are none.

use crate::text::several;
use warpspan_figures::{Answer, AnswerTable, Said, Subject, Tone};
use warpspan_records::Partition;
use warpspan_records::partition::Verdict;

pub(in crate::commands::report) fn partition(record: &Partition) -> Answer {
    let mut rows = Vec::new();
    for (number, part) in (1..).zip(&record.partitions) {
        for task in &part.tasks {
            let conflict = part.conflict.get(task).is_some_and(|&conflict| conflict);
            rows.push(vec![
                task.clone(),
                if conflict { "yes" } else { "no" }.to_owned(),
                number.to_string(),
                part.multiprocessors.to_string(),
                super::maybe(part.execution.get(task)),
            ]);
        }
    }
    let (tone, verdict) = match record.verdict {
        Verdict::Schedulable => (Tone::Good, "schedulable"),
        Verdict::NotFound => (Tone::Open, "none found"),
        Verdict::Impossible => (Tone::Bad, "impossible"),
    };
    let number = record
        .used
        .map(|used| format!("{used} of {}", several(record.multiprocessors as u64, "multiprocessor")));
    let said = Said {
        tone,
        verdict: verdict.to_owned(),
        number: number.unwrap_or_default(),
        gap: None,
        file: String::new(),
    };
    let mut facts = vec![("test", record.test.name().to_owned()), ("found by", record.method.clone())];
    if let Some(mechanism) = &record.mechanism {
        facts.push(("set up by", mechanism.name.name().to_owned()));
        facts.extend(mechanism.steps.iter().map(|step| ("first", step.clone())));
        for (number, part) in (1..).zip(&record.partitions) {
            facts.extend(
                part.setup.as_ref().map(|setup| ("then", format!("partition {number}: {}", setup.call))),
            );
        }
    }
    facts.extend(record.reason.clone().map(|reason| ("reason", reason)));
    let names = record.partitions.iter().flat_map(|part| part.tasks.iter().map(String::as_str));
    let names = super::names(names);
    Answer {
        subject: Subject::Partitions,
        title: if names.is_empty() { format!("tasks by {}", record.test.name()) } else { names },
        said,
        facts,
        tables: vec![AnswerTable {
            heads: vec!["task", "conflict", "partition", "multiprocessors", "execution"],
            texts: 2,
            rows,
        }],
        notes: record.notes.clone(),
    }
}
