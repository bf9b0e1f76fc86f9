//! The analysis of an AMALTHEA model for a person to read.

use std::fmt::Write;

use crate::screen;
use crate::table::{Sheet, judged, table as table_of};
use crate::text::several;
use warpspan_amalthea::{Activation, Analysis, Model, Range, StepTime, assumes};
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_rta::{Basis, DeadlineMet};

/// The whole of it; with `explain` also the steps of each task.
pub(super) fn text(model: &Model, analysis: &Analysis, explain: bool) -> String {
    let version = model.namespace.rsplit('/').next().unwrap_or_default();
    let used = (0..model.units.len()).filter(|unit| model.tasks.iter().any(|task| task.units.contains(unit)));
    let mut out = format!(
        "schedulable {}\nAMALTHEA {version}: {} on {} of {}; times in ms\n\n",
        screen::verdict(&verdict(model, analysis)),
        several(model.tasks.len() as u64, "task"),
        used.count(),
        several(model.units.len() as u64, "processing unit"),
    );
    let _ = writeln!(out, "{}", tasks(model, analysis));
    if !model.chains.is_empty() {
        let _ = writeln!(out, "\n{}", chains(model, analysis));
    }
    if explain {
        let _ = writeln!(out, "\n{}", steps(model, analysis));
    }
    let _ = writeln!(out);
    for (task, result) in model.tasks.iter().zip(&analysis.tasks) {
        if let Some(reason) = &result.reason {
            let _ = writeln!(out, "note        {}: {reason}", task.name);
        }
    }
    for (chain, result) in model.chains.iter().zip(&analysis.chains) {
        if let Some(reason) = &result.reason {
            let _ = writeln!(out, "note        {}: {reason}", chain.name);
        }
    }
    for finding in &model.findings {
        let kind = if finding.is_warning { "warning" } else { "note" };
        let _ = writeln!(out, "{kind:<11} line {}: {}", finding.line, finding.what);
    }
    for sentence in assumes(model) {
        let _ = writeln!(out, "assumes     {sentence}");
    }
    out
}

fn verdict(model: &Model, analysis: &Analysis) -> String {
    let late = analysis.tasks.iter().position(|task| task.meets == DeadlineMet::No);
    let chain = analysis.chains.iter().position(|chain| chain.meets == DeadlineMet::No);
    match (analysis.by, late, chain) {
        (Some(Basis::LeastResponse), Some(late), _) => {
            format!(
                "refuted: no job of {} that takes its upper ticks can meet its deadline",
                model.tasks[late].name
            )
        }
        (Some(Basis::LeastResponse), None, Some(chain)) => {
            format!("refuted: no reaction along {} can keep its limit", model.chains[chain].name)
        }
        (Some(Basis::Overload), ..) => {
            let unit = analysis.overloaded.map_or("a unit", |unit| model.units[unit].name.as_str());
            format!(
                "refuted: in the long run {unit} is asked for more than it can do, so deadlines are missed"
            )
        }
        (Some(_), ..) => {
            let limited = model.chains.iter().any(|chain| chain.limit.is_some());
            let at =
                if model.at_offsets && limited { ", if jobs arrive at the offsets of the model" } else { "" };
            format!("proved{at}: by the bounds, all jobs, whatever ticks they take up to the upper ones")
        }
        (None, ..) => {
            "undecided: that all deadlines are met is not proved, nor that one is missed".to_owned()
        }
    }
}

fn ms(time: Duration) -> String {
    TimeUnit::Milliseconds.write(time)
}

fn maybe(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), ms)
}

/// Both ends, or one where they are equal.
fn range(range: Option<Range<Duration>>) -> String {
    match range {
        Some(Range { lower, upper }) if lower == upper => ms(upper),
        Some(Range { lower, upper }) => format!("{} to {}", ms(lower), ms(upper)),
        None => "-".to_owned(),
    }
}

fn tasks(model: &Model, analysis: &Analysis) -> Sheet {
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
    for (task, result) in model.tasks.iter().zip(&analysis.tasks) {
        let units: Vec<&str> = task.units.iter().map(|&unit| model.units[unit].name.as_str()).collect();
        let period = match task.activation {
            Activation::Recurring { period, .. } => ms(period),
            Activation::Once => "once".to_owned(),
            Activation::Triggered(_) => "triggered".to_owned(),
            Activation::Never => "-".to_owned(),
        };
        table.add_row(judged(
            vec![
                task.name.clone(),
                units.join(" "),
                task.priority.to_string(),
                period,
                range(result.execution),
                maybe(task.deadline),
                result.meets.name().to_owned(),
                maybe(result.least),
                maybe(result.worst_lower),
                maybe(result.bound),
            ],
            Some(6),
        ));
    }
    table
}

fn chains(model: &Model, analysis: &Analysis) -> Sheet {
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
    for (chain, result) in model.chains.iter().zip(&analysis.chains) {
        let implicit = format!("{} to {}", maybe(result.implicit_lower), maybe(result.implicit_upper));
        table.add_row(judged(
            vec![
                chain.name.clone(),
                maybe(chain.limit),
                result.meets.name().to_owned(),
                implicit,
                maybe(result.implicit_upper_at_offsets),
                maybe(result.let_upper),
                range(result.let_at_offsets),
            ],
            Some(2),
        ));
    }
    table
}

fn steps(model: &Model, analysis: &Analysis) -> Sheet {
    let mut table = table_of(["task", "step", "ticks", "accesses to labels"], [2, 3]);
    for (task, result) in model.tasks.iter().zip(&analysis.tasks) {
        for StepTime { name, execution, access } in &result.steps {
            table.add_row([task.name.clone(), name.clone(), range(Some(*execution)), range(Some(*access))]);
        }
    }
    table
}
