//! Partitions of multiprocessors, or why there are none.

use std::collections::BTreeMap;

use crate::commands::rests;
use crate::commands::time::in_numbers;
use crate::text::several;
use warpspan_figures::{Answer, AnswerTable, Column, Partitioned, Partitioning, Said, Share, Subject, Tone};
use warpspan_records::Partition;
use warpspan_records::partition::{Part, Task, Verdict};

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
    let mut facts = rests::rows(&record.assumptions);
    facts.extend([("test", record.test.name().to_owned()), ("found by", record.method.clone())]);
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

/// The partitions that are drawn; none where there are none, and of records that do not name the tasks.
pub(in crate::commands) fn partitioned(record: &Partition) -> Option<Partitioned> {
    let used = record.used.filter(|_| !record.tasks.is_empty())?;
    let tasks: BTreeMap<&str, &Task> = record.tasks.iter().map(|task| (task.name.as_str(), task)).collect();
    let share = |part: &Part, name: &String| {
        let (task, execution) = (tasks.get(name.as_str())?, part.execution.get(name)?);
        Some(Share {
            name: name.clone(),
            kind: task.kind,
            conflict: part.conflict.get(name).is_some_and(|&conflict| conflict),
            utilisation: execution.as_f64()? / task.period.as_f64().filter(|period| *period > 0.0)?,
            times: format!("{execution} of {}, deadline {}", task.period, task.deadline),
        })
    };
    let column = |part: &Part| Column {
        multiprocessors: part.multiprocessors,
        tasks: part.tasks.iter().filter_map(|name| share(part, name)).collect(),
    };
    let divided = match (&record.slices, &record.mechanism) {
        (Some(slices), _) => format!(" in slices of {}", slices.multiprocessors),
        (None, Some(mechanism)) => format!(" by {}", mechanism.name),
        (None, None) => String::new(),
    };
    let title = format!(
        "{} tasks in {} partitions on {used} of {} multiprocessors{divided}, test {}",
        record.tasks.len(),
        record.partitions.len(),
        record.multiprocessors,
        record.test
    );
    let columns = record.partitions.iter().map(column).collect();
    Some(Partitioned {
        caption: format!("Found by {}. It rests on {}.", record.method, in_numbers(&record.assumptions)),
        drawn: Partitioning { title, multiprocessors: record.multiprocessors, columns },
    })
}
