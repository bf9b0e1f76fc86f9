//! What `time` says would lower its bound most: saying it gives the bound that is told, and nothing else lowers it more.

use assert_cmd::Command;
use serde_json::Value;

/// Launches whose bounds declarations would lower.
const LAUNCHES: [&[&str]; 6] = [
    &["docs/tutorial/conv.sm_87.sass", "--grid", "60x135", "--block", "32x8", "--loop-bound", ".L_x_2=3"],
    &[
        "tests/data/simulator/kernels.ptx",
        "--entry",
        "hist_global",
        "--grid",
        "20",
        "--block",
        "256",
        "--loop-bound",
        "623=4",
    ],
    &["tests/data/simulator/kernels.ptx", "--entry", "scatter8", "--grid", "20", "--block", "256"],
    &["tests/data/simulator/kernels.ptx", "--entry", "conv_global", "--grid", "6x6", "--block", "16x16"],
    &[
        "docs/tutorial/conv.sm_62.sass",
        "--gpu",
        "jetson-tx2",
        "--grid",
        "16",
        "--block",
        "128",
        "--loop-bound",
        ".L_x_1=3",
        "--co-running",
        "docs/tutorial/vote.sm_62.sass:vote:16:64:10ms",
    ],
    &["tests/data/code/flow.ptx", "--entry", "branches", "--grid", "100", "--block", "256"],
];

/// The record of a launch with further flags; none if they cannot be said of it.
fn record(launch: &[&str], more: &[&str]) -> Option<Value> {
    let output = Command::cargo_bin("warpspan")
        .unwrap()
        .args(["time", "--format", "json"])
        .args((!launch.contains(&"--gpu")).then_some(["--gpu", "jetson-orin"]).into_iter().flatten())
        .args(launch)
        .args(more)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).ok()
}

fn bound(record: &Value) -> u64 {
    record["bound_ns"].as_u64().unwrap()
}

#[test]
fn hints_hold_and_nothing_lowers_the_bound_more() {
    let mut pasted = 0;
    for launch in LAUNCHES {
        let plain = record(launch, &[]).unwrap();
        let hints = plain["hints"].as_array().unwrap();
        assert!(!hints.is_empty(), "{launch:?}");
        let told: Vec<u64> = hints.iter().map(|hint| hint["bound_ns"].as_u64().unwrap()).collect();
        assert!(told.is_sorted() && told.iter().all(|&told| told < bound(&plain)), "{launch:?}: {told:?}");
        for hint in hints {
            let flag = hint["flag"].as_str().unwrap().replace('\'', "");
            // Next to nothing is a byte, and the number that was tried is 1024.
            let flag = flag.replace("BYTES", "1B:lines").replace("=N", "=1024");
            let flags: Vec<&str> = flag.split(' ').collect();
            let found = bound(&record(launch, &flags).unwrap());
            let least = hint["bound_ns"].as_u64().unwrap();
            assert!(found == least, "{launch:?} {flags:?}: {found}, {least}");
            pasted += 1;
        }
        // Lines whose transactions are inferred are not open.
        let worst = plain["notes"].as_array().unwrap().iter().filter_map(Value::as_str);
        let worst: String = worst.filter(|what| what.contains("the worst case of transactions")).collect();
        let worst: Vec<&str> = worst.split([' ', ',']).collect();
        for line in plain["cycles"]["lines"].as_array().into_iter().flatten() {
            let branches =
                line["instruction"].as_str().is_some_and(|text| text.to_lowercase().contains("bra"));
            let line = line["line"].as_u64().unwrap().to_string();
            let one =
                worst.contains(&line.as_str()).then(|| ["--transactions".to_owned(), format!("{line}=1")]);
            let uniform = branches.then(|| ["--uniform".to_owned(), line]);
            for flags in uniform.into_iter().chain(one) {
                // At a branch that is uniform in any case there is nothing to say.
                let Some(found) = record(launch, &flags.each_ref().map(String::as_str)) else { continue };
                let is_told = hints.iter().any(|hint| hint["flag"] == flags.join(" "));
                let worth = bound(&found) + bound(&plain) / 100 < bound(&plain);
                let all_told = hints.len() == 3 && told.last().unwrap() <= &bound(&found);
                assert!(is_told || !worth || all_told, "{launch:?} {flags:?}: {}", bound(&found));
            }
        }
    }
    assert!(pasted >= 10, "{pasted} hints");
}
