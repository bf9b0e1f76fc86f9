//! What `rta` tells of an AMALTHEA model.

use serde_json::Number;

use super::{UNDECIDED, begun, bounds_checked};
use crate::words::{decimals, last, maybe, names, several};
use crate::{Document, Table};
use warpspan_records::RtaModel;
use warpspan_records::rta::{Meets, VerdictBy};
use warpspan_records::rta_model::{Activated, Task};

/// The answer; with `explain` also the steps of each task.
pub fn document(record: &RtaModel, explain: bool) -> Document {
    let names = names(record.tasks.iter().map(|task| task.name.as_str()));
    let mut out = begun("rta-model", names, record.verdict, &says(record));
    out.rests_on(&record.assumptions);
    let used = record.units.iter().filter(|unit| record.tasks.iter().any(|task| task.units.contains(unit)));
    out.line(format!(
        "AMALTHEA {}: {} on {} of {}; times in ms",
        last(&record.namespace),
        several(record.tasks.len() as u64, "task"),
        used.count(),
        several(record.units.len() as u64, "processing unit"),
    ));
    out.fact("checked", bounds_checked("bounds", &record.checked));
    out.gap();
    out.table(tasks(record));
    if !record.chains.is_empty() {
        out.gap();
        out.table(chains(record));
    }
    if explain {
        out.gap();
        out.table(steps(record));
    }
    out.gap();
    let reasons = record.tasks.iter().map(|task| (&task.name, &task.reason));
    let reasons = reasons.chain(record.chains.iter().map(|chain| (&chain.name, &chain.reason)));
    out.facts("note", reasons.filter_map(|(name, reason)| Some(format!("{name}: {}", reason.as_ref()?))));
    out.facts("note", &record.notes);
    for finding in &record.findings {
        let kind = if finding.warning { "warning" } else { "note" };
        out.fact(kind, format!("line {}: {}", finding.line, finding.what));
    }
    out
}

fn says(record: &RtaModel) -> String {
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
        (Some(_), ..) => "proved: by the bounds, of all jobs".to_owned(),
        (None, ..) => UNDECIDED.to_owned(),
    }
}

/// Both ends, or one where they are equal.
fn range(lower: &Number, upper: &Number) -> String {
    if lower == upper { decimals(upper) } else { format!("{} to {}", decimals(lower), decimals(upper)) }
}

/// The same of what may not be known.
fn maybe_range(lower: &Option<Number>, upper: &Option<Number>) -> Option<String> {
    lower.as_ref().zip(upper.as_ref()).map(|(lower, upper)| range(lower, upper))
}

fn tasks(record: &RtaModel) -> Table {
    let period = |task: &Task| match task.activation {
        Activated::Recurring | Activated::Never => maybe(&task.period),
        Activated::Once | Activated::Triggered => task.activation.name().to_owned(),
    };
    Table::of(&record.tasks)
        .words("task", |task| task.name.clone())
        .words("on", |task| task.units.join(" "))
        .number("priority", |task| task.priority.map(|priority| priority.to_string()))
        .number("period", period)
        .number("execution", |task| maybe_range(&task.execution_lower, &task.execution_upper))
        .number("deadline", |task| task.deadline.clone())
        .verdict("meets", |task| task.deadline.as_ref().map_or("-", |_| task.meets.name()))
        .number("least response", |task| task.response_least.clone())
        .number("worst case at least", |task| task.worst_case_at_least.clone())
        .number("response bound", |task| task.response_bound.clone())
        .into()
}

fn chains(record: &RtaModel) -> Table {
    Table::of(&record.chains)
        .words("chain", |chain| chain.name.clone())
        .number("limit", |chain| chain.limit.clone())
        .verdict("meets", |chain| chain.meets.name())
        .number("implicit", |chain| {
            format!("{} to {}", maybe(&chain.implicit_lower), maybe(&chain.implicit_upper))
        })
        .number("implicit, at the offsets", |chain| chain.implicit_upper_at_offsets.clone())
        .number("LET bound", |chain| chain.let_upper.clone())
        .number("LET, at the offsets", |chain| {
            maybe_range(&chain.let_lower_at_offsets, &chain.let_upper_at_offsets)
        })
        .into()
}

fn steps(record: &RtaModel) -> Table {
    let steps = record.tasks.iter().flat_map(|task| task.steps.iter().map(move |step| (task, step)));
    Table::of(&steps.collect::<Vec<_>>())
        .words("task", |(task, _)| task.name.clone())
        .words("step", |(_, step)| step.name.clone())
        .number("ticks", |(_, step)| range(&step.ticks_lower, &step.ticks_upper))
        .number("accesses to labels", |(_, step)| range(&step.access_lower, &step.access_upper))
        .into()
}
