//! Every flag of the commands that bound times, and every key of every file that they read, asks or declares something. The tables of
//! `tests/data/walk` say which, with a case for each, and `docs/assumptions.md` says what asking is.

mod judge;
mod table;

use std::collections::BTreeSet;
use std::path::Path;

use warpspan::model::assumption::Id;
use warpspan::records::schemas::FORMATS;

use crate::book::commands::options;
use crate::records::keys::keys;
use judge::{Asked, Carried, judge};
use table::{Class, Row, Walk, attributes, files, walks};

/// The files of `tests/data/walk`.
const FILES: [&str; 10] =
    ["code", "flags", "instance", "machine", "model", "processes", "system", "tasks", "tiles", "time"];
/// The commands whose flags are walked.
const COMMANDS: [&str; 9] =
    ["bound", "budget", "extract", "partition", "prem", "rta", "simulate", "solve", "time"];
/// Names that only numbers of other inputs carry, which have tests of their own.
const ELSEWHERE: [&str; 5] =
    ["branch.shuffle", "input.traced", "loop.unreached", "matrix.time", "registers.own"];
/// Names that are declared here and change no number, since they say what is taken anyway.
const IDLE: [&str; 2] = ["gpu.alone", "launch.dynamic-shared"];
/// The names of a list that no row has, and those of rows that are not in the list.
fn differences(known: &BTreeSet<String>, rows: &BTreeSet<String>) -> Vec<String> {
    let without = known.difference(rows).map(|name| format!("{name}: want a row"));
    without.chain(rows.difference(known).map(|name| format!("{name}: there is none"))).collect()
}

/// Whether a flag is one of this build: those of the ILP are not there without HiGHS.
fn is_there(flag: &str, known: &BTreeSet<String>) -> bool {
    cfg!(feature = "highs") || known.contains(flag)
}

#[test]
fn every_flag_and_every_key_has_a_row() {
    let walks: Vec<Walk> = FILES.iter().flat_map(|name| walks(name)).collect();
    let names = |of: &dyn Fn(&&Walk) -> bool, flags: bool| -> BTreeSet<String> {
        let rows = walks.iter().filter(of).flat_map(Walk::rows);
        rows.map(|row| row.name()).filter(|name| name.starts_with("--") == flags).collect()
    };
    for format in FORMATS.iter().filter(|format| format.name.ends_with("-file")) {
        let rows = names(&|walk| walk.format.as_deref() == Some(format.name), false);
        // A file whose keys are labels of code has any.
        let known = keys(format);
        assert!(!rows.is_empty(), "{}: want a row", format.name);
        let wrong = if known.is_empty() { Vec::new() } else { differences(&known, &rows) };
        assert!(wrong.is_empty(), "{}: {wrong:#?}", format.name);
    }
    for model in walks.iter().filter_map(|walk| walk.model.as_deref()) {
        let wrong =
            differences(&attributes(model), &names(&|walk| walk.model.as_deref() == Some(model), false));
        assert!(wrong.is_empty(), "{model}: {wrong:#?}");
    }
    for command in COMMANDS {
        let known = options(command);
        let rows = names(&|walk| walk.command.split_whitespace().next() == Some(command), true);
        let wrong = differences(&known, &rows.into_iter().filter(|flag| is_there(flag, &known)).collect());
        assert!(wrong.is_empty(), "{command}: {wrong:#?}");
    }
}

/// Judges all rows of a file: on what numbers rest, and what is wrong.
fn judged(name: &str) -> (Carried, Vec<String>) {
    let (mut carried, mut wrong, mut asked) = (Carried::default(), Vec::new(), Asked::new());
    for walk in walks(name) {
        let command = walk.command.split_whitespace().next().unwrap();
        let known = options(command);
        for row in
            walk.rows().iter().filter(|row| !row.name().starts_with("--") || is_there(&row.name(), &known))
        {
            match judge(&walk, row, &mut asked) {
                Ok(found) => carried.add(found),
                Err(what) => wrong.push(format!("{}, {}: {what}", walk.command, row.line)),
            }
        }
    }
    (carried, wrong)
}

/// Those of these names that no number carries.
fn never_carried<'i>(names: impl IntoIterator<Item = &'i str>, carried: &BTreeSet<String>) -> Vec<&'i str> {
    names.into_iter().filter(|name| !carried.contains(*name)).collect()
}

#[test]
fn every_row_is_true_and_every_name_is_carried_by_a_number() {
    let found: Vec<(Carried, Vec<String>)> = std::thread::scope(|scope| {
        let running = FILES.map(|name| scope.spawn(move || judged(name)));
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let mut carried = Carried::default();
    let mut wrong = Vec::new();
    for (of_file, of_rows) in found {
        carried.add(of_file);
        wrong.extend(of_rows);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(never_carried(Id::ALL.iter().map(|id| id.name()), &carried.any), ELSEWHERE);
    assert_eq!(never_carried(carried.declared.iter().map(String::as_str), &carried.changes), IDLE);
}

/// What is planted is found: a flag without a row, a row of a flag that there is not, a name that no number carries, and rows that are not true.
#[test]
fn what_is_planted_is_found() {
    let set = |names: [&str; 2]| BTreeSet::from(names.map(str::to_owned));
    let found = differences(&set(["--gpu", "--planted"]), &set(["--gpu", "--gone"]));
    assert_eq!(found, ["--planted: want a row", "--gone: there is none"]);
    assert_eq!(
        never_carried(["clock.highest", "clock.planted"], &set(["clock.highest", "dram.rate"])),
        ["clock.planted"]
    );
    let walk = &walks("system")[0];
    for (row, what) in [
        ("kernel.execution = 6 | ?", "a question changes a: response_bound"),
        ("kernel.registers_per_thread = 31 | ?", "a question changes what is rested on"),
        ("kernel.copy_in = 4 | launch.copy-out", "no row launch.copy-out"),
        ("kernel.copy_in = 4 | launch.planted", "no row launch.planted"),
        ("kernel.copy_in = 4 | launch.copy-in=", "other than said"),
        ("kernel.period = 50 | launch.arrivals=", "other than said"),
        ("kernel.blocks = 12 | gpu.multiprocessors~=", "no row"),
        ("kernel.deadline = 90 | asked period", "the record does not show it"),
        ("kernel.jitter = 2 | refused", "is not refused"),
        ("kernel.jitter = 2 | apart", "asks nothing else"),
        ("kernel.jitter = -2 | launch.jitter", "no record"),
    ] {
        let Err(found) = judge(walk, &Row::read(row), &mut Asked::new()) else { panic!("{row}: not found") };
        assert!(found.contains(what), "{row}: {found}");
    }
}

/// The command lines of `time` that declare something, each with the flag and the name of what it declares. Their files are copied to a folder.
pub(super) fn declared_by_time(folder: &Path) -> Vec<(Vec<String>, String, String)> {
    for (name, text) in files() {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let cases = walks("time").into_iter().flat_map(|walk| {
        let of = |row: Row| match &row.class {
            Class::Declares { id, by_any: false, .. } => {
                Some((walk.built(&row, true).1, row.name(), id.clone()))
            }
            _ => None,
        };
        walk.rows().into_iter().filter_map(of).collect::<Vec<_>>()
    });
    cases.collect()
}
