//! What files and flags declare stands with the answer of every command that it changes, and not of `time` alone.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::{TempDir, tempdir};
use warpspan::model::assumption::Id;

use crate::common::assumption;
use crate::records::root;

pub(super) fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    std::fs::copy(root().join("docs/tutorial/conv.sm_87.sass"), folder.path().join("conv.sass")).unwrap();
    folder
}

pub(super) fn record(folder: &TempDir, args: &[&str]) -> Value {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    let output = command.current_dir(folder.path()).args(args).args(["--format", "json"]).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
}

/// The values that are declared under a name, of an entry and its machine too.
pub(super) fn declared(record: &Value, id: Id) -> Vec<String> {
    let entries = record["entries"].as_array().into_iter().flatten();
    let parts = entries.flat_map(|entry| [entry, &entry["machine"]]).chain([record]);
    let all = parts.flat_map(|part| part["assumptions"].as_array().into_iter().flatten());
    let of = all.filter(|one| one["id"] == id.name() && one["kind"] == "declared");
    of.map(|one| one["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn flags_of_code_and_machines_stand_with_bounds_of_code() {
    let folder = folder();
    let bound =
        ["--machine", "jetson-orin", "--warps", "8", "--warps-per-block", "8", "--loop-bound", ".L_x_2=3"];
    let number = |record: &Value| match &record["upper"] {
        Value::Null => record["entries"][0]["machine"]["bound"]["upper"].clone(),
        upper => upper.clone(),
    };
    for command in [&["bound", "--ptx", "conv.sass"][..], &["extract", "conv.sass"]] {
        let plain = record(&folder, &[command, &bound].concat());
        for (flag, value, id, says) in [
            ("--transactions", "*=1", Id::Transactions, "at most 1"),
            ("--latency-of", "GLOBAL=38..400", Id::LatencyOfLetter, "38 to 400 cycles"),
            ("--hold-of", "GLOBAL=1", Id::HoldOfLetter, "1 cycle"),
        ] {
            let found = record(&folder, &[command, &bound, &[flag, value]].concat());
            assert_ne!(number(&found), number(&plain), "{command:?} {flag}");
            assert_eq!(declared(&found, id), [says], "{command:?} {flag}: {found}");
            assert!(declared(&plain, id).is_empty());
        }
    }
}

pub(super) fn rta(folder: &TempDir, text: &str) -> Value {
    std::fs::write(folder.path().join("s.toml"), format!("unit = \"us\"\n{text}")).unwrap();
    record(folder, &["rta", "s.toml"])
}

#[test]
fn keys_of_a_system_stand_with_response_times() {
    let folder = folder();
    let orin = |gpu: &str, keys: &str| {
        let text = format!(
            "[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1000\n{gpu}\n[[kernel]]\nname = \"a\"\nptx = \"conv.sass\"\n\
             loop_bounds = {{ \".L_x_2\" = 3 }}\nblocks = 16\nthreads_per_block = 256\nperiod = 100000\n{keys}\n"
        );
        rta(&folder, &text)
    };
    let plain = orin("", "");
    let bound = |record: &Value| record["kernels"][0]["response_bound"].as_f64().unwrap();
    for (gpu, keys, id, says) in [
        ("", "transactions = { \"*\" = 1 }", Id::Transactions, "at most 1"),
        ("registers = 32768", "", Id::GpuResident, "registers 32768"),
        ("", "copy_in = 5", Id::LaunchCopyIn, "at most 5 us"),
    ] {
        let found = orin(gpu, keys);
        assert!((bound(&found) - bound(&plain)).abs() > 1e-6, "{gpu}{keys}");
        assert_eq!(declared(&found, id), [says], "{found}");
    }
    // More registers than the listing shows leave room for fewer blocks at once, which is no reason for a smaller bound.
    let [few, more] = ["37", "60"].map(|registers| orin("", &format!("registers_per_thread = {registers}")));
    assert!((bound(&few) - bound(&more)).abs() < 1e-9, "{more}");
    assert_eq!(declared(&more, Id::LaunchRegisters), ["60"]);
    // What refutes rests on the copies too.
    let late = "[gpu]\npreset = \"jetson-tx2\"\nclock_mhz = 1300\n[[kernel]]\nname = \"a\"\nexecution = 1\nblocks = 1\nthreads_per_block = 32\n\
                period = 100\ndeadline = 4\ncopy_in = 5\n";
    let refuted = rta(&folder, late);
    assert_eq!(refuted["verdict"], "refuted");
    assert_eq!(declared(&refuted, Id::LaunchCopyIn), ["at most 5 us"]);
    // Its bound rests on other things than the verdict does, and carries their names.
    let of = |name: &str| {
        let numbers = refuted["numbers"].as_array().unwrap();
        numbers.iter().find(|number| number["name"] == name).unwrap()["rests_on"].to_string()
    };
    let (verdict, bound) = (of("verdict"), of("a: response_bound"));
    for (text, has, has_not) in [
        (verdict, Id::ExecutionLeast, [Id::ExecutionGiven, Id::LaunchOverhead]),
        (bound, Id::LaunchOverhead, [Id::ExecutionLeast, Id::StreamPriority]),
    ] {
        assert!(text.contains(has.name()) && !has_not.iter().any(|id| text.contains(id.name())), "{text}");
    }
    let apart = refuted["bounds_rest_on"].as_array().unwrap();
    assert!(apart.iter().any(|one| one["id"] == Id::LaunchOverhead.name()), "{refuted}");
}

#[test]
fn turns_of_processes_and_the_timer_of_tiles_are_rows_however_they_are_known() {
    let folder = folder();
    let processes = std::fs::read_to_string(root().join("instances/processes-tx2.toml")).unwrap();
    let slices = |record: &Value| {
        let all = record["assumptions"].as_array().unwrap();
        let one = all.iter().find(|one| one["id"] == Id::ProcessSlices.name()).unwrap();
        (one["kind"].as_str().unwrap().to_owned(), one["value"].as_str().unwrap().to_owned())
    };
    std::fs::write(folder.path().join("p.toml"), &processes).unwrap();
    assert_eq!(
        slices(&record(&folder, &["rta", "p.toml"])).0,
        if processes.contains("slice") { "declared" } else { "sourced" }
    );
    let timer = |timer: &str| {
        let tiles = root().join("instances/kr19-least.toml");
        let found = record(&folder, &["prem", tiles.to_str().unwrap(), "--timer", timer]);
        let all = found["assumptions"].as_array().unwrap();
        all.iter().find(|one| one["id"] == Id::TilesTimer.name()).unwrap()["kind"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!([timer("1"), timer("160"), timer("1000")], ["declared"; 3]);
    // What nobody says is assumed, and not what is said to be as much.
    let tiles = std::fs::read_to_string(root().join("instances/kr19-least.toml")).unwrap();
    for (given, kind) in [("timer_ns = 1000", "declared"), ("", "assumed")] {
        std::fs::write(folder.path().join("t.toml"), tiles.replace("timer_ns = 160", given)).unwrap();
        let found = record(&folder, &["prem", "t.toml"]);
        assert_eq!(assumption(&found, Id::TilesTimer.name()).unwrap()["kind"], kind);
    }
}
