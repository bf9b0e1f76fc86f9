//! What `solve` tells a person.

use std::fmt::Write;

use crate::screen::chart_width as screen_width;
use crate::text::{code, end, grid_heading, heading, phases, several, stop, worst_case};
use warpspan_check::bound::Interval;
use warpspan_check::schedule::{Lines, chart, chart_size};
use warpspan_model::limits::Ending;
use warpspan_model::{Grid, Workload};
use warpspan_solver::portfolio::{EngineName, Solution};

/// The most lines a chart may take.
pub(super) const LINES: u64 = 60;

/// The answer, its subject, and the evidence of its ends.
pub(super) fn ends(heading: &str, worst: Interval, ending: Ending) -> String {
    let (lower, upper) = (worst.lower(), worst.upper());
    let (least, most) = ((lower.cycles(), lower.theorem()), (upper.cycles(), upper.theorem()));
    let first = worst_case([Some(least), Some(most)], Some(stop(ending)));
    let [least, most] = [least, most].map(|(cycles, theorem)| end(cycles, theorem));
    format!("{first}{heading}\n\nat least    {least}\nat most     {most}\n")
}

/// What `solve` found, in lines below the heading.
fn found(workload: &Workload, solution: &Solution, notes: &[String]) -> String {
    let mut out = ends(&heading(workload), solution.worst_case(), solution.ending());
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name:<11} {text}");
    };
    if let Some(best) = solution.best_case() {
        line("best case", &format!("{best} cycles"));
    }
    line("engine", &format!("{}, {:.3} s", solution.engine(), solution.elapsed().as_secs_f64()));
    if let Some(model) = solution.model() {
        line("model", &model.to_string());
    }
    for check in solution.checks() {
        let by = match check.by {
            EngineName::States => "exhaustive search",
            EngineName::Ilp => "the ILP",
            _ => "the phase bound",
        };
        line("cross-check", &format!("{by} {} ({})", check.result.text(), check.detail));
    }
    for note in notes {
        line("note", note);
    }
    out
}

/// The result of `solve`, with the notes on it.
pub(super) fn solution(workload: &Workload, solution: &Solution, notes: &[String]) -> String {
    let mut out = found(workload, solution, notes);
    if let Some(phase) = solution.phase() {
        let rates: Vec<String> = phase.rates.iter().map(ToString::to_string).collect();
        out.push_str(&phases(workload, &rates.join(", "), &phase.labels));
    }
    if let Some(lines) = solution.lines() {
        for line in lines.workload().groups() {
            let _ = writeln!(out, "path        {}: {}", several(line.warps, "warp"), code(&line.code));
        }
    }
    let instance = workload.instance().or(solution.lines().map(Lines::instance));
    if let (Some(instance), Some(witness)) = (instance, solution.witness()) {
        let schedule = witness.schedule();
        let rows = instance.total_warps().saturating_add(2);
        let screen = screen_width();
        let bands = (chart_size(instance, schedule).1 / screen) as u64 + 1;
        if rows.saturating_mul(bands) <= LINES {
            let _ = write!(out, "\n{}", chart(instance, schedule, screen));
        } else {
            let _ = writeln!(
                out,
                "schedule    {} issues in {} cycles; --schedule FILE.csv, .json or .svg writes it",
                schedule.issues().len(),
                witness.makespan()
            );
        }
    }
    out
}

/// The result of `solve` for a grid, with the notes on it.
pub(super) fn grid_solution(of: &Grid, solution: &Solution, notes: &[String]) -> String {
    let mut out = ends(&grid_heading(of), solution.worst_case(), solution.ending());
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name:<11} {text}");
    };
    if let Some(best) = solution.best_case() {
        line("best case", &format!("{best} cycles"));
    }
    line("engine", &format!("{}, {:.3} s", solution.engine(), solution.elapsed().as_secs_f64()));
    for note in notes {
        line("note", note);
    }
    if let Some(witness) = solution.witness() {
        let schedule = witness.schedule();
        let (rows, width) = chart_size(of, schedule);
        let screen = screen_width();
        let lines = (rows as u64 + 2).saturating_mul((width / screen) as u64 + 1);
        if lines <= LINES {
            let _ = write!(out, "\n{}", chart(of, schedule, screen));
        } else {
            let (issues, cycles) = (schedule.issues().len(), witness.makespan());
            let files = "--schedule FILE.csv, .json or .svg writes it";
            let _ = writeln!(out, "schedule    {issues} issues in {cycles} cycles; {files}");
        }
    }
    out
}
