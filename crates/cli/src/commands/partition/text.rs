//! What `warpspan partition` prints for a person, and as CSV.

use std::fmt::Write;

use crate::Failure;
use crate::commands::rests;
use crate::screen::verdict;
use crate::table::table;
use crate::text::{decimals, several};
use warpspan_records::Partition;
use warpspan_records::partition::{PartSetup, Verdict};

const COLUMNS: [&str; 8] =
    ["task", "kind", "partition", "multiprocessors", "conflict", "execution", "deadline", "period"];

/// The tasks of all partitions, a row each, with how it is said whether others can be in conflict.
fn rows(found: &Partition, [yes, no]: [&'static str; 2]) -> impl Iterator<Item = [String; 8]> {
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

pub(super) fn csv(found: &Partition) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(Failure::internal)?;
    rows(found, ["true", "false"]).try_for_each(|row| writer.write_record(row)).map_err(Failure::internal)?;
    let bytes = writer.into_inner().map_err(Failure::internal)?;
    String::from_utf8(bytes).map_err(Failure::internal)
}

pub(super) fn text(found: &Partition) -> String {
    let left = |unused: usize| if unused == 0 { String::new() } else { format!(" ({unused} left over)") };
    let slices = found.slices.map_or_else(String::new, |slices| {
        let (count, left) = (several(slices.count, "slice"), left(slices.unused));
        format!(" in {count} of {}{left}", slices.multiprocessors)
    });
    let mechanism = found
        .mechanism
        .as_ref()
        .map_or_else(String::new, |mechanism| format!(" by {}{}", mechanism.name, left(mechanism.unused)));
    let mut out = format!(
        "{} on {}{slices}{mechanism}; {}, test {}\n\n",
        several(found.tasks.len(), "task"),
        several(found.multiprocessors, "multiprocessor"),
        found.method,
        found.test
    );
    let reason = found.reason.as_deref().unwrap_or_default();
    match found.verdict {
        Verdict::Schedulable => {
            let _ = writeln!(
                out,
                "{}: {} on {}, verified\n{}",
                verdict("schedulable"),
                several(found.partitions.len(), "partition"),
                several(found.used.unwrap_or_default(), "multiprocessor"),
                rests::lines(&found.assumptions, 10)
            );
            let mut table = table(COLUMNS, []);
            rows(found, ["yes", "no"]).for_each(|row| _ = table.add_row(row));
            let _ = writeln!(out, "{table}");
            write_setup(&mut out, found);
        }
        Verdict::NotFound => {
            let _ = writeln!(out, "{}: {reason}; other partitions may do", verdict("not found"));
        }
        Verdict::Impossible => {
            let _ = writeln!(out, "{}: {reason}", verdict("impossible"));
        }
    }
    for note in &found.notes {
        let _ = writeln!(out, "\nnote: {note}");
    }
    out
}

/// What sets the partitions up.
fn write_setup(out: &mut String, found: &Partition) {
    let parts: Vec<&PartSetup> = found.partitions.iter().filter_map(|part| part.setup.as_ref()).collect();
    let Some(mechanism) = found.mechanism.as_ref().filter(|_| !parts.is_empty()) else { return };
    let _ = writeln!(out);
    for step in &mechanism.steps {
        let _ = writeln!(out, "first: {step}");
    }
    if !mechanism.steps.is_empty() {
        let _ = writeln!(out);
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
    let mut table = table(shown(columns.map(|(head, _)| head.to_owned())), []);
    for (number, part) in (1..).zip(&parts) {
        let tpcs = part.tpcs.map(
            |[first, last]| {
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            },
        );
        let profile = part.profile.clone().unwrap_or_default();
        table.add_row(shown([format!("{number}"), tpcs.unwrap_or_default(), profile, part.call.clone()]));
    }
    let _ = writeln!(out, "{table}");
}
