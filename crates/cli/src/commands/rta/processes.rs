//! `warpspan rta` of several processes on one GPU.

use crate::args::rta::{RtaArgs, refuse};
use crate::commands::rta::exit::exit;
use crate::commands::rta::processes_reason::{reason_of_kernel, reason_of_task};
use crate::document::answer;
use crate::margins::{NumbersOf, toml_of};
use crate::{Exit, Failure};
use warpspan_document::rta::processes::document;
use warpspan_model::limits::Limits;
use warpspan_records::RtaProcesses;
use warpspan_rta::processes::{TaskSet, examine, is_tasks, kernels, read_tasks};
use warpspan_rta::{Kernels, Shared, System, read_examiner_kernels, read_kernels};

/// What a file holds.
pub(super) enum Read {
    /// Kernels of one process.
    One(Box<System>),
    /// Several processes.
    Several(Several),
}

/// What several processes run.
pub(super) enum Several {
    /// Tasks with CPU and GPU segments, each a process.
    Tasks(TaskSet),
    /// Kernels that take turns.
    Kernels(Box<Shared>),
}

/// Reads TOML, or JSON of the examiner.
pub(super) fn read(place: &str, text: &str) -> Result<Read, Failure> {
    let kernels = if text.trim_start().starts_with('{') {
        read_examiner_kernels(place, text)?
    } else if is_tasks(text) {
        return Ok(Read::Several(Several::Tasks(read_tasks(place, text)?)));
    } else {
        read_kernels(place, text)?
    };
    Ok(match kernels {
        Kernels::One(system) => Read::One(Box::new(system)),
        Kernels::Shared(shared) => Read::Several(Several::Kernels(Box::new(shared))),
    })
}

/// Prints bounds and a verdict; no run is simulated.
pub(super) fn run(args: &RtaArgs, (place, text): (&str, &str), several: &Several) -> Result<Exit, Failure> {
    let given = [
        ("--method", args.method.is_some()),
        ("--horizon", args.horizon.is_some()),
        ("--schedule", args.schedule.is_some()),
        ("--certificate", args.certificate.is_some()),
        ("--with-schedule", args.with_schedule),
        ("--explain", args.explain),
    ];
    refuse(&given, "is for the kernels of one process: several processes have bounds alone")?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let mut record = answer_of(several, &limits);
    if args.margins {
        let judge = |text: &str| {
            let Read::Several(several) = read(place, text)? else {
                return Err(Failure::internal("a file with other numbers is of several processes too"));
            };
            let other = answer_of(&several, &limits);
            Ok((other.verdict, other.assumptions))
        };
        let (unit, system) = match several {
            Several::Tasks(set) => (set.unit(), None),
            Several::Kernels(shared) => (shared.system().unit(), Some(shared.system())),
        };
        let mut notes = Vec::new();
        let found = (record.verdict, &mut record.assumptions, &mut notes);
        NumbersOf { file: toml_of(text)?, unit: Some(unit), system }.add(found, &limits, judge)?;
        notes.iter().for_each(|note| tell!("{note}"));
    }
    let verdict = record.verdict;
    answer(args.format, record, document)?;
    Ok(exit(verdict))
}

fn answer_of(several: &Several, limits: &Limits) -> RtaProcesses {
    match several {
        Several::Tasks(set) => {
            let examined = examine(set);
            RtaProcesses::of_tasks(set, &examined, |task| reason_of_task(set, &examined, task))
        }
        Several::Kernels(shared) => {
            let (verdict, outcomes) = kernels::examine(shared, limits);
            let reason = |kernel| reason_of_kernel(shared, &outcomes, kernel);
            RtaProcesses::of_kernels(shared, verdict, &outcomes, reason)
        }
    }
}
