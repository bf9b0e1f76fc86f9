//! Kernels with barriers on the command line.
use assert_cmd::Command;
use predicates::prelude::*;

fn warpspan(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("warpspan").unwrap().current_dir(env!("CARGO_MANIFEST_DIR")).args(args).assert()
}

fn json(args: &[&str], code: i32) -> serde_json::Value {
    let output = warpspan(args).code(code).get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

/// I + (W-1) times the sum of the segments' rates: 5 + 3 (2 + 2).
const ONE_BLOCK: [&str; 5] = ["--kernel", "LLC|LL", "--warps", "4", "--format=json"];
const TWO_BLOCKS: [&str; 7] =
    ["--kernel", "LLC|CL", "--warps", "4", "--warps-per-block", "2", "--format=json"];

#[test]
fn one_block_is_solved_and_judged() {
    for engine in ["auto", "states", "phase"] {
        let record = json(&[&["solve", "--engine", engine, "--with-schedule"], &ONE_BLOCK[..]].concat(), 0);
        assert_eq!((&record["lower"], &record["upper"]), (&17.into(), &17.into()), "{engine}");
        assert_eq!(record["instance"]["groups"][0]["kernel"], "LLC|LL");
        assert_eq!(record["instance"].get("warps_per_block"), None);
        let mut check = Command::cargo_bin("warpspan").unwrap();
        let verified = predicate::str::contains("upper       confirmed: 17 cycles, verified by 17");
        check.args(["check", "-"]).write_stdin(record.to_string()).assert().success().stdout(verified);
        // Without the barrier, the same schedule keeps a ready warp waiting.
        let record = record.to_string().replace("LLC|LL", "LLCLL");
        let mut check = Command::cargo_bin("warpspan").unwrap();
        check
            .args(["check", "-"])
            .write_stdin(record)
            .assert()
            .code(4)
            .stdout(predicate::str::contains("NOT valid"));
    }
}

#[test]
fn several_blocks_have_an_interval() {
    // A simulated schedule attains the bound 5 + 3 * 3, which is also what brute force gives.
    let record = json(&[&["solve", "--with-schedule"], &TWO_BLOCKS[..]].concat(), 0);
    assert_eq!((&record["lower"], &record["upper"]), (&14.into(), &14.into()));
    assert_eq!(record["instance"]["warps_per_block"], 2);
    let mut check = Command::cargo_bin("warpspan").unwrap();
    check.args(["check", "-"]).write_stdin(record.to_string()).assert().success();
    // For this kernel it does not.
    let other = ["solve", "--with-schedule", "--kernel", "LCCC|CLL", "--warps", "6", "--sigma-c", "2"];
    let record = json(&[&other[..], &TWO_BLOCKS[4..]].concat(), 3);
    let ended = [&record["verdict"], &record["stop"], &record["not_exact"]];
    assert_eq!(ended, [&"bounded".into(), &serde_json::Value::Null, &"several-blocks".into()]);
    let mut check = Command::cargo_bin("warpspan").unwrap();
    check.args(["check", "-"]).write_stdin(record.to_string()).assert().success();
    warpspan(&[&["solve", "--engine", "states"], &TWO_BLOCKS[..]].concat()).code(2).stdout("").stderr(
        predicate::str::starts_with("warpspan: barriers of several blocks: only --engine auto or phase"),
    );
}

#[test]
fn bounds_policies_and_sweeps_take_them() {
    let record = json(&[&["bound"], &ONE_BLOCK[..]].concat(), 0);
    let bounds = record["bounds"].as_array().unwrap();
    let named = |name: &str| bounds.iter().find(|row| row["name"] == name).unwrap();
    assert_eq!(named("phase")["value"], 17);
    assert_eq!(named("segments")["value"], 17);
    assert_eq!(named("phase")["labels"][0], "LLL|LL");
    let record = json(&[&["simulate"], &ONE_BLOCK[..]].concat(), 0);
    assert_eq!(record["worst"], 17);
    for run in record["runs"].as_array().unwrap() {
        assert!(run["makespan"].as_u64().unwrap() <= 17, "{run}");
    }
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv").display().to_string();
    warpspan(&["sweep", "--kernels", "LLC|LL,L|C", "--warps", "2..4", "-o", &table]).success();
    let text = std::fs::read_to_string(&table).unwrap();
    assert!(text.lines().any(|line| line.contains(",LLC|LL,4,1,1,auto,17,17,exact,")), "{text}");
}

#[test]
fn refused() {
    let wrong = |args: &[&str], what: &str| {
        warpspan(args).code(2).stdout("").stderr(predicate::str::contains(what));
    };
    wrong(&["solve", "--kernel", "|", "--warps", "4"], "the kernel is empty");
    wrong(&["solve", "--kernel", "L|C", "--warps", "4", "--warps-per-block", "0"], "--warps-per-block");
    wrong(&["solve", "--kernel", "L|C", "--warps", "4", "--engine", "ilp"], "--engine ilp takes no barriers");
}
