//! What `warpspan partition` prints: text, JSON, CSV.

use std::fmt::Write;

use serde::Serialize;

use crate::Failure;
use crate::commands::partition::answer::{Answer, Verdict};
use crate::record::line;
use crate::screen::verdict;
use crate::table::table;
use crate::text::{given, several};
use warpspan_partition::{Division, Setup, TaskSet, Test, Verified, write_time};
use warpspan_records::partition as record;

/// One line of `--format csv`.
#[derive(Serialize)]
struct Line<'a> {
    task: &'a str,
    kind: &'static str,
    partition: usize,
    multiprocessors: usize,
    conflict: bool,
    execution: String,
    deadline: String,
    period: String,
}

pub(super) fn json(set: &TaskSet, test: Test, answer: &Answer) -> Result<String, Failure> {
    let (verdict, reason, verified) = match &answer.verdict {
        Verdict::Schedulable(verified) => (record::Verdict::Schedulable, None, Some(verified)),
        Verdict::NotFound(why) => (record::Verdict::NotFound, Some(why), None),
        Verdict::Impossible(why) => (record::Verdict::Impossible, Some(why), None),
    };
    let setup = setup(set, verified);
    let parts = verified.into_iter().flat_map(Verified::partitions).enumerate();
    line(record::Partition {
        test,
        method: answer.method.to_owned(),
        schedulable: verified.is_some(),
        verdict,
        reason: reason.cloned(),
        provided: set.provided(),
        multiprocessors: set.multiprocessors(),
        slices: set.slices().map(|slices| record::Slices {
            count: slices.count,
            multiprocessors: slices.size,
            unused: set.unused(),
        }),
        mechanism: record::Mechanism::of(set, &setup.steps),
        required: answer.required,
        used: verified.map(Verified::used),
        partitions: parts
            .map(|(at, part)| record::Part::new(set, part, setup.parts.get(at).cloned()))
            .collect(),
        notes: answer.notes.clone(),
    })
}

/// What sets verified partitions up; empty where there are none, or where no mechanism is named.
fn setup(set: &TaskSet, verified: Option<&Verified>) -> Setup {
    let of = |division: &Division| Some(division.setup(verified?));
    set.division().and_then(of).unwrap_or_default()
}

/// What sets verified partitions up, for a person.
fn write_setup(out: &mut String, setup: &Setup) {
    if setup.parts.is_empty() {
        return;
    }
    let _ = writeln!(out);
    for step in &setup.steps {
        let _ = writeln!(out, "first: {step}");
    }
    if !setup.steps.is_empty() {
        let _ = writeln!(out);
    }
    let has_tpcs = setup.parts.iter().any(|part| part.tpcs.is_some());
    let has_profile = setup.parts.iter().any(|part| part.profile.is_some());
    let columns = [("partition", true), ("TPCs", has_tpcs), ("instance", has_profile), ("set up by", true)];
    let shown = |all: [String; 4]| {
        all.into_iter()
            .zip(columns)
            .filter(|(_, (_, is_shown))| *is_shown)
            .map(|(cell, _)| cell)
            .collect::<Vec<_>>()
    };
    let mut table = table(shown(columns.map(|(head, _)| head.to_owned())), []);
    for (number, part) in (1..).zip(&setup.parts) {
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

/// The tasks of a verified partitioning, a line each.
fn lines<'a>(set: &'a TaskSet, verified: &'a Verified) -> impl Iterator<Item = Line<'a>> {
    (1..).zip(verified.partitions()).flat_map(move |(number, partition)| {
        partition.tasks.iter().map(move |placed| {
            let task = &set.tasks()[placed.task];
            Line {
                task: task.name(),
                kind: task.kind().name(),
                partition: number,
                multiprocessors: partition.multiprocessors,
                conflict: placed.conflict,
                execution: write_time(placed.execution),
                deadline: write_time(task.deadline()),
                period: write_time(task.period()),
            }
        })
    })
}

pub(super) fn csv(set: &TaskSet, answer: &Answer) -> Result<String, Failure> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let columns =
        ["task", "kind", "partition", "multiprocessors", "conflict", "execution", "deadline", "period"];
    writer.write_record(columns).map_err(Failure::internal)?;
    if let Verdict::Schedulable(verified) = &answer.verdict {
        lines(set, verified).try_for_each(|line| writer.serialize(line)).map_err(Failure::internal)?;
    }
    let bytes = writer.into_inner().map_err(Failure::internal)?;
    String::from_utf8(bytes).map_err(Failure::internal)
}

pub(super) fn text(set: &TaskSet, test: Test, answer: &Answer) -> String {
    let slices = set.slices().map_or_else(String::new, |slices| {
        let left = if set.unused() == 0 { String::new() } else { format!(" ({} left over)", set.unused()) };
        format!(" in {} of {}{left}", several(slices.count, "slice"), slices.size)
    });
    let mechanism = set.division().map_or_else(String::new, |division| {
        let left = if set.unused() == 0 { String::new() } else { format!(" ({} left over)", set.unused()) };
        format!(" by {}{left}", division.mechanism())
    });
    let mut out = format!(
        "{} on {}{slices}{mechanism}; {}, test {test}\n\n",
        several(set.tasks().len(), "task"),
        several(set.multiprocessors(), "multiprocessor"),
        answer.method
    );
    match &answer.verdict {
        Verdict::Schedulable(verified) => {
            let _ = writeln!(
                out,
                "{}{}: {} on {}, verified\n",
                verdict("schedulable"),
                given(&set.provided()),
                several(verified.partitions().len(), "partition"),
                several(verified.used(), "multiprocessor")
            );
            let header = [
                "task",
                "kind",
                "partition",
                "multiprocessors",
                "conflict",
                "execution",
                "deadline",
                "period",
            ];
            let mut table = table(header, []);
            for line in lines(set, verified) {
                table.add_row([
                    line.task.to_owned(),
                    line.kind.to_owned(),
                    line.partition.to_string(),
                    line.multiprocessors.to_string(),
                    if line.conflict { "yes" } else { "no" }.to_owned(),
                    line.execution,
                    line.deadline,
                    line.period,
                ]);
            }
            let _ = writeln!(out, "{table}");
            write_setup(&mut out, &setup(set, Some(verified)));
        }
        Verdict::NotFound(why) => {
            let _ = writeln!(out, "{}: {why}; other partitions may do", verdict("not found"));
        }
        Verdict::Impossible(why) => {
            let _ = writeln!(out, "{}: {why}", verdict("impossible"));
        }
    }
    for note in &answer.notes {
        let _ = writeln!(out, "\nnote: {note}");
    }
    out
}
