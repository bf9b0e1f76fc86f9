//! `warpspan rta` from the command line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use approx::assert_abs_diff_eq;
use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

const PAPER: &str = "instances/pa19-section-3-6.toml";

fn warpspan(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.arg("rta").args(args);
    command
}

fn json(args: &[&str]) -> Value {
    let output = warpspan(args).args(["--format", "json"]).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn refused(text: &str, message: &str) {
    warpspan(&["-"]).write_stdin(text).assert().code(2).stdout("").stderr(
        predicate::str::contains(message).and(predicate::function(|text: &str| text.lines().count() == 1)),
    );
}

#[test]
fn the_record_is_that_of_the_contract() {
    let record = json(&[PAPER]);
    assert_eq!(record["schema"], "warpspan/rta/1");
    assert_eq!(record["method"], "algorithm2");
    let first = &record["kernels"][0];
    for (key, value) in
        [("execution", 4), ("release", 0), ("completion", 4), ("response", 4), ("deadline", 15)]
    {
        assert_eq!(first[key], value, "{key}");
    }
    assert_eq!(first["name"], "K1");
    assert_eq!(first["meets"], true);
    assert_abs_diff_eq!(first["utilisation"].as_f64().unwrap(), 273.07, epsilon = 0.01);
    assert_abs_diff_eq!(record["utilisation"].as_f64().unwrap(), 2969.6, epsilon = 0.01);
    assert_eq!(record["schedulable"], true);
    assert_eq!(record["proved"], true);
    let completions: Vec<u64> = record["kernels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kernel| kernel["completion"].as_u64().unwrap())
        .collect();
    assert_eq!(completions, [4, 10, 12, 11]);
}

#[test]
fn drawings_and_report() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    for name in ["a.svg", "a.csv", "a.json"] {
        warpspan(&[PAPER, "--method", "simulate", "--schedule", &at(name)]).assert().success();
    }
    let csv = std::fs::read_to_string(at("a.csv")).unwrap();
    assert!(
        csv.starts_with("kernel,launch,multiprocessor,start,end,blocks,rounds\nK1,1,1,0,4,1,1\n"),
        "{csv}"
    );
    let blocks: u64 =
        csv.lines().skip(1).map(|line| line.split(',').nth(5).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(blocks, 2 + 7 + 2 + 5);
    let stays: Vec<Value> = serde_json::from_slice(&std::fs::read(at("a.json")).unwrap()).unwrap();
    assert_eq!(stays.len() + 1, csv.lines().count());
    let svg = std::fs::read_to_string(at("a.svg")).unwrap();
    assert!(svg.contains("K2, launch 1: 3 blocks on multiprocessor 2, from 0 to 6"));
    warpspan(&[PAPER, "--schedule", &at("a.png")])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(".csv, .json or .svg"));

    let record = warpspan(&[PAPER, "--format", "json", "--with-schedule"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    std::fs::write(at("run.jsonl"), record).unwrap();
    let mut report = Command::cargo_bin("warpspan").unwrap();
    report.args(["report", &at("run.jsonl"), "-o", &at("page")]).assert().success();
    let page = std::fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(page.contains("Blocks on multiprocessors") && page.contains("K2, launch 1: 3 blocks"));
}

#[test]
fn the_chain_from_a_string_to_response_times() {
    let record = json(&["instances/tx2-chain.toml"]);
    assert_eq!(record["proved"], true);
    for kernel in record["kernels"].as_array().unwrap() {
        let cycles = kernel["solved"]["upper"].as_f64().unwrap();
        let execution = kernel["execution"].as_f64().unwrap();
        // 1300 MHz, rounded up to a picosecond
        assert_abs_diff_eq!(execution, cycles / 1300.0, epsilon = 2e-6);
        assert!(execution * 1300.0 >= cycles);
    }
}

#[test]
fn bad_systems_are_refused_with_their_line() {
    let gpu = "[gpu]\npreset = \"jetson-tx2\"\n[[kernel]]\n";
    let kernel = |lines: &str| format!("{gpu}blocks = 1\nthreads_per_block = 512\n{lines}");
    refused(&kernel(""), "standard input:3: kernel K1: C is missing");
    refused(&kernel("execution = 0"), "standard input:6: execution = 0: want more than 0");
    refused(&kernel("execution = 1\nperiod = 0"), "standard input:7: period = 0: want more than 0");
    refused(
        &kernel("execution = 1\nrelease = -3"),
        "standard input:7: release = -3: want a number, 0 or more",
    );
    refused(&kernel("execution = 1.5"), "standard input:6: execution = 1.5: want a whole number");
    refused(&kernel("execution = 1\ncode = \"L\""), "both execution and code");
    refused(&kernel("code = \"LXL\""), "standard input:6: code = \"LXL\": character 2 is 'X'");
    refused(&kernel("code = \"LCL\""), "33 cycles are no time in ticks: want unit = \"cycles\"");
    refused(&kernel("execution = 1\nshared_memory = 65537"), "a block needs 65537 bytes of shared memory");
    refused(&kernel("execution = 1\npriod = 3"), "standard input:7: unknown field `priod`");
    refused(
        &format!("{gpu}blocks = 1\nthreads_per_block = 2049\nexecution = 1"),
        "standard input:3: kernel K1: a block needs 2080 threads in whole warps, a multiprocessor has 2048",
    );
    refused(
        &format!("{gpu}blocks = 0\nthreads_per_block = 32\nexecution = 1"),
        "standard input:4: blocks = 0",
    );
    let stream = "[[stream]]\nname = \"a\"\n";
    refused(
        &format!("{stream}{}", kernel("execution = 1\nstream = \"b\"")),
        "stream = \"b\": no [[stream]] has this name",
    );
    let two = kernel(
        "execution = 1\nstream = \"a\"\npriority = 1\n[[kernel]]\nblocks = 1\nthreads_per_block = 32\nexecution = 1\nstream = \"a\"\npriority = 2",
    );
    refused(&two, "priority = 2: stream \"a\" has priority 1, and a priority belongs to a stream");
    refused("", "standard input: no [gpu]");
    refused("[gpu]\npreset = \"jetson-tx2\"\n", "no kernel is given: want a [[kernel]] table");
    refused("[gpu]\npreset = \"tx3\"\n", "standard input:2: preset = \"tx3\": want \"jetson-tx2\"");
    refused("unit = \"weeks\"\n", "standard input:1: unit = \"weeks\": want ticks, cycles, ns, us, ms or s");
    let primes = ["1000003", "1000033", "1000037", "1000039"].map(|period| {
        format!("[[kernel]]\nblocks = 1\nthreads_per_block = 32\nexecution = 1\nperiod = {period}\n")
    });
    refused(
        &format!("[gpu]\npreset = \"jetson-tx2\"\n{}", primes.concat()),
        "want periods with common factors, or --horizon",
    );
    let huge = kernel(
        "execution = 4000000000000000000\n[[kernel]]\nblocks = 9\nthreads_per_block = 32\nexecution = 4000000000000000000",
    );
    refused(&huge, "exceed 2^62 grains of time");
    warpspan(&[PAPER, "--method", "closed-form"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("the closed form is for kernels of equal execution times"));
    warpspan(&[PAPER, "--horizon", "x"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("--horizon x: want a number"));
    warpspan(&["no-such-file.toml"]).assert().code(2).stdout("");
}

#[test]
fn an_unschedulable_system_is_an_answer_not_an_error() {
    let text = "[gpu]\npreset = \"jetson-tx2\"\n[[kernel]]\nblocks = 9\nthreads_per_block = 512\nexecution = 4\nperiod = 20\ndeadline = 7\n";
    let output =
        warpspan(&["-", "--format", "json"]).write_stdin(text).assert().success().get_output().stdout.clone();
    let record: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(record["kernels"][0]["meets"], false);
    assert_eq!(record["schedulable"], false);
}
