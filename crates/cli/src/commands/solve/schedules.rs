//! The schedules that `solve` draws and writes.

use crate::Failure;
use crate::output::Target;
use crate::schedules::write_schedule;
use crate::screen::chart_width;
use warpspan_check::schedule::{Launch, Lines, Schedule, chart, chart_size};
use warpspan_document::Part;
use warpspan_document::subject::title;
use warpspan_kernel::input::{Asked, MachineLaunch};
use warpspan_solver::portfolio::Solution;

/// The launch that schedules are of; none for programs without a schedule, and for grids on machines.
pub(super) fn launch<'a>(asked: &'a Asked, solution: &'a Solution) -> Option<Launch<'a>> {
    match asked {
        Asked::Workload(workload) => {
            workload.instance().or(solution.lines().map(Lines::instance)).map(Launch::from)
        }
        Asked::Grid(grid) => Some(Launch::from(grid)),
        Asked::OnMachine(on) => match &on.launch {
            MachineLaunch::Workload(workload) => Some(Launch::from(workload)),
            MachineLaunch::Grid(_) => None,
        },
    }
}

/// The most lines a chart may take.
const LINES: u64 = 60;

/// The chart of a schedule, or how large it is and how to write it where it does not fit the screen.
pub(super) fn charted(launch: Launch<'_>, schedule: &Schedule) -> Part {
    let (rows, width) = chart_size(launch, schedule);
    let screen = chart_width();
    if (rows as u64 + 2).saturating_mul((width / screen) as u64 + 1) <= LINES {
        return Part::Chart(format!("\n{}", chart(launch, schedule, screen)));
    }
    let files = match launch {
        Launch::Machine(_) => ".csv or .json", // schedules on machines are not drawn
        Launch::Instance(_) | Launch::Grid(_) => ".csv, .json or .svg",
    };
    let cycles = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let issues = schedule.issues().len();
    let what = format!("{issues} issues in {cycles} cycles; --schedule FILE{files} writes it");
    Part::Fact("schedule".to_owned(), what.into())
}

/// Writes the schedules that are asked for.
pub(super) fn write_schedules(
    asked: &Asked,
    solution: &Solution,
    worst: Option<Target>,
    best: Option<Target>,
) -> Result<(), Failure> {
    let launch = launch(asked, solution);
    let on_machine = matches!(asked, Asked::OnMachine(_));
    let none = |flag: &str| {
        let why = if on_machine {
            "no search has found one"
        } else {
            "it is too large (raise --memory-limit), or a grid runs a program"
        };
        Failure::usage(format!("{flag}: there is no schedule to write: {why}"))
    };
    let both =
        [(worst, solution.witness(), "--schedule"), (best, solution.best_witness(), "--best-schedule")];
    for (target, witness, flag) in both {
        let Some(target) = target else { continue };
        let Some((launch, witness)) = launch.zip(witness) else {
            if flag == "--best-schedule" && !on_machine && launch.is_some() {
                tell!("--best-schedule: nothing written, a limit was reached before it was found");
                continue;
            }
            return Err(none(flag));
        };
        let title = format!("{}: {} cycles", title(&asked.into()), witness.makespan());
        write_schedule(target, launch, witness.schedule(), &title)?;
    }
    Ok(())
}
