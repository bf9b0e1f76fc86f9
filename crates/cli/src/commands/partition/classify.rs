//! `warpspan partition --classify`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::partition::args::{PartitionArgs, PartitionFormat};
use crate::output::{Target, print};
use crate::record::line;
use crate::screen::folded;
use crate::table::table;
use crate::text::several;
use crate::{Exit, Failure};
use warpspan_model::source::{bytes, name};
use warpspan_partition::{
    Classes, Classified, Residual, Tolerance, Unwritten, read_measured, tasks_file, write_time,
};
use warpspan_records::PartitionClasses;

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
    let notes = notes(&classes);
    print(&match args.format {
        PartitionFormat::Text => folded(text(&classes, &notes)),
        PartitionFormat::Json => line(PartitionClasses::new(&classes, notes))?,
        PartitionFormat::Csv => csv(&classes)?,
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

/// The cells of a task.
struct Cells {
    task: String,
    kind: String,
    from: String,
    fit: [String; 3],
    off: [String; 2],
    curve: [String; 2],
}

fn cells(classes: &Classes) -> impl Iterator<Item = Cells> {
    classes.times.tasks().iter().zip(&classes.tasks).map(|(task, class)| {
        let from = match class.classified {
            Classified::Memory { from } => from.to_string(),
            Classified::Compute | Classified::Unclear { .. } => String::new(),
        };
        let (fit, curve) = (class.fit, class.curve);
        let off = |residual: Option<Residual>| {
            residual.map_or_else(
                || if fit.is_some() { "0".to_owned() } else { String::new() },
                |at| format!("{} on {}", write_time(at.off), at.multiprocessors),
            )
        };
        let or_none = |text: Option<String>| text.unwrap_or_default();
        Cells {
            task: task.name().to_owned(),
            kind: class.classified.kind().map_or_else(|| "unclear".to_owned(), |kind| kind.to_string()),
            from,
            fit: [
                or_none(fit.map(|fit| write_time(fit.a))),
                or_none(fit.map(|fit| write_time(fit.b))),
                or_none(fit.and_then(|fit| fit.k).map(|k| format!("{k:.6}"))),
            ],
            off: [off(fit.and_then(|fit| fit.longer)), off(fit.and_then(|fit| fit.shorter))],
            curve: [
                or_none(curve.map(|curve| write_time(curve.b))),
                or_none(curve.and_then(|curve| curve.k).map(|k| k.to_string())),
            ],
        }
    })
}

fn text(classes: &Classes, notes: &[String]) -> String {
    let times = &classes.times;
    let mut out = format!(
        "{}, {} measured on up to {}; tolerance {} percent\n\n",
        several(times.tasks().len(), "task"),
        several(times.count(), "time"),
        several(times.multiprocessors(), "multiprocessor"),
        classes.tolerance.percent()
    );
    let header = ["task", "kind", "hardly faster from", "fit: a", "b", "k", "longest above", "longest below"];
    let mut fits = table(header, 2..8);
    let mut curves = table(["task", "curve above all: a", "b", "k"], 1..4);
    for cells in cells(classes) {
        let [a, b, k] = cells.fit;
        let [above, below] = cells.off;
        let [curve_b, curve_k] = cells.curve;
        let curve_a = if curve_b.is_empty() { String::new() } else { a.clone() };
        curves.add_row([cells.task.clone(), curve_a, curve_b, curve_k]);
        fits.add_row([cells.task, cells.kind, cells.from, a, b, k, above, below]);
    }
    let _ = writeln!(out, "{fits}\n\n{curves}");
    let header = ["task", "co-running", "conflict", "multiprocessors", "alone", "together", "factor"];
    let mut beside = table(header, 3..7);
    let name = |number: usize| times.tasks()[number].name().to_owned();
    for (number, class) in classes.tasks.iter().enumerate() {
        for one in &class.beside {
            beside.add_row([
                name(number),
                name(one.other),
                one.conflict.map_or("unclear", |conflict| if conflict { "yes" } else { "no" }).to_owned(),
                one.multiprocessors.to_string(),
                write_time(one.alone),
                write_time(one.time),
                format!("{:.3}", one.factor()),
            ]);
        }
    }
    if classes.tasks.iter().any(|class| !class.beside.is_empty()) {
        let _ = writeln!(out, "\n{beside}");
    }
    for note in notes {
        let _ = writeln!(out, "\nnote: {note}");
    }
    out
}

/// A line for each task.
fn csv(classes: &Classes) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns =
        ["task", "kind", "hardly_faster_from", "fit_a", "fit_b", "fit_k", "above_all_b", "above_all_k"];
    writer.write_record(columns).map_err(Failure::internal)?;
    for cells in cells(classes) {
        let [a, b, k] = cells.fit;
        let [curve_b, curve_k] = cells.curve;
        let row = [cells.task, cells.kind, cells.from, a, b, k, curve_b, curve_k];
        writer.write_record(row).map_err(Failure::internal)?;
    }
    let bytes = writer.into_inner().map_err(Failure::internal)?;
    String::from_utf8(bytes).map_err(Failure::internal)
}
