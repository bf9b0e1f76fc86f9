//! `prem --measured`: measured times beside the schedule and its bound.

use assert_cmd::Command;
use serde_json::{Value, json};

/// Two kernels of a block of two tiles of 10 + 20 + 5 ns, which stay apart.
const TILES: &str = "kernels = 2\ntiles = 2\ntimer_ns = 1\nmode = \"phase-kernel\"\n[phases]\nprefetch_ns = 10\ncompute_ns = 20\nwriteback_ns = 5\n";

fn run(tiles: &str, measured: &str) -> (i32, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiles.toml"), tiles).unwrap();
    std::fs::write(folder.path().join("m.json"), measured).unwrap();
    let mut warpspan = Command::cargo_bin("warpspan").unwrap();
    let args = ["prem", "tiles.toml", "--measured", "m.json", "--format", "json"];
    let output = warpspan.current_dir(&folder).args(args).output().unwrap();
    let record = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().unwrap(), record, String::from_utf8(output.stderr).unwrap())
}

/// A run in which both kernels start together and end at these times, with starts and ends of phases.
fn recorded(ends: [u64; 2]) -> Value {
    json!({
        "nofThreads": "32", "nofBlocks": "1", "nofKernel": "2", "nof_repetitions": 1, "tileCount": 2,
        "prefetchtimes": [0, 10, 40, 50, 5, 15, 55, 65, 999],
        "computetimes": ["10", "30", "50", "70", "15", "35", "65", "85"],
        "writebacktimes": [20, 5, 5, 5],
        "blocktimes": [0, ends[0], 0, ends[1]],
        "kerneltimes": ["0.1", "0.1"], "smid": [0, 1]
    })
}

/// Two numbers of one tile are its start and its end.
#[test]
fn one_tile_may_have_a_start_and_an_end() {
    let tiles = TILES.replace("kernels = 2\ntiles = 2", "kernels = 1\ntiles = 1");
    let measured = json!({
        "nofThreads": 32, "nofBlocks": 1, "nofKernel": 1, "nof_repetitions": 1, "tileCount": 1, "smid": [0],
        "prefetchtimes": [1000, 1010], "computetimes": [1010, 1030], "writebacktimes": [1030, 1035],
        "blocktimes": [1000, 1035]
    });
    let (code, record, stderr) = run(&tiles, &measured.to_string());
    assert_eq!((code, &record["phases"][0]["longest_ns"]), (0, &json!(10)), "{stderr}");
}

/// Phases as pairs with a number too many, and as durations; what is above a duration refutes what the bound takes for
/// granted, and a run above the bound refutes it.
#[test]
fn measured_times_beside_the_bound() {
    let (code, record, stderr) = run(TILES, &recorded([75, 90]).to_string());
    assert_eq!(code, 5, "{stderr}");
    assert_eq!((&record["longest_ns"], &record["assumption"]), (&json!(90), &json!("apart")));
    let prefetch = &record["phases"][0];
    assert_eq!(
        (&prefetch["longest_ns"], &prefetch["median_ns"], &prefetch["above"]),
        (&json!(10), &json!(10), &json!(0))
    );
    let writeback = &record["phases"][2];
    assert_eq!(
        (&writeback["longest_ns"], &writeback["longest_later_ns"], &writeback["above"]),
        (&json!(20), &json!(5), &json!(1))
    );
    assert_eq!((&record["breaks"], &record["exceeds"]), (&json!(true), &json!(false)));
    // Writebacks were recorded without their starts, so overlaps are not known.
    assert_eq!(record["overlaps"], Value::Null);
    let mut whole = recorded([75, 90]);
    whole["writebacktimes"] = json!([30, 35, 70, 75, 35, 40, 85, 90]);
    let (code, record, stderr) = run(TILES, &whole.to_string());
    assert_eq!(code, 0, "{stderr}");
    // Prefetches 0-10 and 5-15 overlap; 30-35 only touches 35-40; 40-50 and 35-40 touch; 55-65 and 70-75 are alone.
    assert_eq!(record["overlaps"], json!({"between_kernels": 1, "within_kernels": 0, "most_at_once": 2}));
    whole["blocktimes"] = json!([0, 75, 0, 100_000]);
    let (code, record, _) = run(TILES, &whole.to_string());
    assert_eq!((code, &record["exceeds"]), (5, &json!(true)));
    // A timer of 160 ns may make a time seem longer by less than that.
    let coarse = TILES.replace("timer_ns = 1", "timer_ns = 160");
    let (code, record, _) = run(&coarse, &recorded([75, 90]).to_string());
    assert_eq!((code, &record["breaks"]), (0, &json!(false)));
    // Without a bound there is nothing to refute, and the exit code says so.
    let tiles = TILES.replace("phase-kernel", "tile-kernel");
    let overlapping = format!("{tiles}[offsets]\nprefetch_ns = 0\n");
    let (code, record, _) = run(&overlapping, &recorded([75, 90]).to_string());
    assert_eq!((code, &record["execution_ns"]), (3, &Value::Null));
}

/// Two runs: the runs of a kernel stand together in the file.
#[test]
fn runs_are_told_apart() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let text = std::fs::read_to_string(format!("{folder}/tests/data/prem/measured.json")).unwrap();
    let tiles = std::fs::read_to_string(format!("{folder}/instances/kr19-offset-1300.toml")).unwrap();
    let (code, record, stderr) = run(&tiles, &text);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(
        (&record["runs"], &record["shortest_ns"], &record["longest_ns"]),
        (&json!(2), &json!(2_665_480), &json!(2_668_680))
    );
}

#[test]
fn a_wrong_file_gets_one_clear_line() {
    let good = recorded([75, 90]);
    let with = |key: &str, value: Value| {
        let mut file = good.clone();
        file[key] = value;
        file.to_string()
    };
    let without = |key: &str| {
        let mut file = good.clone();
        file.as_object_mut().unwrap().remove(key);
        file.to_string()
    };
    for (text, message) in [
        (String::new(), "m.json:1: EOF while parsing"),
        ("[]".into(), "m.json:1: "),
        ("{\n\"nofThreads\": 1,\n\"x\"".into(), "m.json:3: "),
        (without("nofKernel"), "missing field `nofKernel`"),
        (without("blocktimes"), "missing field `blocktimes`"),
        (without("tileCount"), "m.json: no tileCount: want the tiles of a block"),
        (without("computetimes"), "m.json: no computetimes: want those of all three phases, or of none"),
        (with("nofBlocks", json!("two")), "expected a whole number of 0 or more"),
        (with("nofBlocks", json!(-1)), "expected a whole number of 0 or more"),
        (with("nofBlocks", json!(1.5)), "expected a whole number of 0 or more"),
        (with("nofBlocks", json!(0)), "m.json: nofBlocks = 0: want 1 or more"),
        (with("nofBlocks", json!(9000)), "m.json: nofBlocks = 9000: want 8192 or less"),
        (
            with("nof_repetitions", json!(u64::MAX)),
            "nof_repetitions = 18446744073709551615: want 1073741824 or less",
        ),
        (
            with("nof_repetitions", json!(2)),
            "m.json: blocktimes has 4 numbers: want 8, the start and the end",
        ),
        (
            with("tileCount", json!(3)),
            "m.json: prefetchtimes has 9 numbers: want 6 durations, or 12 starts and ends",
        ),
        (with("blocktimes", json!([5, 4, 0, 1])), "m.json: blocktimes holds an end of 4 after a start of 5"),
        (
            with("blocktimes", json!([0, u64::MAX, 0, 1])),
            "m.json: blocktimes holds 18446744073709551615: want",
        ),
        (
            with("nofKernel", json!(1)).replace("[0,75,0,90]", "[0,75]"),
            "has 9 numbers: want 2 durations, or 4",
        ),
    ] {
        let (code, record, stderr) = run(TILES, &text);
        assert_eq!((code, stderr.lines().count(), record), (2, 1, Value::Null), "{message}: {stderr}");
        assert!(stderr.contains(message), "{stderr}\n{message}");
    }
    // A good file of other kernels.
    let (code, _, stderr) = run(&TILES.replace("kernels = 2", "kernels = 3"), &good.to_string());
    assert_eq!(code, 2);
    assert!(stderr.contains("m.json: nofKernel = 2, and the file has 3: want as many"), "{stderr}");
    let (_, _, stderr) = run(&TILES.replace("tiles = 2", "tiles = 3"), &good.to_string());
    assert!(stderr.contains("m.json: tileCount = 2, and the file has 3: want as many"), "{stderr}");
}
