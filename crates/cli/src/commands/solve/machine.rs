//! The result of `warpspan solve` on a machine with latency and issue width, for a person.

use std::fmt::Write;

use crate::commands::solve::text::{LINES, ends};
use crate::screen::chart_width;
use crate::text::machine_heading;
use warpspan_check::schedule::chart;
use warpspan_kernel::input::{MachineLaunch, OnMachine};
use warpspan_solver::portfolio::Solution;

/// The result for a person.
pub(super) fn text(on: &OnMachine, solution: &Solution, notes: &[String]) -> String {
    let mut out = ends(&machine_heading(on), solution.worst_case(), solution.ending());
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name:<11} {text}");
    };
    if let Some(completion) = solution.completion_upper() {
        line("results", &format!("all there by the end of cycle {completion} at the latest"));
    }
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
