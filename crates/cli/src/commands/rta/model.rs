//! `warpspan rta` of an AMALTHEA model.

use std::path::Path;

use serde::Serialize;

use crate::commands::rta::{args::RtaArgs, run::exit};
use crate::document::answer;
use crate::output::{Target, extension};
use crate::{Exit, Failure};
use warpspan_amalthea::{Model, analyse, annotate, read_model};
use warpspan_document::rta::model::document;
use warpspan_model::source::escaped;
use warpspan_records::rta::Meets;
use warpspan_records::{RtaModel, rta_model};

/// Whether a file is an AMALTHEA model: by its name, or because it is XML.
pub(super) fn is_model(file: &Path, text: &str) -> bool {
    extension(file) == "amxmi" || text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
}

/// Refuses flags that are for models alone.
pub(super) fn refuse_its_flags(args: &RtaArgs) -> Result<(), Failure> {
    let given = [
        ("--chain", !args.chain.is_empty()),
        ("--at-offsets", args.at_offsets),
        ("--annotate", args.annotate.is_some()),
        ("--csv", args.csv.is_some()),
    ];
    refuse(&given, "is for AMALTHEA models: want a file that ends in .amxmi")
}

pub(super) fn refuse(given: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::usage(format!("{flag} {why}"))),
        None => Ok(()),
    }
}

pub(super) fn run(args: &RtaArgs, place: &str, text: &str) -> Result<Exit, Failure> {
    let given = [
        ("--method", args.method.is_some()),
        ("--horizon", args.horizon.is_some()),
        ("--schedule", args.schedule.is_some()),
        ("--certificate", args.certificate.is_some()),
        ("--with-schedule", args.with_schedule),
        ("--margins", args.margins),
    ];
    refuse(&given, "is for kernels on a GPU: an AMALTHEA model does not take it")?;
    let mut model = read_model(place, text)?;
    model.at_offsets = args.at_offsets;
    for names in &args.chain {
        add_chain(&mut model, names)?;
    }
    let open = |path: &Option<_>, ending: &str| -> Result<Option<Target>, Failure> {
        path.as_ref().map(|path: &std::path::PathBuf| Target::with_ending(path, &[ending])).transpose()
    };
    if args.annotate.as_ref().is_some_and(|out| {
        std::fs::canonicalize(out).ok().is_some_and(|out| {
            args.file.as_ref().and_then(|file| std::fs::canonicalize(file).ok()) == Some(out)
        })
    }) {
        return Err(Failure::usage("--annotate names the model itself: want another file"));
    }
    let (annotated, table) = (open(&args.annotate, "amxmi")?, open(&args.csv, "csv")?);
    let analysis = analyse(&model);
    let record = RtaModel::new(&model, &analysis);
    if let Some(target) = annotated {
        let text = annotate(place, text, &analysis)?;
        target.write(|_, out| out.write_all(text.as_bytes()))?;
    }
    if let Some(target) = table {
        target.write(|_, out| {
            let mut table = csv::Writer::from_writer(out);
            for task in &record.tasks {
                table.serialize(Row::new(task)).map_err(std::io::Error::other)?;
            }
            table.flush()
        })?;
    }
    answer(args.format, record, |record| document(record, args.explain))?;
    Ok(exit(analysis.verdict))
}

/// Adds the chain of `--chain` to a model.
fn add_chain(model: &mut Model, names: &str) -> Result<(), Failure> {
    let number = |name: &str| {
        let found = model.tasks.iter().position(|task| task.name == name);
        found.ok_or_else(|| {
            Failure::usage(format!("--chain {names}: {name:?} is no task of the model: want its name"))
        })
    };
    let tasks = names.split(',').map(|name| number(name.trim())).collect::<Result<Vec<usize>, Failure>>()?;
    model.add_chain(names, tasks);
    Ok(())
}

/// A row of the table; times in milliseconds, an empty field where there is none.
#[derive(Serialize)]
struct Row {
    task: String,
    units: String,
    execution_lower_ms: Option<String>,
    execution_upper_ms: Option<String>,
    response_least_ms: Option<String>,
    worst_case_at_least_ms: Option<String>,
    response_bound_ms: Option<String>,
    deadline_ms: Option<String>,
    meets: Meets,
    reason: Option<String>,
}

impl Row {
    fn new(task: &rta_model::Task) -> Self {
        let text = |number: &Option<serde_json::Number>| number.as_ref().map(ToString::to_string);
        Self {
            task: escaped(&task.name),
            units: escaped(&task.units.join(" ")),
            execution_lower_ms: text(&task.execution_lower),
            execution_upper_ms: text(&task.execution_upper),
            response_least_ms: text(&task.response_least),
            worst_case_at_least_ms: text(&task.worst_case_at_least),
            response_bound_ms: text(&task.response_bound),
            deadline_ms: text(&task.deadline),
            meets: task.meets,
            reason: task.reason.as_deref().map(escaped),
        }
    }
}
