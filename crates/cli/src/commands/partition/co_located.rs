//! `warpspan partition --co-located`.

use crate::args::partition::{PartitionArgs, PartitionFormat};
use crate::document::shown;
use crate::output::print;
use crate::record::line;
use crate::{Exit, Failure};
use warpspan_document::co_located::{document, rows};
use warpspan_document::words::several;
use warpspan_model::device::Gpu;
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::source::{InputError, name};
use warpspan_partition::{
    Beside, Launch, TaskSet, Test, Together, TogetherError, Undecided, of_cycles_down, one_at_a_time,
    rt_paws, together,
};
use warpspan_records::CoLocated;

pub(super) fn co_located(
    args: &PartitionArgs,
    set: &TaskSet,
    kernels: Vec<(Launch, Gpu)>,
    limits: &Limits,
) -> Result<Exit, Failure> {
    let place = args.file.as_deref().map(name).unwrap_or_default();
    let of_file = |error: TogetherError| failure(&place, error);
    let (kernels, gpus): (Vec<Launch>, Vec<Gpu>) = kernels.into_iter().unzip();
    let found = kernels.len();
    let not_code = || of_file(TogetherError::NotCode { found, tasks: set.tasks().len() });
    let gpu = gpus.first().ok_or_else(not_code)?;
    let mut last = None;
    let mut fits: Option<(usize, Vec<Beside>)> = None;
    let undecided = set.shared().undecided.clone();
    for multiprocessors in 1..=set.multiprocessors() {
        if let Some(why) = &undecided {
            last = Some(format!("undecided, {why}"));
            break;
        }
        match together(set, &kernels, gpu, multiprocessors, limits) {
            Ok(Together::Schedulable(beside)) => {
                fits = Some((multiprocessors, beside));
                break;
            }
            Ok(other) => last = Some(reason(set, &other)),
            Err(TogetherError::Undecided(Undecided::TooLong)) => {
                last = Some("not decided: the bounds do not settle".to_owned());
            }
            Err(error) => return Err(of_file(error)),
        }
    }
    let alone = one_at_a_time(set, Test::NpEdf, limits).map_err(stopped)?;
    let reading = args.reading.unwrap_or_default();
    let observed = match &fits {
        Some((multiprocessors, _)) => {
            rt_paws(set, &kernels, *multiprocessors, reading, limits).map_err(of_file)?
        }
        None => None,
    };
    let observed = observed.zip(gpu.clock);
    let observed =
        observed.map(|(cycles, clock)| cycles.into_iter().map(|one| of_cycles_down(one, clock)).collect());
    let reason = last.filter(|_| fits.is_none());
    let is_read = set.tasks().windows(2).any(|two| two[0].deadline() != two[1].deadline());
    let note = (is_read && observed.is_some()).then(|| reading.note().to_owned());
    let record = CoLocated::new(set, fits, observed, alone, reason).with_notes(note);
    if let Some(task) = record.tasks.iter().find(|task| task.is_refuted()) {
        let message = format!(
            "task {:?} takes {} under RT-PAWS, which is more than its bound; this is a bug, please report it",
            task.name,
            task.rt_paws.as_ref().map(ToString::to_string).unwrap_or_default()
        );
        return Err(Failure::ending(Exit::Disagree, message));
    }
    let exit = if record.used.is_some() { Exit::Done } else { Exit::Limit };
    print(&match args.format {
        PartitionFormat::Text => shown(&record, document)?,
        PartitionFormat::Json => line(record)?,
        PartitionFormat::Csv => csv(&record)?,
    })?;
    Ok(exit)
}

/// Why no deadline is claimed to hold.
fn reason(set: &TaskSet, found: &Together) -> String {
    let m = several(set.multiprocessors() as u64, "multiprocessor");
    match found {
        Together::Late(task) => {
            format!("task {:?} has no bound within its deadline on {m}", set.tasks()[*task].name())
        }
        _ => format!("not all blocks are sure to find room at once on {m}"),
    }
}

fn failure(place: &str, error: TogetherError) -> Failure {
    match error {
        TogetherError::Undecided(Undecided::Stopped(stop)) => stopped(stop),
        TogetherError::Run(error) => error.into(),
        error => InputError::new(place, format!("--co-located: {error}")).into(),
    }
}

fn stopped(stop: Stop) -> Failure {
    Failure::ending(Exit::Limit, format!("stopped by {} before an answer was known", stop.name()))
}

fn csv(record: &CoLocated) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns = ["task", "kind", "blocks", "deadline", "period", "response", "alone", "rt_paws"];
    writer.write_record(columns).map_err(Failure::internal)?;
    for row in rows(record) {
        writer.write_record(row).map_err(Failure::internal)?;
    }
    if let Some(reason) = &record.reason {
        tell!("not found: {reason}");
    }
    let bytes = writer.into_inner().map_err(Failure::internal)?;
    String::from_utf8(bytes).map_err(Failure::internal)
}
