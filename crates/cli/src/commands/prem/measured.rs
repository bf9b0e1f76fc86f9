//! `warpspan prem --measured`: measured times compared with the schedule and its bound.

use std::fmt::Write;
use std::path::Path;

use crate::args::Format;
use crate::output::print;
use crate::record::{in_text, line};
use crate::table::table;
use crate::{Exit, Failure};
use warpspan_document::prem::time;
use warpspan_document::words::several;
use warpspan_model::source::{InputError, name, text_of};
use warpspan_prem::{Execution, Schedule, compare, read_measured};
use warpspan_records::PremMeasured;

/// Reads the measured times and prints them with those of the schedule. The exit code is 5 if they refute the bound, or
/// what it assumes; 3 if there is no bound.
pub(super) fn run(
    path: &Path,
    schedule: &Schedule,
    execution: Option<Execution>,
    format: Format,
) -> Result<Exit, Failure> {
    let place = name(path);
    let measured = read_measured(&place, &text_of(path, "measured times, in JSON")?)?;
    let compared = compare(&measured, schedule, execution).map_err(|what| InputError::new(&place, what))?;
    let found = PremMeasured::new(&compared, schedule);
    let exit = match found.execution_ns {
        _ if found.exceeds || found.breaks => Exit::Refuted,
        None => Exit::Limit,
        Some(_) => Exit::Done,
    };
    print(&match format {
        Format::Text => in_text(&found, text)?,
        Format::Json => line(found)?,
    })?;
    Ok(exit)
}

fn text(found: &PremMeasured) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<12} {text}");
    };
    line("measured", format!("{} on average of {}", time(found.mean_ns), several(found.runs, "run")));
    let range = format!("{} to {} ns", found.shortest_ns, found.longest_ns);
    let timer = found.timer_ns.map_or_else(String::new, |timer| format!(", on a timer of {timer} ns"));
    line("", format!("{range}, jitter {:.3} percent{timer}", found.jitter_percent));
    line("planned", format!("{}: no bound", time(found.planned_ns)));
    match found.execution_ns {
        Some(execution) => {
            line("execution", format!("at most {} from the launch,", time(execution)));
            if let Some(assumption) = found.assumption {
                line("", format!("if {}", assumption.text()));
            }
        }
        None => line("execution", "no bound".to_owned()),
    }
    if found.exceeds {
        let over = found.longest_ns.saturating_sub(found.execution_ns.unwrap_or_default());
        line("REFUTED", format!("a run took {over} ns longer than the bound: what it assumes does not hold"));
    }
    for times in found.phases.iter().filter(|times| times.above > 0) {
        let granted = times.granted_ns.unwrap_or_default();
        let many = several(times.above, times.phase.name());
        line("REFUTED", format!("{many} took longer than the {granted} ns that the bound assumes"));
    }
    if let Some(overlaps) = found.overlaps {
        let (pairs, within) = (several(overlaps.between_kernels, "pair"), overlaps.within_kernels);
        line("overlaps", format!("{pairs} of memory phases of different kernels, {within} of the same"));
        let most = several(overlaps.most_at_once, "block");
        line("", format!("up to {most} in memory phases at one time"));
    }
    if found.phases.is_empty() {
        line("phases", "not recorded".to_owned());
        return out;
    }
    let header =
        ["ns", "shortest", "median", "mean", "longest", "after the first tile", "file", "for the bound"];
    let mut table = table(header, 1..8);
    for times in &found.phases {
        let or_dash = |ns: Option<u64>| ns.map_or_else(|| "-".to_owned(), |ns| ns.to_string());
        table.add_row([
            times.phase.to_string(),
            times.shortest_ns.to_string(),
            times.median_ns.to_string(),
            times.mean_ns.to_string(),
            times.longest_ns.to_string(),
            or_dash(times.longest_later_ns),
            times.planned_ns.to_string(),
            or_dash(times.granted_ns),
        ]);
    }
    let _ = writeln!(out, "\n{table}");
    out
}
