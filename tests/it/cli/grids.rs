//! Grids on the command line: blocks that wait for room and follow one another.

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::{Value, json};

fn warpspan(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("warpspan").unwrap().current_dir(env!("CARGO_MANIFEST_DIR")).args(args).assert()
}

fn record(args: &[&str], code: i32) -> Value {
    let output = warpspan(args).code(code).get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn refused(args: &[&str], part: &str) {
    let error = warpspan(args).code(2).stdout("").get_output().stderr.clone();
    let error = String::from_utf8(error).unwrap();
    assert!(error.contains(part) && error.lines().count() == 1, "{error}");
}

const GRID: [&str; 8] = ["--kernel", "LCL", "--warps-per-block", "1", "--blocks", "4", "--resident", "2"];

#[test]
fn records_name_the_grid() {
    let solved = record(&[&["solve", "--format=json", "--with-schedule"], &GRID[..]].concat(), 0);
    assert_eq!((&solved["lower"], &solved["upper"]), (&json!(9), &json!(9)));
    let grid = json!({"warps_per_block": 1, "blocks": 4, "resident": 2, "multiprocessors": 1});
    assert_eq!(solved["instance"]["grid"], grid);
    assert_eq!(solved["instance"]["groups"], json!([{"kernel": "LCL", "warps": 4}]));
    assert_eq!(solved["grid_schedule"].as_array().unwrap().len(), 12);
    assert_eq!(solved.get("schedule"), None);
    let bounds = record(&[&["bound", "--format=json"], &GRID[..]].concat(), 0);
    let names: Vec<&str> =
        bounds["bounds"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["relay", "bottleneck"]);
    assert_eq!(bounds["instance"], solved["instance"]);
    // The judge of one multiprocessor takes no record of a grid.
    let mut check = Command::cargo_bin("warpspan").unwrap();
    let line = predicate::str::contains("the record is of a grid, whose blocks follow one another");
    check.args(["check", "-"]).write_stdin(solved.to_string()).assert().code(2).stderr(line);
}

#[test]
fn a_file_says_it_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("grid.toml");
    let text = "[kernel]\nstring = \"LL\"\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n[launch]\nblocks = 12\n\
                warps_per_block = 1\nresident = 3\nmultiprocessors = 2\n";
    std::fs::write(&file, text).unwrap();
    let name = file.to_str().unwrap();
    assert_eq!(record(&["solve", name, "--format=json"], 0)["upper"], 14);
    // Flags win over the file.
    assert_eq!(record(&["solve", name, "--multiprocessors", "1", "--format=json"], 0)["upper"], 24);
    assert_eq!(record(&["solve", name, "--resident", "12", "--format=json"], 0)["upper"], 24);
    refused(&["simulate", name], "only solve and bound take the blocks of a grid");
    refused(&["check", "tests/data/llcll-solve.json", "--warps", "4", "--kernel", "L"], "name no other");
    refused(&["solve", name, "--warps", "4"], "both a number of blocks and a number of warps");
    refused(&["solve", name, "--group", "LL:4"], "both a number of blocks and groups");
    let schedule = folder.path().join("schedule.svg");
    warpspan(&["solve", name, "--schedule", schedule.to_str().unwrap()]).success();
    assert!(std::fs::read_to_string(&schedule).unwrap().contains("2: slot 3"));
    let schedule = folder.path().join("schedule.csv");
    warpspan(&["solve", name, "--schedule", schedule.to_str().unwrap()]).success();
    assert_eq!(std::fs::read_to_string(&schedule).unwrap().lines().count(), 25);
}

#[test]
fn contradictions_take_one_line() {
    let blocks = ["solve", "--kernel", "LCL", "--blocks", "4"];
    let with = |more: &[&'static str]| [&blocks[..], more].concat();
    refused(&with(&["--warps", "4"]), "cannot be used with");
    refused(&["bound", "--group", "LCL:2", "--blocks", "4"], "cannot be used with");
    refused(&blocks, "no warps of a block are given: want [launch] warps_per_block or --warps-per-block");
    refused(
        &["solve", "--kernel", "LCL", "--warps", "4", "--resident", "2"],
        "want [launch] blocks or --blocks",
    );
    refused(
        &with(&["--warps-per-block", "1", "--resident", "2", "--beam", "5"]),
        "blocks that follow one another",
    );
    refused(&with(&["--warps-per-block", "1", "--best-schedule", "x.csv"]), "--best-schedule");
    refused(
        &["bound", "--kernel", "LCL", "--blocks", "4", "--warps-per-block", "1", "--up-to", "2"],
        "--up-to",
    );
    refused(&["solve", "--warps-per-block", "1", "--blocks", "4"], "no kernel is given");
    for command in ["simulate", "check"] {
        refused(&[command, "--kernel", "LCL", "--blocks", "4"], "--blocks");
    }
}

#[test]
fn listings_and_programs_have_bounds() {
    let grid = ["--warps-per-block", "2", "--blocks", "9", "--resident", "3", "--format=json"];
    let program = record(&[&["solve", "--kernel", "LC(LLC)0..16[LC/CC]"], &grid[..]].concat(), 3);
    // 18 warps, each of which may issue 1 + 32 + 1 L's
    assert_eq!((&program["lower"], &program["not_exact"]), (&json!(612), &json!("paths")));
    assert_eq!(program["evidence"]["upper"]["name"], "relay");
    let bounds = record(&[&["bound", "--kernel", "LC(LLC)0..16[LC/CC]"], &grid[..]].concat(), 0);
    assert_eq!((&bounds["lower"], &bounds["upper"]), (&json!(612), &program["upper"]));
    let listing = record(&[&["solve", "--ptx", "tests/data/code/straight.ptx"], &grid[..]].concat(), 3);
    assert!(listing["lower"].as_u64() <= listing["upper"].as_u64());
}
