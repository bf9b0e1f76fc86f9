//! `warpspan rta` of an AMALTHEA model.

use std::path::Path;

use num_rational::Ratio;
use serde::Serialize;

use crate::args::rta::{RtaArgs, refuse};
use crate::commands::rta::exit::exit;
use crate::document::answer;
use crate::margins::LONGEST;
use crate::output::{Target, extension};
use crate::{Exit, Failure};
use warpspan_amalthea::{Activation, Analysis, Model, analyse, annotate, read_model, rests_on};
use warpspan_document::rta::model::document;
use warpspan_kernel::input::key;
use warpspan_model::assumption::Id;
use warpspan_model::source::escaped;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_records::assumption::listed;
use warpspan_records::margin::{Judged, Quantity, add_margins};
use warpspan_records::rta::Meets;
use warpspan_records::{RtaModel, rta_model};
use warpspan_rta::Verdict;

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

pub(super) fn run(args: &RtaArgs, place: &str, text: &str) -> Result<Exit, Failure> {
    let given = [
        ("--method", args.method.is_some()),
        ("--horizon", args.horizon.is_some()),
        ("--schedule", args.schedule.is_some()),
        ("--certificate", args.certificate.is_some()),
        ("--with-schedule", args.with_schedule),
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
    let mut record = RtaModel::new(&model, &analysis);
    if args.margins && analysis.verdict != Verdict::Refuted {
        let limits = args.limits.limits().map_err(Failure::internal)?;
        let judge = |model: &Model| {
            let analysis = analyse(model);
            let assumptions = listed(rests_on(model, &analysis), key);
            let judged = Judged { proved: analysis.verdict == Verdict::Proved, assumptions };
            Ok::<_, Failure>(limits.stopped().is_none().then_some(judged))
        };
        let proved = analysis.verdict == Verdict::Proved;
        let found = (proved, &mut record.assumptions, &mut record.notes);
        add_margins(found, &model, quantities(&model, &analysis), judge)?;
    }
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

/// The longest times that jobs run, and the times between jobs, unless an event chain has a limit: its data waits for later jobs, so that
/// more time between them makes its latency longer.
fn quantities(model: &Model, analysis: &Analysis) -> Vec<Quantity<Model>> {
    let shown = |time| format!("{} ms", TimeUnit::Milliseconds.write(Duration(time)));
    let is_limited = model.chains.iter().any(|chain| chain.limit.is_some());
    let mut all = Vec::new();
    for (number, (task, found)) in model.tasks.iter().zip(&analysis.tasks).enumerate() {
        if let Some(now) = found.execution.map(|range| range.upper.0).filter(|&now| now > 0) {
            let with = move |model: &mut Model, time: u64| {
                model.tasks[number].stretch = Ratio::new(time.into(), now.into());
            };
            all.push(Quantity::new(&[Id::ExecutionGiven], [1, now, LONGEST], with, shown));
        }
        if let (Activation::Recurring { period, .. }, false) = (task.activation, is_limited) {
            let with = move |model: &mut Model, time: u64| {
                if let Activation::Recurring { period, longest, .. } = &mut model.tasks[number].activation {
                    (*longest, *period) = (Duration(time.max(longest.0)), Duration(time));
                }
            };
            all.push(Quantity::new(&[Id::LaunchArrivals], [LONGEST, period.0, 1], with, shown));
        }
    }
    all
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
