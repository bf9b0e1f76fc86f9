//! What answers of `time` rest on stands with the answer in every form, by its name. `docs/assumptions.md` has all names.

use std::path::Path;

use assert_cmd::Command;
use roxmltree::Document;
use serde_json::Value;
use tempfile::tempdir;
use warpspan::model::assumption::Id;

use crate::common::{assumption, assumptions, without_identity};
use crate::records::root;
use crate::records::walk::declared_by_time;

/// The flags that choose a form of the answer, with a value.
const FORMS: [(&str, &str); 4] =
    [("--top", "1"), ("--assumptions", ""), ("--short", ""), ("--format", "json")];

/// Exit code, standard output and standard error of the command in a folder.
fn run(folder: &Path, words: &[String], more: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("warpspan").unwrap().current_dir(folder).args(words).args(more).output();
    let output = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn record(folder: &Path, words: &[String]) -> Value {
    let (_, json, error) = run(folder, words, &["--format", "json"]);
    serde_json::from_str(&json).unwrap_or_else(|_| panic!("{words:?}: {error}"))
}

/// The table of a budget for a command line of `time`.
fn table(words: &[String], name: usize) -> String {
    let mut keys: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in &words[2..] {
        let (key, value) = word[2..].split_once('=').unwrap_or((&word[2..], ""));
        match keys.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => keys.push((key, vec![value])),
        }
    }
    let line = |(key, values): (&str, Vec<&str>)| match values[..] {
        [""] => format!("{key} = true\n"),
        [value] => format!("{key} = {value:?}\n"),
        _ => format!("{key} = {values:?}\n"),
    };
    let keys: String = keys.into_iter().map(line).collect();
    format!("[[kernel]]\nname = \"k{name}\"\nlisting = {:?}\n{keys}", words[1])
}

#[test]
fn what_is_declared_stands_with_the_answer() {
    let folder = tempdir().unwrap();
    let cases = declared_by_time(folder.path());
    let tables: String = cases.iter().enumerate().map(|(at, (words, ..))| table(words, at)).collect();
    std::fs::write(folder.path().join("b.toml"), tables).unwrap();
    let printed = |form: &str| {
        let (_, printed, error) = run(folder.path(), &["budget".to_owned()], &["b.toml", "--format", form]);
        assert!(error.is_empty(), "{error}");
        printed
    };
    let of_budget: Value = serde_json::from_str(&printed("json")).unwrap();
    let junit = printed("junit");
    let junit = Document::parse(&junit).unwrap();
    let of_junit: Vec<String> = junit
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .map(|node| node.descendants().filter_map(|inner| inner.text()).collect())
        .collect();
    for (at, (words, flag, id)) in cases.iter().enumerate() {
        let record = record(folder.path(), words);
        let by_flag = |one: &&&Value| {
            one["kind"] == "declared" && one["source"].as_str().is_some_and(|source| source.contains(flag))
        };
        let all = assumptions(&record, id);
        let one = all.iter().find(by_flag).unwrap_or_else(|| panic!("{flag}: no declared {id}: {record}"));
        let text = |key: &str| one[key].as_str().unwrap();
        let said = format!("{}: {}", text("subject"), text("value"));
        let (_, listed, _) = run(folder.path(), words, &["--assumptions"]);
        assert!(listed.contains(&format!("{said} [{id}; {}", text("source"))), "{flag}: {said}\n{listed}");
        let (_, usual, _) = run(folder.path(), words, &[]);
        assert!(usual.contains(&format!("{said}\n")), "{flag}: {said}\n{usual}");
        let kernel = &of_budget["kernels"][at];
        assert_eq!(kernel["time"]["assumptions"], record["assumptions"], "{flag}: {kernel}");
        assert!(of_junit[at].contains(&format!("declared: {said} [{id}]")), "{flag}: {}", of_junit[at]);
    }
}

/// A form shows more or less of the same answer.
#[test]
fn forms_change_no_number() {
    let folder = tempdir().unwrap();
    let (words, ..) = declared_by_time(folder.path()).swap_remove(0);
    let plain = record(folder.path(), &words);
    let (code, usual, _) = run(folder.path(), &words, &[]);
    let numbers = |record: &Value| {
        let mut record = without_identity(record.clone());
        record["cycles"].as_object_mut().unwrap().remove("lines");
        record["cycles"].as_object_mut().unwrap().remove("units");
        record
    };
    for (flag, value) in FORMS {
        let form: Vec<&str> = [flag, value].into_iter().filter(|word| !word.is_empty()).collect();
        if flag != "--format" {
            let (_, json, error) = run(folder.path(), &words, &[&form[..], &["--format", "json"]].concat());
            let found: Value = serde_json::from_str(&json).unwrap_or_else(|_| panic!("{error}"));
            assert_eq!(numbers(&found), numbers(&plain), "{flag}");
        }
        let (ending, text, _) = run(folder.path(), &words, &form);
        assert_eq!(ending, code, "{flag}");
        if flag == "--format" {
            assert_eq!(numbers(&serde_json::from_str(&text).unwrap()), numbers(&plain));
            continue;
        }
        assert_eq!(text.lines().next(), usual.lines().next(), "{flag}");
        // What else has numbers stands in all of them, but for lines that were not asked for.
        let is_number = |line: &&str| {
            ["cycles ", "because ", "limited by ", "adds up ", "launch ", "bound ", "proved "]
                .iter()
                .any(|name| line.starts_with(name))
        };
        let kept =
            |text: &str| -> Vec<String> { text.lines().filter(is_number).map(str::to_owned).collect() };
        assert!(kept(&usual).len() > 4, "{usual}");
        match flag {
            "--short" => assert_eq!(text.lines().count(), 1, "{text}"),
            _ => assert_eq!(kept(&text), kept(&usual), "{flag}"),
        }
    }
    // A budget has a form of its own.
    for (flag, value) in FORMS {
        let value = if value.is_empty() { "true".to_owned() } else { format!("{value:?}") };
        let table = format!("{}{} = {value}\n", table(&words, 0), &flag[2..]);
        std::fs::write(folder.path().join("form.toml"), table).unwrap();
        let (code, printed, error) = run(folder.path(), &["budget".to_owned()], &["form.toml"]);
        assert_eq!((code, printed.as_str()), (2, ""), "{flag}: {error}");
        assert!(error.contains(&format!("{}: ", &flag[2..])) && error.contains("want "), "{error}");
    }
}

/// The page has a row for each name, in their order, with its sentence.
#[test]
fn the_page_has_every_name() {
    let page = std::fs::read_to_string(root().join("docs/assumptions.md")).unwrap();
    let row = |id: &Id| format!("| `{id}` | {} |\n", id.says());
    let table =
        format!("| name | what it says |\n|---|---|\n{}", Id::ALL.iter().map(row).collect::<String>());
    assert!(page.contains(&table), "docs/assumptions.md: want this table:\n{table}");
}

/// The record of `time` of a listing on an Orin.
fn timed(listing: &str, launch: &[&str], more: &[&str]) -> Value {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.args(["time", listing, "--gpu", "jetson-orin", "--format", "json"]).args(launch).args(more);
    serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
}

/// Another kernel may keep a block waiting that fits, where a GPU divides L1 and shared memory.
#[test]
fn with_other_kernels_blocks_start_where_they_fit() {
    let listing = "tests/data/memory/copy.sm_87.sass";
    let run = |more: &[&str]| timed(listing, &["--entry", "copy1", "--grid", "64", "--block", "256"], more);
    assert!(assumption(&run(&[]), "block.fits").is_none());
    let other = format!("{listing}:copy4:64:256:1s");
    assert!(assumption(&run(&["--co-running", &other]), "block.fits").is_some());
}

/// Of a number that is given twice the one that counts has a row, and least bytes have one where most bytes are too many.
#[test]
fn a_row_is_of_the_number_that_counts() {
    let conv = "docs/tutorial/conv.sm_87.sass";
    let run =
        |more: &[&str]| timed(conv, &["--grid", "8x8", "--block", "32x8", "--loop-bound", ".L_x_2=3"], more);
    let found = run(&["--transactions", "*=1", "--transactions", "*=4"]);
    assert_eq!(assumption(&found, "transactions.count").unwrap()["value"], "at most 4");
    let found = run(&["--latency-of", "GLOBAL=30..800", "--latency-of", "GLOBAL=30..400"]);
    let of = |one: &&Value| one["kind"] == "declared";
    assert_eq!(assumptions(&found, "latency.of-letter").into_iter().filter(of).count(), 1);
    let found = run(&["--dram-bytes", "9MB..1000MB", "--deadline", "40us"]);
    assert_eq!(
        (&found["verdict"], &assumption(&found, "dram.bytes").unwrap()["value"]),
        (&"refuted".into(), &"at least 9000000 bytes".into())
    );
    let found = run(&["--dram-others", "20.04GB/s"]);
    assert_eq!(assumption(&found, "dram.others").unwrap()["value"], "at most 20.04 GB/s");
}
