//! The schedules that `solve` draws and writes.

use crate::Failure;
use crate::output::Target;
use crate::schedules::write_schedule;
use crate::subject::title;
use warpspan_check::schedule::{Launch, Lines};
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
