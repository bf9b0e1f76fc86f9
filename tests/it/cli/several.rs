//! Several inputs: all are judged before the first answer, each answer has its place, and a table ends them.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(words: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new(env!("CARGO_BIN_EXE_warpspan")).current_dir(root).args(words).output().unwrap()
}

fn out(words: &[&str]) -> String {
    String::from_utf8(run(words).stdout).unwrap()
}

const FILES: [&str; 3] =
    ["instances/llcll-w4.toml", "instances/machine-lcsfu-w4.toml", "instances/ll-sigma2-w4.toml"];

/// The cells of the rows of the last table of a text, without the head.
fn rows(text: &str) -> Vec<Vec<String>> {
    let table = text.trim_end().rsplit("\n\n").next().unwrap();
    let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    table.lines().skip(2).map(cells).collect()
}

#[test]
fn a_table_ends_the_answers_and_says_what_the_records_say() {
    for command in ["solve", "bound"] {
        let words = [&[command][..], &FILES].concat();
        let text = out(&words);
        let records = out(&[&words[..], &["--format", "json"]].concat());
        let records: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let rows = rows(&text);
        assert_eq!((rows.len(), records.len()), (3, 3), "{text}");
        for ((row, record), file) in rows.iter().zip(&records).zip(FILES) {
            assert_eq!((row[0].as_str(), row[1].as_str()), (file, "4"), "{text}");
            let (lower, upper) = (&record["lower"], &record["upper"]);
            let worst = if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") };
            assert_eq!(row[2], worst, "{text}");
            assert!(text.contains(&format!("{file}\n")), "{text}");
        }
        assert_eq!(rows[0].len(), if command == "solve" { 5 } else { 4 });
    }
    assert_eq!(rows(&out(&[&["solve"][..], &FILES].concat()))[0][3], "closed-form, machine");
    let one = out(&["solve", FILES[0]]);
    assert!(!one.contains("evidence") && !one.contains(FILES[0]), "{one}");
}

/// What is wrong with a later input is said before any answer.
#[test]
fn nothing_is_printed_if_a_later_input_is_wrong() {
    for (words, want) in [
        (&["solve", FILES[0], "instances/no-such-file.toml"][..], "instances/no-such-file.toml: "),
        (
            &["solve", FILES[0], FILES[1], "--beam", "9"],
            "instances/machine-lcsfu-w4.toml: a machine with latency",
        ),
        (
            &["bound", FILES[0], FILES[1], "--up-to", "3"],
            "--up-to: the estimate is of the machine of two sigmas",
        ),
        (&["bound", FILES[0], "README.md"], "README.md"),
    ] {
        let output = run(words);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words:?}: {error}");
        assert!(error.contains(want) && error.lines().count() == 1, "{words:?}: {error}");
    }
}

/// Each record names the words that it was asked by.
#[test]
fn records_name_the_command_line() {
    for command in [
        "solve instances/llcll-w4.toml --engine phase --format json",
        "bound --kernel LCL --warps 3 --format json",
        "simulate instances/llcll-w4.toml --format json",
        "check tests/data/llcll-solve.json --format json",
        "verify --format json",
        "explain tests/data/llcll-solve.json --format json",
        "rta instances/pa19-scenario-1.toml --format json",
        "prem instances/kr19-offset-1300.toml --format json",
        "partition instances/si21-partition-table.toml --format json",
        "extract tests/data/code/ret.ptx --format json",
        "compare tests/data/code/ret.ptx tests/data/code/ret.ptx --warps 4 --format json",
        "gpus --format json",
        "time docs/tutorial/conv.sm_87.sass --gpu jetson-orin --grid 60x135 --block 32x8 --loop-bound .L_x_2=3 --format json",
    ] {
        let words: Vec<&str> = command.split_whitespace().collect();
        for line in out(&words).lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            assert_eq!(record["arguments"], Value::from(words.clone()), "{command}");
            assert_eq!(record["version"], env!("CARGO_PKG_VERSION"));
        }
    }
}

/// What only the bounds of an instance tell is said before the first answer too, with the file.
#[test]
fn an_instance_without_bounds_is_found_before_the_first_answer() {
    let [good, bars] = ["tests/data/not-exact/good.toml", "tests/data/not-exact/bars.toml"];
    let want = format!(
        "warpspan: {bars}: the arms of the branch hold different numbers of barriers: want equally many in each\n"
    );
    for words in
        [&["solve", good, bars, good][..], &["bound", good, bars, good], &["solve", bars], &["bound", bars]]
    {
        let output = run(words);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{words:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), want, "{words:?}");
    }
}
