//! What `solve` tells a person.

use std::fmt::Write;

use crate::commands::rests;
use crate::screen::chart_width;
use crate::subject::{counted, heading, phases};
use crate::text::{condition, end, notes, open, several, worst_case};
use warpspan_check::schedule::{Launch, Schedule, chart, chart_size};
use warpspan_records::Solve;

/// The most lines a chart may take.
const LINES: u64 = 60;

/// The answer, its subject, the evidence of its ends, what else was found, and the schedule as a chart.
pub(super) fn text(found: &Solve, drawn: Option<(Launch<'_>, &Schedule)>) -> String {
    let &Solve { lower, upper, ref evidence, .. } = found;
    let ends = [evidence.lower.map(|basis| (lower, basis)), evidence.upper.map(|basis| (upper, basis))];
    let mut out =
        worst_case(ends, Some(&open(found.stop, found.not_exact)), &condition(found.policy, &found.notes));
    let _ = writeln!(out, "{}\n", heading(&found.instance));
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name:<11} {text}");
    };
    let names = [("at least", &found.lower_from), ("at most", &found.upper_from)];
    for ((name, from), (cycles, basis)) in names.into_iter().zip(ends.into_iter().flatten()) {
        line(name, &end(cycles, basis, from));
    }
    if let Some(completion) = found.completion_upper {
        line("results", &format!("all there by the end of cycle {completion} at the latest"));
    }
    if let Some(best) = found.best_case {
        line("best case", &format!("{best} cycles"));
    }
    line("engine", &format!("{}, {:.3} s", found.engine, found.seconds));
    if let Some(model) = &found.model {
        let (rows, columns, nonzeros) = (model.rows, model.columns, model.nonzeros);
        line("model", &format!("{rows} rows, {columns} columns, {nonzeros} nonzeros"));
    }
    for check in &found.checks {
        let by = match &*check.by {
            "states" => "exhaustive search",
            "ilp" => "the ILP",
            _ => "the phase bound",
        };
        line("cross-check", &format!("{by} {} ({})", check.result.text(), check.detail));
    }
    out.push_str(&rests::lines(&found.assumptions, 12));
    out.push_str(&notes(&found.notes));
    if let Some(phase) = &found.phase {
        out.push_str(&phases(&found.instance, &phase.rates, &phase.labels));
    }
    for line in &found.paths {
        let _ = writeln!(out, "path        {}: {}", several(line.warps, "warp"), counted(&line.kernel));
    }
    if let Some((launch, schedule)) = drawn {
        out.push_str(&charted(launch, schedule));
    }
    out
}

/// The chart of a schedule, or how large it is and how to write it where it does not fit the screen.
fn charted(launch: Launch<'_>, schedule: &Schedule) -> String {
    let (rows, width) = chart_size(launch, schedule);
    let screen = chart_width();
    if (rows as u64 + 2).saturating_mul((width / screen) as u64 + 1) <= LINES {
        return format!("\n{}", chart(launch, schedule, screen));
    }
    let files = match launch {
        Launch::Machine(_) => ".csv or .json", // schedules on machines are not drawn
        Launch::Instance(_) | Launch::Grid(_) => ".csv, .json or .svg",
    };
    let cycles = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let issues = schedule.issues().len();
    format!("schedule    {issues} issues in {cycles} cycles; --schedule FILE{files} writes it\n")
}
