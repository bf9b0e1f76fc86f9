//! No access touches more than is inferred of it: cases for which too little once was.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;

#[test]
fn no_less_is_inferred_than_is_touched() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/transactions");
    let mut seen = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let touched: u64 = text.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
        let target = text.split_whitespace().find_map(|word| word.strip_prefix("sm_")).unwrap();
        let machine = format!("sm_{}", target.trim_end_matches(','));
        let sizes = ["--param", "blockDim.x=32", "--param", "pointers=*256"];
        let output = Command::cargo_bin("warpspan")
            .unwrap()
            .arg("extract")
            .arg(&path)
            .args(["--machine", &machine, "--format", "json"])
            .args(sizes)
            .output()
            .unwrap();
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        let memory = record["entries"][0]["memory"].as_array().unwrap();
        let most =
            memory.iter().filter(|one| one["space"] == "global").map(|one| one["sectors"].as_u64().unwrap());
        assert!(most.max().unwrap() >= touched, "{}: {memory:?}", path.display());
        seen += 1;
    }
    assert_eq!(seen, 34);
}

/// The most sectors of the loop's read in `passes/wraps.ptx` with a bound of the loop.
fn sectors_with(bound: u64) -> u64 {
    let output = Command::cargo_bin("warpspan")
        .unwrap()
        .args(["extract", "tests/data/passes/wraps.ptx", "--machine", "sm_87", "--format", "json"])
        .args(["--param", "blockDim.x=32", "--loop-bound", &format!("LOOP={bound}")])
        .output()
        .unwrap();
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let read = &record["entries"][0]["memory"][0];
    read["sectors"].as_u64().unwrap()
}

/// Words next to one another lie in 5 sectors at most, wherever they begin. With the pass in which numbers wrap, and words that
/// begin 4 bytes behind a sector, those of lanes 0 and 1 lie in two sectors and the others in four more.
#[test]
fn a_bound_of_a_loop_decides_what_its_passes_touch() {
    assert_eq!(sectors_with(20), 5);
    assert!(sectors_with(22) >= 6);
}
