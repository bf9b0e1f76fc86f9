//! What `rta` tells of an AMALTHEA model.

use serde_json::Number;

use super::{UNDECIDED, begun, bounds_checked};
use crate::words::{decimals, last, maybe, names, several};
use crate::{Document, Table};
use warpspan_records::RtaModel;
use warpspan_records::rta::{Meets, VerdictBy};
use warpspan_records::rta_model::Activated;

/// The answer; with `explain` also the steps of each task.
pub fn document(record: &RtaModel, explain: bool) -> Document {
    let names = names(record.tasks.iter().map(|task| task.name.as_str()));
    let mut out = begun("rta-model", names, record.verdict, &verdict(record));
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
    for finding in &record.findings {
        let kind = if finding.warning { "warning" } else { "note" };
        out.fact(kind, format!("line {}: {}", finding.line, finding.what));
    }
    out.facts("assumes", &record.assumes);
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

fn tasks(record: &RtaModel) -> Table {
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
    let mut table = Table::new(header, [2, 3, 4, 5, 7, 8, 9]);
    for task in &record.tasks {
        let period = match task.activation {
            Activated::Recurring | Activated::Never => maybe(&task.period),
            Activated::Once | Activated::Triggered => task.activation.name().to_owned(),
        };
        table.row(vec![
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
        ]);
    }
    table.judging(6)
}

fn chains(record: &RtaModel) -> Table {
    let header = [
        "chain",
        "limit",
        "meets",
        "implicit",
        "implicit, at the offsets",
        "LET bound",
        "LET, at the offsets",
    ];
    let mut table = Table::new(header, [1, 3, 4, 5, 6]);
    for chain in &record.chains {
        let implicit = format!("{} to {}", maybe(&chain.implicit_lower), maybe(&chain.implicit_upper));
        table.row(vec![
            chain.name.clone(),
            maybe(&chain.limit),
            chain.meets.to_string(),
            implicit,
            maybe(&chain.implicit_upper_at_offsets),
            maybe(&chain.let_upper),
            maybe_range(chain.let_lower_at_offsets.as_ref(), chain.let_upper_at_offsets.as_ref()),
        ]);
    }
    table.judging(2)
}

fn steps(record: &RtaModel) -> Table {
    let mut table = Table::new(["task", "step", "ticks", "accesses to labels"], [2, 3]);
    for task in &record.tasks {
        for step in &task.steps {
            table.row([
                task.name.clone(),
                step.name.clone(),
                range(&step.ticks_lower, &step.ticks_upper),
                range(&step.access_lower, &step.access_upper),
            ]);
        }
    }
    table
}
