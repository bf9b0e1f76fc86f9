//! `warpspan prem --measured`: measured times compared with the schedule and its bound.

use std::fmt::Write;
use std::path::Path;

use crate::args::Format;
use crate::commands::prem::text::time;
use crate::output::print;
use crate::record::line;
use crate::screen::folded;
use crate::table::table;
use crate::text::several;
use crate::{Exit, Failure};
use warpspan_model::source::{InputError, name, text_of};
use warpspan_model::time::Nanoseconds;
use warpspan_prem::{Compared, Execution, Schedule, compare, planned_end, read_measured};
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
    print(&match format {
        Format::Text => folded(text(&compared, schedule)),
        Format::Json => line(PremMeasured::new(&compared, schedule))?,
    })?;
    Ok(match execution {
        _ if compared.exceeds() || compared.breaks() => Exit::Refuted,
        None => Exit::Limit,
        Some(_) => Exit::Done,
    })
}

fn text(compared: &Compared, schedule: &Schedule) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<12} {text}");
    };
    let makespan = compared.makespan;
    line("measured", format!("{} on average of {}", time(makespan.mean), several(makespan.runs, "run")));
    let range = format!("{} to {} ns", makespan.shortest.0, makespan.longest.0);
    line(
        "",
        format!("{range}, jitter {:.3} percent, on a timer of {} ns", makespan.jitter(), compared.timer.0),
    );
    line("planned", format!("{}: no bound", time(planned_end(schedule))));
    match compared.execution {
        Some(execution) => {
            line("execution", format!("at most {} from the launch,", time(execution.time())));
            line("", format!("if {}", execution.assumption().text()));
        }
        None => line("execution", "no bound".to_owned()),
    }
    if compared.exceeds() {
        let over = makespan.longest - compared.execution.map_or(Nanoseconds::ZERO, Execution::time);
        line(
            "REFUTED",
            format!("a run took {} ns longer than the bound: what it assumes does not hold", over.0),
        );
    }
    for times in compared.phases.iter().filter(|times| times.above > 0) {
        let granted = times.granted.unwrap_or_default();
        let many = several(times.above, times.phase.name());
        line("REFUTED", format!("{many} took longer than the {} ns that the bound assumes", granted.0));
    }
    if let Some(crowd) = compared.crowd {
        let pairs = several(crowd.between, "pair");
        line(
            "overlaps",
            format!("{pairs} of memory phases of different kernels, {} of the same", crowd.within),
        );
        line("", format!("up to {} in memory phases at one time", several(crowd.most, "block")));
    }
    if compared.phases.is_empty() {
        line("phases", "not recorded".to_owned());
        return out;
    }
    let header =
        ["ns", "shortest", "median", "mean", "longest", "after the first tile", "file", "for the bound"];
    let mut table = table(header, 1..8);
    for times in &compared.phases {
        let or_dash = |ns: Option<Nanoseconds>| ns.map_or_else(|| "-".to_owned(), |ns| ns.0.to_string());
        table.add_row([
            times.phase.to_string(),
            times.shortest.0.to_string(),
            times.median.0.to_string(),
            times.mean.0.to_string(),
            times.longest.0.to_string(),
            or_dash(times.longest_later),
            times.planned.0.to_string(),
            or_dash(times.granted),
        ]);
    }
    let _ = writeln!(out, "\n{table}");
    out
}
