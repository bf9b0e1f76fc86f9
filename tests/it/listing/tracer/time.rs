//! Bounds with what was traced: they cover the run, and nothing that is made with them looks as if it held for every input.

use assert_cmd::Command;
use serde_json::Value;

use crate::common::assumption;
use crate::listing::tracer::{EXAMPLE, LISTING, SMALL, events};

fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("warpspan").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A folder with the declarations of the example.
fn declared() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input.toml").to_str().unwrap().to_owned();
    let (code, _, stderr) = run(&["trace", EXAMPLE, "--sass", LISTING, "--declare", &path]);
    assert_eq!(code, 0, "{stderr}");
    (folder, path)
}

const TIME: [&str; 11] =
    ["time", LISTING, "--gpu", "rtx-2060", "--grid", "3", "--block", "80", "--registers", "16", "--shared"];

fn time(more: &[&str]) -> (i32, String, String) {
    run(&[&TIME[..], &["2048", "--clock", "1500"], more].concat())
}

#[test]
fn the_bound_covers_what_the_run_issued_and_says_for_which_input() {
    let (_folder, path) = declared();
    let flags = ["--declare", &path, "--deadline", "1s", "--dram-rate", "100GB/s"];
    let (code, text, stderr) = time(&flags);
    assert_eq!(code, 0, "{stderr}");
    let first = text.lines().next().unwrap();
    assert!(first.ends_with("; deadline 1 s met"), "{text}");
    let input = format!(
        "the input that {EXAMPLE} was traced with and no other, and warps that race do so in its order"
    );
    assert!(text.contains(&format!("input: {input}\n")), "{text}");
    let (_, json, _) = time(&[&flags[..], &["--format", "json"]].concat());
    let record: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(record["of_input"][0], EXAMPLE);
    let traced = assumption(&record, "input.traced").unwrap();
    let source = format!("--declare {path}");
    assert_eq!([&traced["kind"], &traced["value"], &traced["source"]], ["declared", &input, &source]);
    // No scheduler issues more than an instruction of a warp in a cycle.
    let longest = events(&SMALL).into_iter().flatten().map(|warp| warp.len() as u64).max().unwrap();
    let bound = record["bound_cycles"].as_u64().unwrap();
    assert!(bound >= longest);
    let (_, every, _) = time(&[&flags[2..], &["--format", "json"]].concat());
    let every: Value = serde_json::from_str(&every).unwrap();
    assert!(bound < every["bound_cycles"].as_u64().unwrap());
    assert_eq!((every.get("of_input"), assumption(&every, "input.traced")), (None, None));
    // What follows from the record says it too.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("time.json");
    std::fs::write(&file, &json).unwrap();
    for command in ["verify", "explain"] {
        let (_, text, stderr) = run(&[command, file.to_str().unwrap()]);
        assert!(text.contains(EXAMPLE), "{command}: {text}{stderr}");
    }
    let (code, _, stderr) = run(&["compare", file.to_str().unwrap(), file.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(stderr.contains("holds only for the input"), "{stderr}");
}

#[test]
fn declarations_of_one_input_are_carried_or_refused() {
    let (folder, path) = declared();
    let (code, text, _) = run(&["extract", LISTING, "--declare", &path]);
    assert_eq!((code, text.contains("and no other")), (0, true), "{text}");
    let refused = "holds only for the input that";
    for command in [
        &["solve", "--ptx", LISTING, "--warps", "4", "--declare", &path][..],
        &["bound", "--ptx", LISTING, "--warps", "4", "--declare", &path],
        &["simulate", "--ptx", LISTING, "--warps", "4", "--declare", &path],
        &["compare", LISTING, LISTING, "--warps", "4", "--declare", &path],
        &["sweep", "--ptx", LISTING, "--warps", "4", "--declare", &path, "--output", "t.csv"],
    ] {
        let (code, stdout, stderr) = run(command);
        assert_eq!((code, stdout.as_str()), (2, ""), "{command:?} {stdout}");
        assert!(stderr.contains(refused) && stderr.lines().count() == 1, "{command:?}: {stderr}");
    }
    let system = folder.path().join("system.toml");
    let listing = std::fs::canonicalize(LISTING).unwrap();
    let content = format!(
        "[gpu]\npreset = \"rtx-2060\"\n[[kernel]]\nname = \"k\"\nblocks = 3\nthreads_per_block = 80\nptx = {:?}\ndeclare = {path:?}\nperiod = \"1s\"\n",
        listing.to_str().unwrap()
    );
    std::fs::write(&system, content).unwrap();
    let (code, _, stderr) = run(&["rta", system.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(stderr.contains(refused), "{stderr}");
}

#[test]
fn another_launch_or_a_lost_mark_is_refused() {
    let (_folder, path) = declared();
    let (code, _, stderr) = run(&[
        "time",
        LISTING,
        "--gpu",
        "rtx-2060",
        "--clock",
        "1500",
        "--grid",
        "4",
        "--block",
        "80",
        "--declare",
        &path,
    ]);
    assert_eq!(code, 2);
    assert!(stderr.contains("that is another input"), "{stderr}");
    let content = std::fs::read_to_string(&path).unwrap();
    let without: String = content
        .lines()
        .filter(|line| !line.starts_with("of_input"))
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(&path, without).unwrap();
    let (code, _, stderr) = time(&["--declare", &path]);
    assert_eq!(code, 2);
    assert!(stderr.contains("has other instructions"), "{stderr}");
}
