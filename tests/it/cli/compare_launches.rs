//! `compare` of launches: a bound that falls because of a declaration is called that, and never an improvement of the code.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::compare::{compared, run};

/// A listing with its source, and a launch of it; further tables and options by the tests.
const LAUNCH: &str = "[defaults]\nlisting = \"conv.sass\"\ngpu = \"jetson-orin\"\ngrid = \"60x135\"\nblock = \"32x8\"\n\
                      loop-bound = \".L_x_2=3\"\ndeadline = \"10ms\"\n";

/// A folder with the record `old.json` of that launch.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("conv.sass"), listing()).unwrap();
    answer(folder.path(), "old.json", "[[kernel]]\nname = \"k\"\n");
    folder
}

fn listing() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial/conv.sm_87.sass");
    std::fs::read_to_string(path).unwrap()
}

/// Writes the record of a budget.
fn answer(folder: &Path, name: &str, kernels: &str) {
    std::fs::write(folder.join("b.toml"), format!("{LAUNCH}{kernels}")).unwrap();
    let (_, _, stderr) = run(folder, &["budget", "b.toml", "-o", name]);
    assert_eq!(stderr, "");
}

/// What `compare` says of the first kernel of a budget, and its exit code.
fn of_kernel(folder: &Path, kernels: &str) -> (i32, Value) {
    answer(folder, "new.json", kernels);
    let (code, found) = compared(folder, &["old.json", "new.json", "--worse-than", "1%"]);
    (code, found["entries"][0].clone())
}

/// What differs, and in what.
fn differs(entry: &Value) -> Vec<(&str, &str)> {
    let all = entry["differs"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().map(|one| (one["what"].as_str().unwrap(), one["id"].as_str().unwrap_or_default())).collect()
}

const FEWER: &str = "loop-bound = \".L_x_2=2\"\n";

#[test]
fn a_declaration_is_no_improvement() {
    let folder = folder();
    let kernel = "[[kernel]]\nname = \"k\"\n";
    for (more, because, expected) in [
        (FEWER, "lower only because of what is declared", &[("declared", "loop.bound")][..]),
        ("dram-bytes = \"1MB\"\n", "lower only because of what is declared", &[("declared", "dram.bytes")]),
        ("dram-rate = \"190GB/s\"\n", "lower only because of what is declared", &[("declared", "dram.rate")]),
    ] {
        let (code, entry) = of_kernel(folder.path(), &format!("{kernel}{more}"));
        assert_eq!(
            (code, &entry["change"], &entry["because"]),
            (0, &"not-by-code".into(), &because.into()),
            "{entry}"
        );
        assert_eq!(differs(&entry), expected, "{entry}");
    }
    let (_, entry) = of_kernel(folder.path(), &format!("{kernel}{FEWER}"));
    let difference = &entry["differs"][0];
    let says = ["subject", "old", "new"].map(|key| difference[key].as_str().unwrap());
    assert_eq!(says, ["loop .L_x_2 (line 139)", "at most 3 iterations", "at most 2 iterations"]);
    // What makes the bound larger is told too, and fails as ever.
    let (code, entry) = of_kernel(folder.path(), &format!("{kernel}clock = 600\n"));
    let because = "larger only because of what is declared and what is assumed";
    assert_eq!((code, &entry["change"], &entry["because"]), (5, &"larger".into(), &because.into()));
    let expected = [("declared", "clock.declared"), ("assumed", "clock.highest"), ("clock", "")];
    assert_eq!(differs(&entry), expected);
    // A deadline is none of the bound.
    let (code, entry) = of_kernel(folder.path(), &format!("{kernel}deadline = \"20ms\"\n"));
    assert_eq!((code, &entry["change"], &entry["because"]), (0, &"equal".into(), &Value::Null));
    assert_eq!(entry["differs"], json!([{ "what": "deadline", "old": "10 ms", "new": "20 ms" }]));
}

#[test]
fn code_and_declarations_that_both_changed_are_both_named() {
    let folder = folder();
    let kernel = "[[kernel]]\nname = \"k\"\n";
    // A cheaper instruction, and all lines of the listing a line further down.
    let other = format!("\n{}", listing().replacen("LDG.E", "MOV", 1));
    assert_ne!(other.trim_start(), listing().trim_start());
    std::fs::write(folder.path().join("conv.sass"), &other).unwrap();
    let (code, entry) = of_kernel(folder.path(), &format!("{kernel}{FEWER}"));
    let because = "lower: both the code and what is declared changed";
    assert_eq!((code, &entry["change"], &entry["because"]), (0, &"mixed".into(), &because.into()), "{entry}");
    // The same declaration of a loop that stands in another line is no other declaration.
    let (_, entry) = of_kernel(folder.path(), kernel);
    assert!(differs(&entry).iter().all(|(what, _)| *what != "declared"), "{entry}");
    assert_eq!((&entry["change"], &entry["because"]), (&"smaller".into(), &Value::Null), "{entry}");
}

/// The same name for a cheaper kernel is no improvement either.
#[test]
fn another_entry_of_a_name_is_told() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let old = std::fs::read_to_string(path("old.json")).unwrap();
    let other = old
        .replace("\"entry\":\"conv\"", "\"entry\":\"tiny\"")
        .replace("\"bound_ns\":9927724", "\"bound_ns\":9000");
    // Other instructions too.
    std::fs::write(path("new.json"), other.replace("LDG.E", "MOV")).unwrap();
    let (_, found) = compared(folder.path(), &["old.json", "new.json"]);
    let entry = &found["entries"][0];
    let because = "lower: both the code and the entry changed";
    assert_eq!((&entry["change"], &entry["because"]), (&"mixed".into(), &because.into()), "{entry}");
    assert!(
        entry["differs"]
            .as_array()
            .unwrap()
            .contains(&json!({ "what": "entry", "old": "conv", "new": "tiny" }))
    );
}

#[test]
fn another_launch_is_a_row_and_fails() {
    let folder = folder();
    for (more, because) in [
        ("grid = \"120x135\"", "grid 60x135 -> 120x135"),
        // As many blocks, in another shape.
        ("grid = \"135x60\"", "grid 60x135 -> 135x60"),
        ("block = \"256\"", "block 32x8 -> 256"),
        ("gpu = \"jetson-orin-nano\"", "gpu jetson-orin -> jetson-orin-nano"),
    ] {
        let kernels = format!("[[kernel]]\nname = \"k\"\n{more}\n[[kernel]]\nname = \"other\"\n");
        answer(folder.path(), "new.json", &kernels);
        let (code, found) = compared(folder.path(), &["old.json", "new.json"]);
        let entry = &found["entries"][0];
        assert_eq!((code, &entry["change"]), (3, &"not-comparable".into()), "{found}");
        assert!(
            entry["because"].as_str().unwrap().starts_with(&format!("not comparable: {because}")),
            "{entry}"
        );
        assert_eq!((&entry["percent"], &entry["lines"]), (&Value::Null, &Value::Null));
        assert_eq!(found["entries"][1]["change"], "new");
    }
}

/// The GPU of the file of a system has no name.
#[test]
fn a_gpu_of_a_file_is_known_by_its_multiprocessors() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let old =
        std::fs::read_to_string(path("old.json")).unwrap().replace("\"gpu\":\"jetson-orin\"", "\"gpu\":null");
    let new = old.replace("\"multiprocessors\":16", "\"multiprocessors\":8");
    assert_ne!(old, new);
    std::fs::write(path("old.json"), old).unwrap();
    std::fs::write(path("new.json"), new).unwrap();
    let (code, found) = compared(folder.path(), &["old.json", "new.json"]);
    let because = found["entries"][0]["because"].as_str().unwrap();
    assert_eq!(code, 3);
    assert!(
        because.starts_with("not comparable: gpu ") && because.ends_with(" with 8 multiprocessors"),
        "{because}"
    );
}

#[test]
fn a_kernel_that_is_gone_fails_unless_it_may_be() {
    let folder = folder();
    answer(folder.path(), "new.json", "[[kernel]]\nname = \"k\"\n");
    answer(folder.path(), "old.json", "[[kernel]]\nname = \"k\"\n[[kernel]]\nname = \"slow\"\nclock = 600\n");
    let (code, found) = compared(folder.path(), &["old.json", "new.json"]);
    assert_eq!((code, &found["verdict"]), (5, &"gone".into()));
    let (code, found) = compared(folder.path(), &["old.json", "new.json", "--allow-gone"]);
    assert_eq!((code, &found["verdict"]), (0, &"within".into()));
}

/// Hashes of what was read decide where both records have them.
#[test]
fn hashes_of_inputs_decide() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let record =
        |name: &str| -> Value { serde_json::from_slice(&std::fs::read(path(name)).unwrap()).unwrap() };
    let write = |name: &str, record: &Value| std::fs::write(path(name), record.to_string()).unwrap();
    answer(folder.path(), "new.json", &format!("[[kernel]]\nname = \"k\"\n{FEWER}"));
    let (old, new) = (record("old.json"), record("new.json"));
    let with = |record: &Value, listing: &str, machine: &str| {
        let mut record = record.clone();
        let file = record["kernels"][0]["listing"].clone();
        record["kernels"][0]["arguments"]
            .as_array_mut()
            .unwrap()
            .extend(["--machine".into(), "m.toml".into()]);
        record["inputs"] = json!([
            { "file": "b.toml", "sha256": "00" },
            { "file": file, "sha256": listing },
            { "file": "m.toml", "sha256": machine },
            { "file": "not-of-this-kernel.toml", "sha256": listing },
        ]);
        record
    };
    write("old.json", &with(&old, "aa", "bb"));
    for (record, change, because, file) in [
        (with(&new, "aa", "bb"), "not-by-code", "lower only because of what is declared", false),
        (with(&new, "cc", "bb"), "mixed", "lower: both the code and what is declared changed", false),
        (
            with(&new, "aa", "cc"),
            "not-by-code",
            "lower only because of what is declared and a file that it rests on",
            true,
        ),
    ] {
        write("new.json", &record);
        let (_, found) = compared(folder.path(), &["old.json", "new.json"]);
        let entry = &found["entries"][0];
        assert_eq!((&entry["change"], &entry["because"]), (&change.into(), &because.into()), "{entry}");
        let files: Vec<&Value> =
            entry["differs"].as_array().unwrap().iter().filter(|one| one["what"] == "file").collect();
        assert_eq!(files.len(), usize::from(file));
        assert!(files.iter().all(|one| one["subject"] == "m.toml"));
    }
}

/// Of another version of the program nothing is said to be by the code alone, nor of a record that does not list what it rests on.
#[test]
fn what_is_not_known_is_no_improvement() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let old = std::fs::read_to_string(path("old.json")).unwrap();
    let lower = old.replace("\"bound_ns\":9927724", "\"bound_ns\":9000000");
    assert_ne!(lower, old);
    std::fs::write(path("new.json"), &lower).unwrap();
    let entry = |args: &[&str]| compared(folder.path(), args).1["entries"][0].clone();
    let same = entry(&["old.json", "new.json"]);
    assert_eq!(
        (&same["change"], &same["because"]),
        (&"not-by-code".into(), &"lower, though the code is the same".into())
    );
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    std::fs::write(path("new.json"), lower.replacen(&version, "\"version\":\"9.9.9\"", 1)).unwrap();
    let other = entry(&["old.json", "new.json"]);
    assert_eq!(
        (&other["change"], &other["because"]),
        (&"not-by-code".into(), &"lower only because of the program".into())
    );
    // Records of the first versions have no list of assumptions.
    let time = |bound: u64| {
        json!({ "schema": "warpspan/time/1", "version": "0.1.0", "entry": "k", "gpu": "jetson-orin", "blocks": 4,
                "threads_per_block": 64, "bound_ns": bound, "reason": null })
    };
    std::fs::write(path("a.json"), time(1000).to_string()).unwrap();
    std::fs::write(path("b.json"), time(900).to_string()).unwrap();
    let first = entry(&["a.json", "b.json"]);
    let because = "lower; the records do not both list what they rest on";
    assert_eq!((&first["change"], &first["because"]), (&"mixed".into(), &because.into()));
}

#[test]
fn markdown_is_a_table_for_a_pull_request() {
    let folder = folder();
    let kernels = format!("[[kernel]]\nname = \"k\"\n{FEWER}[[kernel]]\nname = \"a|b\"\n");
    answer(folder.path(), "new.json", &kernels);
    let args = ["compare", "old.json", "new.json", "--format", "markdown"];
    let (code, text, stderr) = run(folder.path(), &args);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(
        text.starts_with("### bounds of `new.json` since `old.json`: all bounds known\n\n| entry |"),
        "{text}"
    );
    let rows: Vec<&str> =
        text.lines().take_while(|line| !line.starts_with('-')).filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 4, "{text}");
    assert!(
        rows[2].starts_with("| `k` | ") && rows[2].ends_with(" | lower only because of what is declared |"),
        "{text}"
    );
    assert!(rows[3].starts_with("| `a\\|b` | none | "), "{text}");
    assert!(
        text.contains(
            "- declared: k: loop .L\\_x\\_2 (line 139): at most 3 iterations -\\> at most 2 iterations"
        ),
        "{text}"
    );
    let folded = text.split_once("<details><summary>What lines add, line by line</summary>").unwrap().1;
    assert!(
        folded.contains("k: cycles of the kernel, line by line") && folded.ends_with("</details>\n"),
        "{text}"
    );
    // What fails stands out.
    let (code, text, _) = run(
        folder.path(),
        &["compare", "new.json", "old.json", "--worse-than", "5%", "--format", "markdown"],
    );
    assert_eq!(code, 5);
    assert!(text.contains("| **larger by more than 5%** |") && text.contains("| **gone** |"), "{text}");
}
