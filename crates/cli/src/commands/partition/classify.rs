//! `warpspan partition --classify`.

use std::path::Path;

use crate::args::partition::{PartitionArgs, PartitionFormat};
use crate::document::shown;
use crate::output::{Target, print};
use crate::record::line;
use crate::{Exit, Failure};
use warpspan_document::classes::{Cells, document};
use warpspan_model::source::{bytes, name};
use warpspan_partition::{Classes, Classified, Unwritten, read_measured, tasks_file};
use warpspan_records::PartitionClasses;

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
        PartitionFormat::Text => shown(&found, document)?,
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
