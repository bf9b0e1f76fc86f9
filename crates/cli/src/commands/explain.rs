//! `warpspan explain`.

use crate::args::explain::{ExplainArgs, WarpArg};
use crate::document::answer_at;
use crate::instances::named;
use crate::output::extension;
use crate::place::Place;
use crate::{Exit, Failure};
use warpspan_check::schedule::file::{self, Form};
use warpspan_check::schedule::{Activity, Launch, Named, replay};
use warpspan_document::explain::document;
use warpspan_kernel::input::{Asked, MachineLaunch};
use warpspan_model::assumption::Rests;
use warpspan_model::source::{InputError, bytes, name};
use warpspan_records::explain::of_solve;
use warpspan_records::{Explain, Record, read};
use warpspan_sweep::lines;

pub(crate) fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let content = bytes(&args.file)?;
    let is_record = content.trim_ascii_start().starts_with(b"{");
    let found = if is_record { of_records(args, &content)? } else { vec![(None, of_file(args, &content)?)] };
    let beside = found.len() > 1;
    let mut exit = Exit::Done;
    for (line, record) in found {
        let place = Place { file: Some(name(&args.file)), line, beside, rests: Rests::default() };
        if record.is_refuted() {
            exit = Exit::Disagree;
        }
        answer_at(&place, args.format, record, document)?;
    }
    Ok(exit)
}

/// What there is to say of each line.
fn of_records(args: &ExplainArgs, content: &[u8]) -> Result<Vec<(Option<usize>, Explain)>, Failure> {
    let place = name(&args.file);
    if args.instance.is_some() || args.flags.name_something() || args.grid.blocks.is_some() {
        return Err(InputError::new(place, "a record carries its instance: name no other").into());
    }
    let mut found = Vec::new();
    for (number, line) in lines(content) {
        let wrong = |what: String| InputError { place: place.clone(), line: Some(number), what: what.into() };
        let unknown = |error: warpspan_records::ReadError| wrong(error.to_string());
        let record = if args.cycle.is_some() || args.warp.is_some() {
            let Record::Solve(solve) = read(line).map_err(unknown)? else {
                return Err(wrong(
                    "--cycle and --warp ask for a schedule: want a record of solve that has one".to_owned(),
                )
                .into());
            };
            let none = "the record has no schedule: want one of solve --with-schedule";
            let activity = of_solve(&solve.record).unwrap_or_else(|| Err(none.to_owned())).map_err(wrong)?;
            Explain { of: solve.schema, ..moment(&activity, args)? }
        } else {
            Explain::of(line).map_err(unknown)?.ok_or_else(|| {
                wrong(
                    "such a record holds no number that is explained: want one of solve, bound, simulate, extract, compare, sweep, rta, time, budget, prem \
                     or partition, or a schedule"
                        .to_owned(),
                )
            })?
        };
        found.push((Some(number), record));
    }
    Ok(found)
}

/// What there is to say of a schedule file.
fn of_file(args: &ExplainArgs, content: &[u8]) -> Result<Explain, Failure> {
    let place = name(&args.file);
    let json = extension(&args.file) == "json" || content.trim_ascii_start().starts_with(b"[");
    let wrong = |error: &dyn std::fmt::Display| Failure::from(InputError::new(&place, error.to_string()));
    let paths = "the code has branches or loops: want a --group for each path that the schedule is of";
    let asked = named(args.instance.as_ref(), &args.flags, &args.grid)?;
    let launch = match &asked {
        Asked::Workload(workload) => Launch::from(workload.instance().ok_or_else(|| wrong(&paths))?),
        Asked::Grid(of) => Launch::from(of),
        Asked::OnMachine(on) => {
            let MachineLaunch::Workload(workload) = &on.launch else {
                return Err(wrong(&"blocks that follow one another on a machine have no schedules"));
            };
            workload.lines().ok_or_else(|| wrong(&paths))?;
            Launch::from(workload)
        }
    };
    let form = if json { Form::Json } else { Form::Csv };
    let schedule = file::read(launch, form, content).map_err(|error| wrong(&error))?;
    let witness = replay(launch, schedule).map_err(|error| wrong(&error))?;
    let activity = Activity::of(launch, &witness).ok_or_else(|| wrong(&paths))?;
    moment(&activity, args)
}

/// What is asked of a schedule: a cycle, or how the cycles of a warp divide.
fn moment(activity: &Activity, args: &ExplainArgs) -> Result<Explain, Failure> {
    let warp = args.warp.map(|warp| found(activity, warp)).transpose()?;
    let Some(cycle) = args.cycle else {
        return Ok(Explain::of_schedule(activity, warp.unwrap_or_else(|| activity.last())));
    };
    let makespan = activity.makespan();
    if cycle > makespan {
        return Err(Failure::usage(format!(
            "--cycle {cycle}: the schedule takes {makespan} cycles: want 1 to {makespan}"
        )));
    }
    Ok(match warp {
        Some(warp) => Explain::of_cycle(activity, cycle, std::iter::once(warp)),
        None => Explain::of_cycle(activity, cycle, 0..activity.warps()),
    })
}

/// The warp that was asked for.
fn found(activity: &Activity, WarpArg { of, number }: WarpArg) -> Result<usize, Failure> {
    let want = match (activity.named(), of) {
        (Named::Warp, None) => {
            return activity.find(1, number).ok_or_else(|| none(activity, &number.to_string()));
        }
        (_, Some(of)) => {
            return activity.find(of, number).ok_or_else(|| none(activity, &format!("{of}:{number}")));
        }
        (Named::Group, None) => "there are several groups: want GROUP:WARP",
        (Named::Block, None) => "it is a schedule of blocks: want BLOCK:WARP",
    };
    Err(Failure::usage(format!("--warp {number}: {want}")))
}

fn none(activity: &Activity, asked: &str) -> Failure {
    let last = activity.name(activity.warps().saturating_sub(1));
    Failure::usage(format!("--warp {asked}: there is no such warp in the schedule, whose last one is {last}"))
}
