//! What `partition --classify` tells.

use serde_json::Number;

use crate::words::{decimals, names, several};
use crate::{Document, Said, Table, Tone};
use warpspan_records::PartitionClasses;
use warpspan_records::partition_classes::ClassifiedTask;

/// A task in the table of fits and in the table of curves.
pub struct Cells {
    /// What it is.
    pub kind: String,
    /// From how many multiprocessors on it is hardly faster.
    pub from: String,
    /// a, b and k of the fit.
    pub fit: [String; 3],
    /// By how much the fit is too short and too long.
    pub off: [String; 2],
    /// a, b and k of the curve above all times.
    pub curve: [String; 3],
}

impl From<&ClassifiedTask> for Cells {
    fn from(task: &ClassifiedTask) -> Self {
        let off = |by: &Number, on: Option<usize>| {
            on.map_or_else(|| "0".to_owned(), |on| format!("{} on {on}", decimals(by)))
        };
        let k = |k: &Option<Number>| k.as_ref().map_or_else(String::new, decimals);
        // the fit is an estimate, whose k is told to the same six decimals everywhere
        let six = |k: &Option<Number>| {
            k.as_ref().and_then(Number::as_f64).map_or_else(String::new, |k| format!("{k:.6}"))
        };
        let fit = task.fit.as_ref();
        Self {
            kind: task.kind.map_or_else(|| "unclear".to_owned(), |kind| kind.to_string()),
            from: task.hardly_faster_from.map_or_else(String::new, |from| from.to_string()),
            fit: fit.map_or_else(Default::default, |fit| [decimals(&fit.a), decimals(&fit.b), six(&fit.k)]),
            off: fit.map_or_else(Default::default, |fit| {
                [off(&fit.longer_by, fit.longer_on), off(&fit.shorter_by, fit.shorter_on)]
            }),
            curve: task
                .above_all
                .as_ref()
                .map_or_else(Default::default, |curve| [decimals(&curve.a), decimals(&curve.b), k(&curve.k)]),
        }
    }
}

/// The answer.
pub fn document(found: &PartitionClasses) -> Document {
    let (count, times) = (several(found.tasks.len(), "task"), several(found.measured, "time"));
    let on = several(found.multiprocessors, "multiprocessor");
    let said = Said::new(Tone::Proved, "classified", &count);
    let title = names(found.tasks.iter().map(|task| task.task.as_str()));
    let mut out = Document::new("partition-classes", title, said, 0);
    let tolerance = found.tolerance_percent;
    out.line(format!("{count}, {times} measured on up to {on}; tolerance {tolerance} percent"));
    out.gap();
    let tasks: Vec<(&ClassifiedTask, Cells)> = found.tasks.iter().map(|task| (task, task.into())).collect();
    out.table(
        Table::of(&tasks)
            .words("task", |(task, _)| task.task.clone())
            .words("kind", |(_, cells)| cells.kind.clone())
            .number("hardly faster from", |(_, cells)| cells.from.clone())
            .number("fit: a", |(_, cells)| cells.fit[0].clone())
            .number("b", |(_, cells)| cells.fit[1].clone())
            .number("k", |(_, cells)| cells.fit[2].clone())
            .number("longest above", |(_, cells)| cells.off[0].clone())
            .number("longest below", |(_, cells)| cells.off[1].clone()),
    );
    out.gap();
    out.table(
        Table::of(&tasks)
            .words("task", |(task, _)| task.task.clone())
            .number("curve above all: a", |(_, cells)| cells.curve[0].clone())
            .number("b", |(_, cells)| cells.curve[1].clone())
            .number("k", |(_, cells)| cells.curve[2].clone()),
    );
    let beside = found.tasks.iter().flat_map(|task| task.beside.iter().map(move |one| (task, one)));
    let beside: Vec<_> = beside.collect();
    if !beside.is_empty() {
        let alone = |task: &ClassifiedTask, on| {
            let alone = task.alone.iter().find(|alone| alone.multiprocessors == on);
            alone.map_or_else(String::new, |alone| decimals(&alone.time))
        };
        out.gap();
        out.table(
            Table::of(&beside)
                .words("task", |(task, _)| task.task.clone())
                .words("co-running", |(_, one)| one.beside.clone())
                .words("conflict", |(_, one)| match one.conflict {
                    None => "unclear",
                    Some(true) => "yes",
                    Some(false) => "no",
                })
                .number("multiprocessors", |(_, one)| one.multiprocessors)
                .number("alone", |(task, one)| alone(task, one.multiprocessors))
                .number("together", |(_, one)| one.time.clone())
                .number("factor", |(_, one)| format!("{:.3}", one.factor.as_f64().unwrap_or_default())),
        );
    }
    for note in &found.notes {
        out.gap();
        out.line(format!("note: {note}"));
    }
    out
}
