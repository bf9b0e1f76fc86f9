//! What `partition` tells.

use crate::words::{decimals, names, several};
use crate::{Document, Said, Table, Text, Tone};
use warpspan_records::Partition;
use warpspan_records::partition::{PartSetup, Verdict};

/// The columns of a task.
pub const COLUMNS: [&str; 8] =
    ["task", "kind", "partition", "multiprocessors", "conflict", "execution", "deadline", "period"];

/// The tasks of all partitions, a row each, with how it is said whether others can be in conflict.
pub fn rows(found: &Partition, [yes, no]: [&'static str; 2]) -> impl Iterator<Item = [String; 8]> {
    (1..).zip(&found.partitions).flat_map(move |(number, part): (usize, _)| {
        part.tasks.iter().filter_map(move |name| {
            let task = found.tasks.iter().find(|task| task.name == *name)?;
            Some([
                task.name.clone(),
                task.kind.to_string(),
                number.to_string(),
                part.multiprocessors.to_string(),
                if *part.conflict.get(name)? { yes } else { no }.to_owned(),
                decimals(part.execution.get(name)?),
                decimals(&task.deadline),
                decimals(&task.period),
            ])
        })
    })
}

/// The answer.
pub fn document(found: &Partition) -> Document {
    let (tone, word) = match found.verdict {
        Verdict::Schedulable => (Tone::Proved, "schedulable"),
        Verdict::NotFound => (Tone::Undecided, "none found"),
        Verdict::Impossible => (Tone::Refuted, "impossible"),
    };
    let all = several(found.multiprocessors, "multiprocessor");
    let number = found.used.map_or_else(String::new, |used| format!("{used} of {all}"));
    let said = Said::new(tone, word, number);
    let names = names(found.partitions.iter().flat_map(|part| part.tasks.iter().map(String::as_str)));
    let title = if names.is_empty() { format!("tasks by {}", found.test) } else { names };
    let mut out = Document::new("partition", title, said, 9);
    let left = |unused: usize| if unused == 0 { String::new() } else { format!(" ({unused} left over)") };
    let slices = found.slices.map_or_else(String::new, |slices| {
        let (count, left) = (several(slices.count, "slice"), left(slices.unused));
        format!(" in {count} of {}{left}", slices.multiprocessors)
    });
    let mechanism = found
        .mechanism
        .as_ref()
        .map_or_else(String::new, |mechanism| format!(" by {}{}", mechanism.name, left(mechanism.unused)));
    let tasks = several(found.tasks.len(), "task");
    let asked = format!("{tasks} on {all}{slices}{mechanism}; {}, test {}", found.method, found.test);
    let reason = found.reason.as_deref().unwrap_or_default();
    match found.verdict {
        Verdict::Schedulable => {
            let parts = several(found.partitions.len(), "partition");
            let used = several(found.used.unwrap_or_default(), "multiprocessor");
            let verdict = Text::default().toned(tone, "schedulable");
            out.line(verdict.then(format!(": {parts} on {used}, verified")));
            out.rests_on_code(&found.assumptions);
            out.line(asked);
            out.gap();
            let mut table = Table::new(COLUMNS, []);
            rows(found, ["yes", "no"]).for_each(|row| table.row(row));
            out.table(table);
            setup(&mut out, found);
        }
        Verdict::NotFound => {
            out.line(Text::verdict(format!("not found: {reason}; other partitions may do")));
            out.line(asked);
        }
        Verdict::Impossible => {
            out.line(Text::verdict(format!("impossible: {reason}")));
            out.rests_on_code(&found.assumptions);
            out.line(asked);
        }
    }
    for note in &found.notes {
        out.gap();
        out.line(format!("note: {note}"));
    }
    out
}

/// What sets the partitions up.
fn setup(out: &mut Document, found: &Partition) {
    let parts: Vec<&PartSetup> = found.partitions.iter().filter_map(|part| part.setup.as_ref()).collect();
    let Some(mechanism) = found.mechanism.as_ref().filter(|_| !parts.is_empty()) else { return };
    out.gap();
    if !mechanism.steps.is_empty() {
        mechanism.steps.iter().for_each(|step| out.line(format!("first: {step}")));
        out.gap();
    }
    let has_tpcs = parts.iter().any(|part| part.tpcs.is_some());
    let has_profile = parts.iter().any(|part| part.profile.is_some());
    let columns = [("partition", true), ("TPCs", has_tpcs), ("instance", has_profile), ("set up by", true)];
    let shown = |all: [String; 4]| {
        all.into_iter()
            .zip(columns)
            .filter(|(_, (_, is_shown))| *is_shown)
            .map(|(cell, _)| cell)
            .collect::<Vec<_>>()
    };
    let mut table = Table::new(shown(columns.map(|(head, _)| head.to_owned())), []);
    for (number, part) in (1..).zip(&parts) {
        let tpcs = part.tpcs.map(
            |[first, last]| {
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            },
        );
        let profile = part.profile.clone().unwrap_or_default();
        table.row(shown([format!("{number}"), tpcs.unwrap_or_default(), profile, part.call.clone()]));
    }
    out.table(table);
}
