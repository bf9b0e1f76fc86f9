//! `compare`: verdicts and exit codes, of listings and of results.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// A kernel of straight lines: so many loads and additions.
fn kernel(name: &str, loads: usize, additions: usize) -> String {
    let body = "ld.global.u32 %r1, [%rd1];\n".repeat(loads) + &"add.s32 %r1, %r1, 1;\n".repeat(additions);
    format!(".entry {name}()\n{{\n{body}exit;\n}}\n")
}

fn listing(kernels: &[String]) -> String {
    format!(".version 3.0\n.target sm_20\n{}", kernels.concat())
}

/// The loop of an entry is without a bound.
const OPEN: &str = ".entry open()\n{\nL: add.s32 %r1, %r1, %r2;\n@%p1 bra L;\nexit;\n}\n";

pub(super) fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

pub(super) fn compared(folder: &Path, args: &[&str]) -> (i32, Value) {
    let (code, stdout, stderr) = run(folder, &[&["compare"], args, &["--format", "json"]].concat());
    (code, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}")))
}

fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// At capability 2.0 a load takes two cycles of the load/store units and an addition one of the cores, so ten loads and
/// no additions of one warp after the other: 20 cycles a warp.
#[test]
fn a_rise_beyond_the_limit_is_refuted() {
    let old = listing(&[kernel("k", 10, 0), kernel("same", 1, 1)]);
    let new = listing(&[kernel("k", 11, 0), kernel("same", 1, 1)]);
    let folder = folder(&[("old.ptx", old), ("new.ptx", new)]);
    let files = ["old.ptx", "new.ptx", "--warps", "4", "--compute-capability", "2.0"];
    let (code, record) = compared(folder.path(), &[&files[..], &["--worse-than", "9.9%"]].concat());
    assert_eq!((code, &record["verdict"]), (5, &"worse".into()));
    let entry = &record["entries"][0];
    assert_eq!((&entry["name"], &entry["old"], &entry["new"]), (&"k".into(), &80.into(), &88.into()));
    assert_eq!((&entry["change"], &entry["percent"]), (&"larger".into(), &10.0.into()));
    assert_eq!((&entry["exceeds"], &entry["of"]), (&true.into(), &"further-warp".into()));
    // The new load is the only line that changed.
    let lines = entry["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(
        (&lines[0]["old"], &lines[0]["new"], &lines[0]["old_line"]),
        (&0.into(), &2.into(), &Value::Null)
    );
    assert_eq!(record["entries"][1]["change"], "equal");
    for (limit, expected) in [("10%", 0), ("9.99%", 5), ("0%", 5)] {
        assert_eq!(
            compared(folder.path(), &[&files[..], &["--worse-than", limit]].concat()).0,
            expected,
            "{limit}"
        );
    }
    assert_eq!(compared(folder.path(), &files).0, 0);
    assert_eq!(
        compared(
            folder.path(),
            &["new.ptx", "old.ptx", "--warps", "4", "--compute-capability", "2.0", "--worse-than", "0%"]
        )
        .0,
        0
    );
    let (code, text, _) = run(folder.path(), &[&["compare"], &files[..], &["--worse-than", "5%"]].concat());
    assert_eq!(code, 5);
    assert!(text.contains("| k     | 80 cycles | 88 cycles | +10.0% | larger by more than 5% |"), "{text}");
}

#[test]
fn what_is_missing_stands_in_the_table() {
    let old = listing(&[kernel("k", 10, 0), kernel("gone", 1, 1)]);
    let new = listing(&[OPEN.to_owned(), kernel("k", 10, 0)]);
    let folder = folder(&[("old.ptx", old), ("new.ptx", new.clone()), ("newer.ptx", new)]);
    let (code, record) =
        compared(folder.path(), &["old.ptx", "new.ptx", "--warps", "4", "--compute-capability", "2.0"]);
    assert_eq!((code, &record["verdict"]), (5, &"gone".into()));
    let flags = ["old.ptx", "new.ptx", "--warps", "4", "--compute-capability", "2.0", "--allow-gone"];
    let (code, record) = compared(folder.path(), &flags);
    assert_eq!((code, &record["verdict"], &record["allow_gone"]), (3, &"unknown".into(), &true.into()));
    let shown: Vec<(&str, &str)> = record["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["change"].as_str().unwrap()))
        .collect();
    assert_eq!(shown, [("open", "new"), ("k", "equal"), ("gone", "gone")]);
    assert!(record["entries"][0]["new_error"].as_str().unwrap().contains("--loop-bound L=N"));
    // A bound that is missing does not hide one that rises, whose exit code is the graver one.
    let worse = listing(&[OPEN.to_owned(), kernel("k", 20, 0)]);
    std::fs::write(folder.path().join("newer.ptx"), worse).unwrap();
    let args = ["old.ptx", "newer.ptx", "--warps", "4", "--compute-capability", "2.0", "--worse-than", "5%"];
    assert_eq!(compared(folder.path(), &args).0, 5);
    // A label need only be one of either version.
    let args = [&flags[..], &["--loop-bound", "L=3"]].concat();
    assert_eq!(compared(folder.path(), &args).0, 0);
    let (code, _, stderr) = run(folder.path(), &[&["compare"], &args[..], &["--loop-bound", "M=3"]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("\"M\" is no loop"), "{stderr}");
    assert_eq!(
        compared(
            folder.path(),
            &["old.ptx", "new.ptx", "--warps", "4", "--compute-capability", "2.0", "--entry", "k"]
        )
        .0,
        0
    );
    // A comparison of nothing is no good news.
    assert_eq!(
        compared(
            folder.path(),
            &[
                "old.ptx",
                "new.ptx",
                "--warps",
                "4",
                "--compute-capability",
                "2.0",
                "--entry",
                "gone",
                "--allow-gone"
            ]
        )
        .0,
        3
    );
}

/// Results in JSON give the same entries as the listings that they are from.
#[test]
fn results_are_compared_like_their_listings() {
    let old = listing(&[kernel("k", 10, 3), kernel("same", 1, 1)]);
    let new = listing(&[kernel("k", 12, 1), kernel("same", 1, 1)]);
    let folder = folder(&[("old.ptx", old), ("new.ptx", new)]);
    for machine in [&[][..], &["--machine", "8.6"]] {
        let flags = [&["--warps", "4"][..], machine].concat();
        for name in ["old", "new"] {
            let listing = format!("{name}.ptx");
            let args = [&["extract", &*listing][..], &flags, &["--format", "json"]].concat();
            let (_, stdout, _) = run(folder.path(), &args);
            std::fs::write(folder.path().join(format!("{name}.json")), stdout).unwrap();
        }
        let (code, of_listings) = compared(folder.path(), &[&["old.ptx", "new.ptx"], &flags[..]].concat());
        let (same_code, of_results) = compared(folder.path(), &["old.json", "new.json"]);
        assert_eq!((code, same_code), (0, 0));
        // Only records have the hashes of their listings.
        let entries = |found: &Value| {
            let mut entries = found["entries"].clone();
            let each = entries.as_array_mut().unwrap().iter_mut();
            each.for_each(|entry| _ = entry.as_object_mut().unwrap().remove("differs"));
            entries
        };
        assert_eq!(entries(&of_listings), entries(&of_results));
        assert!(!of_listings["entries"][0]["lines"].as_array().unwrap().is_empty());
    }
}

/// Lines of the source are compared where both versions name them; the changes add up to that of the critical path, but
/// for what belongs to no line.
#[test]
fn lines_of_the_source() {
    let body = |loads: usize| {
        let line = |number: usize| format!(".loc 1 {number} 1\n");
        let loads = "ld.global.u32 %r1, [%rd1];\n".repeat(loads);
        format!(
            ".version 3.0\n.target sm_20\n.file 1 \"/x/k.cu\"\n.entry k()\n{{\n{}{loads}{}add.s32 %r1, %r1, 1;\nexit;\n}}\n",
            line(7),
            line(9)
        )
    };
    let folder = folder(&[("old.ptx", body(2)), ("new.ptx", body(5))]);
    let (_, record) =
        compared(folder.path(), &["old.ptx", "new.ptx", "--warps", "4", "--compute-capability", "2.0"]);
    let lines = record["entries"][0]["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let one = &lines[0];
    assert_eq!((&one["file"], &one["old_line"], &one["new_line"]), (&"k.cu".into(), &7.into(), &7.into()));
    assert_eq!((&one["old"], &one["new"], &one["change"]), (&4.into(), &10.into(), &6.into()));
}

#[test]
fn other_results() {
    let record = |ns: &str, reason: &str| {
        format!(
            "{{\"schema\":\"warpspan/time/1\",\"version\":\"0.2.0\",\"entry\":\"conv\",\"gpu\":\"jetson-tx2\",\"blocks\":4,\
             \"threads_per_block\":64,\"bound_ns\":{ns},\"reason\":{reason},\"more\":[1]}}\n"
        )
    };
    let folder = folder(&[
        ("old.json", record("1000", "null")),
        ("new.json", record("1051", "null")),
        ("none.json", record("null", "\"no bound for loop L\"")),
        ("other.json", record("1000", "null").replace("\"blocks\":4", "\"blocks\":5")),
        ("text.json", "{\"schema\":\"warpspan/prem/2\"}\n".to_owned()),
    ]);
    let (code, found) = compared(folder.path(), &["old.json", "new.json", "--worse-than", "5%"]);
    assert_eq!((code, &found["entries"][0]["unit"]), (5, &"ns".into()));
    assert_eq!(compared(folder.path(), &["old.json", "new.json", "--worse-than", "5.1%"]).0, 0);
    // Those of other versions are compared with it, and so are those of today.
    let today = <warpspan::records::Time as warpspan::records::Body>::SCHEMA;
    for schema in ["warpspan/time/2", "warpspan/time/3", today] {
        let text = record("1000", "null").replace("warpspan/time/1", schema);
        std::fs::write(folder.path().join("version.json"), text).unwrap();
        assert_eq!(compared(folder.path(), &["old.json", "version.json"]).0, 0, "{schema}");
    }
    // What lines add stands in records of `time` too, unless the list was cut.
    let cost = |adds: u32, share: f64| {
        format!(
            "{{\"own_issue\":\"{adds}\",\"own_latency\":\"0\",\"others_unit\":\"0\",\"others_slots\":\"0\",\"adds\":\"{adds}\",\"share\":{share}}}"
        )
    };
    let with_lines = |text: String, adds: u32, share: f64| {
        let line = format!("{{\"line\":7,\"instruction\":\"LDG R0, [R2]\",\"cost\":{}}}", cost(adds, share));
        text.replace("\"more\"", &format!("\"cycles\":{{\"lines\":[{line}]}},\"more\""))
    };
    for (share, count) in [(100.0, 1), (60.0, 0)] {
        std::fs::write(folder.path().join("a.json"), with_lines(record("1000", "null"), 900, share)).unwrap();
        std::fs::write(folder.path().join("b.json"), with_lines(record("1100", "null"), 990, share)).unwrap();
        let (_, found) = compared(folder.path(), &["a.json", "b.json"]);
        let lines = found["entries"][0]["lines"].as_array();
        assert_eq!(lines.map_or(0, Vec::len), count);
        assert!(lines.is_none_or(|lines| lines[0]["change"] == 90 && found["entries"][0]["of"] == "kernel"));
    }
    let (code, found) = compared(folder.path(), &["old.json", "none.json", "--worse-than", "5%"]);
    assert_eq!((code, &found["entries"][0]["new_error"]), (3, &"no bound for loop L".into()));
    // Another launch is a row of its own, and no comparison.
    let (code, found) = compared(folder.path(), &["old.json", "other.json", "--worse-than", "0%"]);
    let entry = &found["entries"][0];
    assert_eq!((code, &found["verdict"], &entry["change"]), (3, &"unknown".into(), &"not-comparable".into()));
    assert_eq!((&entry["because"], &entry["percent"]), (&"not comparable: grid 4 -> 5".into(), &Value::Null));
    for (args, message) in [
        (&["old.json", "text.json"][..], "text.json:1: "),
        (&["old.json", "new.json", "--warps", "4"], "--warps: the files hold results, not listings"),
        (&["old.json", "new.json", "--worse-than", "5"], "want a percentage such as 5% or 0.5%"),
    ] {
        let (code, stdout, stderr) = run(folder.path(), &[&["compare"], args].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
    // Of `rta`, the response bounds of the kernels.
    let system = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("instances/pa19-scenario-2.toml");
    let (_, stdout, _) = run(folder.path(), &["rta", system.to_str().unwrap(), "--format", "json"]);
    std::fs::write(folder.path().join("rta.json"), &stdout).unwrap();
    let slower = stdout.replace("\"response_bound\":12", "\"response_bound\":13");
    assert_ne!(slower, stdout);
    std::fs::write(folder.path().join("slower.json"), slower).unwrap();
    assert_eq!(compared(folder.path(), &["rta.json", "rta.json", "--worse-than", "0%"]).0, 0);
    let (code, found) = compared(folder.path(), &["rta.json", "slower.json", "--worse-than", "8%"]);
    assert_eq!(code, 5);
    let exceeding: Vec<&str> = found["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["exceeds"] == true)
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(exceeding, ["K3"]);
}

/// A bound on a machine says nothing of one of the paper's model, nor of another machine.
#[test]
fn records_of_other_machines_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let record = |name: &str, flags: &[&str]| {
        let path = folder.path().join(name);
        let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        command.args(["bound", "--ptx", "tests/data/code/straight.ptx", "--warps", "8", "--format", "json"]);
        std::fs::write(&path, command.args(flags).output().unwrap().stdout).unwrap();
        path
    };
    let known = record("known.json", &[]);
    for (name, flags) in
        [("paper.json", ["--compute-capability", "2.0"]), ("orin.json", ["--machine", "jetson-orin"])]
    {
        let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
        let output = command.arg("compare").arg(&known).arg(record(name, &flags)).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}: {said}");
        assert!(said.contains("not comparable: 8 warps on "), "{said}");
    }
    let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
    command.arg("compare").arg(&known).arg(record("again.json", &[])).assert().success();
}

/// Listings that are compared say what both bounds rest on, and a bound that is lower only because of what is declared is not one of the code.
#[test]
fn a_declaration_about_a_listing_is_no_improvement() {
    let of_walk = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/walk/files").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let declared = |most: u32| of_walk("declared.toml").replace("most = 8", &format!("most = {most}"));
    let folder = folder(&[("k.ptx", of_walk("k.ptx")), ("old.toml", declared(9)), ("new.toml", declared(2))]);
    let args = ["k.ptx", "k.ptx", "--warps", "4", "--machine", "jetson-orin"];
    let (code, found) = compared(
        folder.path(),
        &[&args[..], &["--declare", "new.toml", "--declare-old", "old.toml"]].concat(),
    );
    let entry = &found["entries"][0];
    assert_eq!((code, &entry["change"]), (0, &"not-by-code".into()), "{found}");
    assert!(
        entry["because"].as_str().unwrap().starts_with("lower only because of what is declared"),
        "{entry}"
    );
    let differs = entry["differs"].as_array().unwrap();
    assert!(differs.iter().any(|one| one["id"] == "loop.bound"), "{entry}");
    // What is declared of both leaves a trace too.
    let (_, found) =
        compared(folder.path(), &[&args[..], &["--declare", "new.toml", "--latency-of", "INT=1"]].concat());
    let ids: Vec<&str> =
        found["assumptions"].as_array().unwrap().iter().filter_map(|one| one["id"].as_str()).collect();
    assert!(ids.contains(&"loop.bound") && ids.contains(&"latency.of-letter"), "{found}");
    assert_eq!(found["numbers"][0]["rests_on"].as_array().map(|all| all.len() > 1), Some(true), "{found}");
}
