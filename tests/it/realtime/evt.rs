//! `time --evt`: measured times beside the bound, and an estimate that nothing rests on. The times are made up here.

use crate::common::without_identity;
use std::process::Output;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use tempfile::NamedTempFile;

/// A launch of at most 4.492225 ms, that is 5839892 cycles.
const LAUNCH: &str = "time docs/tutorial/conv.sm_87.sass --entry conv --gpu jetson-orin --grid 60x135 --block 32x8 \
                      --loop-bound .L_x_2=3 --dram-bytes 50MB:lines";

fn run(more: &str, file: Option<&NamedTempFile>) -> Output {
    let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(LAUNCH.split_whitespace()).args(more.split_whitespace());
    if let Some(file) = file {
        command.arg("--evt").arg(file.path());
    }
    command.output().unwrap()
}

fn file(text: &str) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

/// Independent times with an exponential tail, from `least` on.
fn times(least: f64, scale: f64, count: usize) -> Vec<f64> {
    let mut chance = ChaCha8Rng::seed_from_u64(4);
    (0..count).map(|_| least - scale * (1.0 - chance.random::<f64>()).ln()).collect()
}

fn lines(unit: &str, times: &[f64]) -> String {
    let lines: Vec<String> = times.iter().map(|time| format!("{time:.0}\n")).collect();
    format!("{unit}\n{}", lines.concat())
}

fn record(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// Whatever is estimated, even far above the bound and the deadline, the rest of the record and the exit code are as without it.
#[test]
fn no_verdict_depends_on_the_estimate() {
    // The longest of these is below the bound, and one launch in 1e9 takes about 7 ms by the estimate.
    let made_up = include_str!("../../data/evt/made-up.txt").lines().skip(1);
    let stretched = made_up.map(|line| 1_000.0 + 25.0 * (line.parse::<f64>().unwrap() - 2_970.0));
    let tail = file(&lines("us", &stretched.collect::<Vec<_>>()));
    for (deadline, code) in [("", 0), ("--deadline 10ms", 0), ("--deadline 4ms", 3), ("--deadline 1us", 5)] {
        let more = format!("{deadline} --format json");
        let [plain, with] = [None, Some(&tail)].map(|file| run(&more, file));
        assert_eq!((plain.status.code(), with.status.code()), (Some(code), Some(code)), "{deadline}");
        let [plain, mut with] = [record(&plain), record(&with)].map(without_identity);
        let estimate = with.as_object_mut().unwrap().remove("estimate").unwrap();
        with["numbers"].as_array_mut().unwrap().retain(|number| number["side"] != "estimate");
        assert_eq!(plain, with, "{deadline}");
        assert_eq!(estimate["side"], "estimate");
        let methods = estimate["methods"].as_array().unwrap();
        let supported = methods.iter().find(|method| method["unsupported"].is_null());
        let last = &supported.unwrap_or_else(|| panic!("{estimate}"))["levels"][6];
        assert_eq!(last["probability"], 1e-9);
        assert!(last["time"].as_f64().unwrap() > 4_492.225, "{estimate}");
    }
}

#[test]
fn a_measured_time_above_the_bound_ends_the_command() {
    let mut all = times(3_000_000.0, 10_000.0, 1_000);
    all[41] = 4_492_225.0;
    let at_the_bound = run("--deadline 10ms", Some(&file(&lines("ns", &all))));
    assert_eq!(at_the_bound.status.code(), Some(0));
    all[41] = 4_492_226.0;
    let output = run("--deadline 10ms", Some(&file(&lines("ns", &all))));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(5), 0), "{message}");
    let want = "REFUTED: 1 of 1000 launches took longer than the bound of 4.492225 ms, launch 42 (line 43) 4.492226 ms";
    assert!(message.contains(want), "{message}");
}

#[test]
fn cycles_are_compared_with_the_bound_in_cycles() {
    let mut all = times(3_000_000.0, 10_000.0, 1_000);
    all[0] = 5_839_892.0;
    assert_eq!(run("", Some(&file(&lines("cycles", &all)))).status.code(), Some(0));
    all[0] = 5_839_893.0;
    let output = run("", Some(&file(&lines("cycles", &all))));
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8(output.stderr).unwrap().contains("launch 1 (line 2) 5839893 cycles"));
}

/// No launch takes less than its instructions need.
#[test]
fn a_measured_time_below_the_least_ends_the_command() {
    let mut all = times(3_000_000.0, 10_000.0, 1_000);
    all[7] = 1.0;
    let output = run("", Some(&file(&lines("ns", &all))));
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8(output.stderr).unwrap().contains("REFUTED: 1 of 1000 launches took less than"));
}

/// Times that grow are shown, and nothing is estimated from them.
#[test]
fn what_fails_its_tests_is_not_estimated() {
    let mut drift = 0.0;
    let later = |time: f64| {
        drift += 20.0;
        time + drift
    };
    let all: Vec<f64> = times(3_000_000.0, 10_000.0, 2_000).into_iter().map(later).collect();
    let output = run("", Some(&file(&lines("ns", &all))));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("measured      2000 launches of"), "{text}");
    assert!(text.contains("estimate      not supported: "), "{text}");
    assert!(!text.contains("one launch in"), "{text}");
}

#[test]
fn few_launches_and_a_series_of_the_scripts() {
    let output = run("", Some(&file("ns\n3000000\n")));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
    assert!(message.contains("1 launches are too few for an estimate: want 1000 or more"), "{message}");
    let spans: Vec<String> = times(3_000_000.0, 10_000.0, 1_000).iter().map(|x| format!("{x:.0}")).collect();
    let series = format!("[{{\"kernel\":\"conv\",\"measured\":true,\"spans\":[{}]}}]", spans.join(","));
    let output = run("--format json", Some(&file(&series)));
    assert_eq!(record(&output)["estimate"]["unit"], "cycles");
}
