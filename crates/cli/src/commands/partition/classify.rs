//! `warpspan partition --classify`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Number;

use crate::commands::partition::args::{PartitionArgs, PartitionFormat};
use crate::output::{Target, print};
use crate::record::{in_text, line};
use crate::table::table;
use crate::{Exit, Failure};
use warpspan_document::words::{decimals, several};
use warpspan_model::source::{bytes, name};
use warpspan_partition::{Classes, Classified, Tolerance, Unwritten, read_measured, tasks_file};
use warpspan_records::PartitionClasses;
use warpspan_records::partition_classes::ClassifiedTask;

/// Tasks from measured execution times (Si21 section 3.3).
#[derive(Debug, Args)]
#[command(next_help_heading = "Measured times")]
pub(crate) struct ClassifyArgs {
    /// Measured execution times (.csv): which tasks are memory-intensive, and a, b and k of each
    #[arg(long, value_name = "FILE", group = "writes", conflicts_with_all = ["file", "experiment", "order", "pairs", "baseline", "exact", "test", "time_limit", "memory_limit", "jobs"])]
    pub(crate) classify: Option<PathBuf>,
    /// Gain in percent that counts as none
    #[arg(long, value_name = "PERCENT", default_value = "5", requires = "classify")]
    tolerance: Tolerance,
}

/// Classifies the tasks, prints what was found and writes the file of tasks.
pub(super) fn run(args: &PartitionArgs, path: &Path) -> Result<Exit, Failure> {
    let place = name(path);
    let times = read_measured(&place, &bytes(path)?)?;
    let chart = args.chart.as_ref().map(|path| Target::with_ending(path, &["svg"])).transpose()?;
    let output = args.experiment.output.as_ref();
    let output = output.map(|path| Target::with_ending(path, &["toml"])).transpose()?;
    let classes = times.classify(args.classify.tolerance);
    let found = PartitionClasses::new(&classes, notes(&classes));
    print(&match args.format {
        PartitionFormat::Text => in_text(&found, text)?,
        PartitionFormat::Json => line(found)?,
        PartitionFormat::Csv => csv(&found)?,
    })?;
    #[cfg(feature = "figures")]
    if let Some(chart) = chart {
        let drawing = warpspan_figures::classes(&classes);
        chart.write(|_, out| out.write_all(drawing.as_bytes()))?;
    }
    #[cfg(not(feature = "figures"))]
    drop(chart);
    let file = tasks_file(&classes, &place);
    if let Some(output) = output {
        let text = file.as_ref().map_err(|why: &Unwritten| {
            Failure::ending(Exit::Limit, format!("{place}: no file of tasks is written: {why}"))
        })?;
        output.write(|_, out| out.write_all(text.as_bytes()))?;
    }
    Ok(if file.is_ok() { Exit::Done } else { Exit::Limit })
}

/// The notes to the numbers.
fn notes(classes: &Classes) -> Vec<String> {
    let mut notes = vec![
        "the fit is an estimate by least squares of the longest times: no bound".to_owned(),
        "no measured time is above the curve; it is measured and not proved, and an estimate where nothing was measured"
            .to_owned(),
    ];
    for (task, class) in classes.times.tasks().iter().zip(&classes.tasks) {
        if let Classified::Unclear { want } = class.classified {
            let name = task.name().to_owned();
            notes.push(Unwritten::Unclear { name, want }.to_string());
        }
    }
    notes
}

/// A task in the table of fits and in the table of curves.
struct Cells {
    kind: String,
    from: String,
    fit: [String; 3],
    off: [String; 2],
    curve: [String; 3],
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

fn text(found: &PartitionClasses) -> String {
    let mut out = format!(
        "{}, {} measured on up to {}; tolerance {} percent\n\n",
        several(found.tasks.len(), "task"),
        several(found.measured, "time"),
        several(found.multiprocessors, "multiprocessor"),
        found.tolerance_percent
    );
    let header = ["task", "kind", "hardly faster from", "fit: a", "b", "k", "longest above", "longest below"];
    let mut fits = table(header, 2..8);
    let mut curves = table(["task", "curve above all: a", "b", "k"], 1..4);
    let header = ["task", "co-running", "conflict", "multiprocessors", "alone", "together", "factor"];
    let mut beside = table(header, 3..7);
    for task in &found.tasks {
        let name = || task.task.clone();
        let Cells { kind, from, fit: [a, b, k], off: [above, below], curve } = task.into();
        fits.add_row([name(), kind, from, a, b, k, above, below]);
        let [a, b, k] = curve;
        curves.add_row([name(), a, b, k]);
        for one in &task.beside {
            let alone = task.alone.iter().find(|alone| alone.multiprocessors == one.multiprocessors);
            beside.add_row([
                name(),
                one.beside.clone(),
                one.conflict.map_or("unclear", |conflict| if conflict { "yes" } else { "no" }).to_owned(),
                one.multiprocessors.to_string(),
                alone.map_or_else(String::new, |alone| decimals(&alone.time)),
                decimals(&one.time),
                format!("{:.3}", one.factor.as_f64().unwrap_or_default()),
            ]);
        }
    }
    let _ = writeln!(out, "{fits}\n\n{curves}");
    if found.tasks.iter().any(|task| !task.beside.is_empty()) {
        let _ = writeln!(out, "\n{beside}");
    }
    for note in &found.notes {
        let _ = writeln!(out, "\nnote: {note}");
    }
    out
}

/// A line for each task.
fn csv(found: &PartitionClasses) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns =
        ["task", "kind", "hardly_faster_from", "fit_a", "fit_b", "fit_k", "above_all_b", "above_all_k"];
    writer.write_record(columns).map_err(Failure::internal)?;
    for task in &found.tasks {
        let Cells { kind, from, fit: [a, b, k], curve: [_, curve_b, curve_k], .. } = task.into();
        let row = [task.task.clone(), kind, from, a, b, k, curve_b, curve_k];
        writer.write_record(row).map_err(Failure::internal)?;
    }
    let bytes = writer.into_inner().map_err(Failure::internal)?;
    String::from_utf8(bytes).map_err(Failure::internal)
}
