//! `warpspan solve` on a machine with latency and issue width.

use std::fmt::Write;

use crate::args::Format;
use crate::commands::solve::args::SolveArgs;
use crate::commands::solve::run::watched;
use crate::commands::solve::text::{LINES, ends};
use crate::flags::in_flags;
use crate::instances::Place;
use crate::output::{Target, print};
use crate::record::line_of;
use crate::schedules::write_schedule;
use crate::screen::{chart_width, folded};
use crate::summary::Row;
use crate::text::machine_heading;
use crate::{Exit, Failure};
use warpspan_check::schedule::chart;
use warpspan_kernel::input::{MachineLaunch, OnMachine};
use warpspan_model::limits::{Ending, Stop};
use warpspan_records::Solve;
use warpspan_solver::portfolio::{MachineSolution, Solver};

/// Solves what was asked for on a machine and prints it. The flag says whether it was interrupted; the row is for the
/// table of several instances.
pub(super) fn solve(
    on: &OnMachine,
    place: &Place,
    args: &SolveArgs,
    solver: &Solver<'_>,
    [worst, best]: [Option<Target>; 2],
) -> Result<(Exit, bool, Row), Failure> {
    let solution = watched(&machine_heading(on), solver, |solver| match &on.launch {
        MachineLaunch::Workload(workload) => solver.solve_on_machine(workload),
        MachineLaunch::Grid(grid) => solver.solve_grid_on_machine(grid),
    })?;
    let notes = solution.notes().iter().map(|note| in_flags(&note.message()));
    let notes: Vec<String> = notes.chain(place.notes.iter().cloned()).collect();
    print(&match args.format {
        Format::Text => folded(place.over(&text(on, &solution, &notes))),
        Format::Json => line_of(place, Solve::on_machine(on, &solution, &notes, args.with_schedule))?,
    })?;
    let schedules =
        [(worst, solution.witness(), "--schedule"), (best, solution.best_witness(), "--best-schedule")];
    for (target, witness, flag) in schedules {
        match (target, witness, &on.launch) {
            (None, ..) => {}
            (Some(target), Some(witness), MachineLaunch::Workload(workload)) => {
                write_schedule(target, workload, witness.schedule(), "")?;
            }
            _ => {
                return Err(Failure::usage(format!(
                    "{flag}: there is no schedule to write: no search has found one"
                )));
            }
        }
    }
    let exit = if solution.worst_case().is_exact() { Exit::Done } else { Exit::Limit };
    let warps = match &on.launch {
        MachineLaunch::Workload(workload) => workload.total_warps(),
        MachineLaunch::Grid(grid) => grid.blocks() * grid.warps_per_block(),
    };
    let row = Row::new(warps, solution.worst_case(), solution.elapsed());
    Ok((exit, solution.ending() == Ending::Stopped(Stop::Interrupted), row))
}

/// The result for a person.
fn text(on: &OnMachine, solution: &MachineSolution, notes: &[String]) -> String {
    let mut out = ends(&machine_heading(on), solution.worst_case(), solution.ending());
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name:<11} {text}");
    };
    line("results", &format!("all there by the end of cycle {} at the latest", solution.completion_upper()));
    if let Some(best) = solution.best_case() {
        line("best case", &format!("{best} cycles"));
    }
    line("engine", &format!("{}, {:.3} s", solution.engine(), solution.elapsed().as_secs_f64()));
    for note in notes {
        line("note", note);
    }
    if let (Some(witness), MachineLaunch::Workload(workload)) = (solution.witness(), &on.launch) {
        let rows = workload.total_warps().saturating_add(2);
        let screen = chart_width();
        let cells = witness.makespan().0.saturating_mul(4) / screen as u64 + 1;
        if rows.saturating_mul(cells) <= LINES {
            let _ = write!(out, "\n{}", chart(workload, witness.schedule(), screen));
        } else {
            let (issues, cycles) = (witness.schedule().issues().len(), witness.makespan());
            let _ = writeln!(
                out,
                "schedule    {issues} issues in {cycles} cycles; --schedule FILE.csv or .json writes it"
            );
        }
    }
    out
}
