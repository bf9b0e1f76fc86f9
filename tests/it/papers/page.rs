//! The values of docs/papers.md: its commands are run, and print what its rows say.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;

/// A row of the page, in the section of a paper.
#[derive(Debug)]
struct Row {
    /// The paper and the first cell: `Be12: Fig. 2`.
    item: String,
    /// The command of the row, or that of the rows above where it says "the same command".
    command: Option<String>,
    ours: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rows of all tables of the page.
fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(root().join("docs/papers.md")).unwrap();
    let (mut paper, mut command, mut rows) = ("", None, Vec::new());
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            paper = title;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, item, here, ours, _, _, _] = cells[..] else { continue };
        if item == "item" || item.starts_with("---") {
            command = None;
            continue;
        }
        let named = here.split('`').skip(1).step_by(2).find(|span| span.starts_with("warpspan "));
        if let Some(named) = named {
            command = Some(named.to_owned());
        }
        let has_command = named.is_some() || here.contains("the same command");
        rows.push(Row {
            item: format!("{paper}: {item}"),
            command: command.clone().filter(|_| has_command),
            ours: ours.to_owned(),
        });
    }
    rows
}

/// Commands that the test does not run, because they take seconds or minutes. The tables of the first two are in
/// docs/partitions.
const LONG: [&str; 3] =
    ["partition --experiment 3.4 -o", "partition --experiment 3.5 -o", "partition --experiment 3.6 -o"];

/// Whether the test can run a command as it is built.
fn is_run(command: &str) -> bool {
    let long = LONG.iter().any(|long| command.contains(long));
    let has = |part: &str, is_there: bool| is_there || !command.contains(part);
    !long && has("--formulation", cfg!(feature = "highs")) && has(".svg", cfg!(feature = "figures"))
}

/// Exit codes other than 0.
const EXITS: [(&str, i32); 4] =
    [("solve instances/ll-sigma2-w4.toml", 3), ("mobstr.amxmi", 5), ("--baseline", 3), ("--slices 7", 5)];

/// What a command prints, with one space between words and without the bars of tables.
fn printed(command: &str) -> String {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("warpspan"));
    let mut run = Command::cargo_bin("warpspan").unwrap();
    let output = run.current_dir(root()).args(words).output().unwrap();
    let code = EXITS.iter().find(|(part, _)| command.contains(part)).map_or(0, |exit| exit.1);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{command}: {errors}");
    plain(&String::from_utf8(output.stdout).unwrap())
}

fn plain(text: &str) -> String {
    text.replace('|', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The numbers in a text; those of a fraction count one by one.
fn numbers(text: &str) -> Vec<&str> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    parts.map(|part| part.trim_matches('.')).filter(|part| !part.is_empty()).collect()
}

/// Whether a number of the page is one that was printed, or one that was printed with more digits and is rounded.
fn is_printed(number: &str, excerpts: &[&str]) -> bool {
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let rounded =
        |printed: &str| digits > 0 && format!("{:.digits$}", printed.parse::<f64>().unwrap()) == number;
    excerpts.iter().flat_map(|excerpt| numbers(excerpt)).any(|printed| printed == number || rounded(printed))
}

#[test]
fn every_value_is_printed_by_its_command() {
    let target = root().join("target");
    std::fs::create_dir_all(&target).unwrap();
    // The command that writes CUDA leaves files alone that are there.
    let _ = std::fs::remove_dir_all(target.join("tiles"));
    let checks: BTreeMap<&str, &[&str]> = super::values::VALUES.iter().copied().collect();
    assert_eq!(checks.len(), super::values::VALUES.len(), "an item is there twice");
    let mut output = BTreeMap::<String, String>::new();
    let mut checked = 0;
    for Row { item, command, ours } in rows() {
        let Some(command) = command else { continue };
        let excerpts = checks.get(item.as_str()).copied();
        checked += usize::from(excerpts.is_some());
        if LONG.iter().any(|long| command.contains(long)) {
            continue;
        }
        assert!(ours.is_empty() || excerpts.is_some(), "{item}: {ours} has no check in values.rs");
        for number in numbers(&ours) {
            let excerpts = excerpts.unwrap();
            assert!(is_printed(number, excerpts), "{item}: {number} is not in {excerpts:?}");
        }
        if !is_run(&command) {
            continue;
        }
        let text = output.entry(command.clone()).or_insert_with(|| printed(&command));
        for excerpt in excerpts.unwrap_or_default() {
            assert!(text.contains(&plain(excerpt)), "{item}: {command} does not print {excerpt:?}: {text}");
        }
    }
    assert_eq!(checked, checks.len(), "values.rs has checks of items that no row has");
}

/// The rows on Fig. 3.4 of Si21 say what the table in docs/partitions has, which the published package leaves out.
#[test]
fn the_utilisations_of_si21_fig_3_4_are_those_of_the_tables() {
    #[derive(serde::Deserialize)]
    struct Point {
        utilisation: u64,
        sets: u64,
        method: String,
        schedulable: u64,
    }
    let full_up_to = |table: &str, is_meant: fn(&str) -> bool| {
        let points = csv::Reader::from_path(root().join("docs/partitions").join(table)).ok()?;
        let points: Vec<Point> = points.into_deserialize().map(Result::unwrap).collect();
        let points = points.iter().filter(|point| is_meant(&point.method));
        let short = points.filter(|point| point.schedulable < point.sets).map(|point| point.utilisation);
        short.min().map(|first| first - 2)
    };
    let of = |item: &str| rows().into_iter().find(|row| row.item == item).unwrap().ours;
    let heuristics = "Si21: Fig. 3.4: 50 tasks, all heuristics schedulable up to";
    if let Some(most) = full_up_to("fig3-4.csv", |method| method != "1G") {
        assert_eq!(of(heuristics), most.to_string());
    }
    if let Some(most) = full_up_to("fig3-4.csv", |method| method == "1G") {
        assert_eq!(of("Si21: Fig. 3.4: 50 tasks, 1G schedulable up to"), most.to_string());
    }
}
