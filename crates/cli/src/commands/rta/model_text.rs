//! The analysis of an AMALTHEA model for a person to read.

use std::fmt::Write;

use serde_json::Number;

use crate::commands::rests;
use crate::commands::rta::text::{UNDECIDED, checked_line, maybe};
use crate::screen;
use crate::table::{Sheet, judged, table as table_of};
use crate::text::{decimals, several};
use warpspan_records::RtaModel;
use warpspan_records::rta::{Meets, VerdictBy};
use warpspan_records::rta_model::Activated;

/// The whole of it; with `explain` also the steps of each task.
pub(super) fn text(record: &RtaModel, explain: bool) -> String {
    let version = record.namespace.rsplit('/').next().unwrap_or_default();
    let used = record.units.iter().filter(|unit| record.tasks.iter().any(|task| task.units.contains(unit)));
    let mut out = format!(
        "schedulable {}\n{}AMALTHEA {version}: {} on {} of {}; times in ms\n{}\n\n{}\n",
        screen::verdict(&verdict(record)),
        rests::lines(&record.assumptions, 12),
        several(record.tasks.len() as u64, "task"),
        used.count(),
        several(record.units.len() as u64, "processing unit"),
        checked_line("bounds", &record.checked),
        tasks(record)
    );
    if !record.chains.is_empty() {
        let _ = writeln!(out, "\n{}", chains(record));
    }
    if explain {
        let _ = writeln!(out, "\n{}", steps(record));
    }
    let _ = writeln!(out);
    let reasons = record.tasks.iter().map(|task| (&task.name, &task.reason));
    for (name, reason) in reasons.chain(record.chains.iter().map(|chain| (&chain.name, &chain.reason))) {
        if let Some(reason) = reason {
            let _ = writeln!(out, "note        {name}: {reason}");
        }
    }
    for finding in &record.findings {
        let kind = if finding.warning { "warning" } else { "note" };
        let _ = writeln!(out, "{kind:<11} line {}: {}", finding.line, finding.what);
    }
    out
}

fn verdict(record: &RtaModel) -> String {
    let late = record.tasks.iter().find(|task| task.meets == Meets::No);
    let chain = record.chains.iter().find(|chain| chain.meets == Meets::No);
    match (record.by, late, chain) {
        (Some(VerdictBy::LeastResponse), Some(late), _) => {
            format!("refuted: no job of {} that takes its upper ticks can meet its deadline", late.name)
        }
        (Some(VerdictBy::LeastResponse), None, Some(chain)) => {
            format!("refuted: no reaction along {} can keep its limit", chain.name)
        }
        (Some(VerdictBy::Overload), ..) => {
            let unit = record.overloaded.as_deref().unwrap_or("a unit");
            format!(
                "refuted: in the long run {unit} is asked for more than it can do, so deadlines are missed"
            )
        }
        (Some(_), ..) => {
            let limited = record.chains.iter().any(|chain| chain.limit.is_some());
            let at = if record.at_offsets && limited {
                ", if jobs arrive at the offsets of the model"
            } else {
                ""
            };
            format!("proved{at}: by the bounds, all jobs, whatever ticks they take up to the upper ones")
        }
        (None, ..) => UNDECIDED.to_owned(),
    }
}

/// Both ends, or one where they are equal.
fn range(lower: &Number, upper: &Number) -> String {
    if lower == upper { decimals(upper) } else { format!("{} to {}", decimals(lower), decimals(upper)) }
}

/// The same of what may not be known.
fn maybe_range(lower: Option<&Number>, upper: Option<&Number>) -> String {
    lower.zip(upper).map_or_else(|| "-".to_owned(), |(lower, upper)| range(lower, upper))
}

fn tasks(record: &RtaModel) -> Sheet {
    let header = [
        "task",
        "on",
        "priority",
        "period",
        "execution",
        "deadline",
        "meets",
        "least response",
        "worst case at least",
        "response bound",
    ];
    let mut table = table_of(header, [2, 3, 4, 5, 7, 8, 9]);
    for task in &record.tasks {
        let period = match task.activation {
            Activated::Recurring | Activated::Never => maybe(&task.period),
            Activated::Once | Activated::Triggered => task.activation.name().to_owned(),
        };
        table.add_row(judged(
            vec![
                task.name.clone(),
                task.units.join(" "),
                task.priority.map_or_else(|| "-".to_owned(), |priority| priority.to_string()),
                period,
                maybe_range(task.execution_lower.as_ref(), task.execution_upper.as_ref()),
                maybe(&task.deadline),
                task.meets.to_string(),
                maybe(&task.response_least),
                maybe(&task.worst_case_at_least),
                maybe(&task.response_bound),
            ],
            Some(6),
        ));
    }
    table
}

fn chains(record: &RtaModel) -> Sheet {
    let header = [
        "chain",
        "limit",
        "meets",
        "implicit",
        "implicit, at the offsets",
        "LET bound",
        "LET, at the offsets",
    ];
    let mut table = table_of(header, [1, 3, 4, 5, 6]);
    for chain in &record.chains {
        let implicit = format!("{} to {}", maybe(&chain.implicit_lower), maybe(&chain.implicit_upper));
        table.add_row(judged(
            vec![
                chain.name.clone(),
                maybe(&chain.limit),
                chain.meets.to_string(),
                implicit,
                maybe(&chain.implicit_upper_at_offsets),
                maybe(&chain.let_upper),
                maybe_range(chain.let_lower_at_offsets.as_ref(), chain.let_upper_at_offsets.as_ref()),
            ],
            Some(2),
        ));
    }
    table
}

fn steps(record: &RtaModel) -> Sheet {
    let mut table = table_of(["task", "step", "ticks", "accesses to labels"], [2, 3]);
    for task in &record.tasks {
        for step in &task.steps {
            table.add_row([
                task.name.clone(),
                step.name.clone(),
                range(&step.ticks_lower, &step.ticks_upper),
                range(&step.access_lower, &step.access_upper),
            ]);
        }
    }
    table
}
