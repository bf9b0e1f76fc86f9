//! Drawings of partitions of multiprocessors.

use std::collections::BTreeMap;

use warpspan_document::assumptions::in_numbers;
use warpspan_figures::{Column, Paper, Partitioning, Share, Shows, Sketch, partitioning};
use warpspan_records::Partition;
use warpspan_records::partition::{Part, Task};

/// The partitions that are drawn, and what is known of them in a sentence; none where there are none, and of records that do not name the tasks.
pub(in crate::commands) fn partitioned(record: &Partition) -> Option<(Partitioning, String)> {
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
    let drawn = Partitioning { title, multiprocessors: record.multiprocessors, columns };
    Some((drawn, format!("Found by {}. It rests on {}.", record.method, in_numbers(&record.assumptions))))
}

/// The figure of a record.
pub(in crate::commands::report) fn partition(record: &Partition) -> Option<Sketch> {
    let (drawn, caption) = partitioned(record)?;
    let title = drawn.title.clone();
    let draw = Box::new(move |paper: &Paper| partitioning(&drawn, paper));
    Some(Sketch { section: Shows::Partitioning, interest: 0, title, caption, points: None, draw })
}
