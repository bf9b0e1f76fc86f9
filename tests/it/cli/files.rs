//! Files that commands read and write: each result names its file, and no file is left without a result.
use std::path::Path;

use assert_cmd::Command;

fn warpspan(args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap()
}

/// A task that no partition can hold.
const IMPOSSIBLE: &str = "multiprocessors = 2\n[[task]]\nname = \"t\"\nperiod = 10\ndeadline = 10\nkind = \"compute\"\n\
                          a = 100\nb = 0\nk = 1\n";

/// Where there is nothing to write, no empty file is left, and an old file keeps its content.
#[test]
fn no_empty_file_passes_for_a_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("tasks.toml"), IMPOSSIBLE).unwrap();
    std::fs::write(path("k.toml"), "kernels = 2\ntiles = 5\n").unwrap();
    let best = path("best.svg");
    for (args, file) in [
        (vec!["partition", &path("tasks.toml"), "--chart"], path("chart.svg")),
        (vec!["partition", &path("tasks.toml"), "--format", "csv", "--chart"], path("chart.svg")),
        (vec!["solve", "--kernel", "LLCLL", "--warps", "20", "--time-limit", "0s", "--best-schedule"], best),
        (
            vec![
                "solve",
                "--kernel",
                "LC",
                "--warps",
                "2",
                "--engine",
                "ilp",
                "--beam",
                "3",
                "--write-model",
            ],
            path("m.lp"),
        ),
        (vec!["prem", &path("k.toml"), "--schedule"], path("s.h")),
        (vec!["rta", "instances/pa19-section-3-6.toml", "--horizon", "0", "--schedule"], path("s.svg")),
    ] {
        let run = || warpspan(&[&args[..], &[&file]].concat());
        let output = run();
        assert!(!Path::new(&file).exists(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        std::fs::write(&file, "before").unwrap();
        run();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "before", "{args:?}");
        std::fs::remove_file(&file).unwrap();
    }
    if cfg!(not(feature = "figures")) {
        return;
    }
    let chart = path("chart.svg");
    let output = warpspan(&["partition", &path("tasks.toml"), "--chart", &chart]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("chart.svg: not written, there are no partitions to draw"), "{stderr}");
}

/// A build without drawings says so in one line before any work begins, and leaves no file.
#[cfg(not(feature = "figures"))]
#[test]
fn a_build_without_figures_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("drawing.svg").display().to_string();
    for args in [
        &["solve", "instances/llcll-w4.toml", "--schedule"][..],
        &["simulate", "instances/llcll-w4.toml", "--policy", "gto", "--schedule"],
        &["rta", "instances/tx2-chain.toml", "--schedule"],
        &["prem", "instances/kr19-least.toml", "--schedule"],
        &["partition", "instances/si21-partition-formula.toml", "--chart"],
        &["report", "docs/reproduction/fig5.csv", "-o"],
    ] {
        let output = warpspan(&[args, &[&file]].concat());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        let line = "warpspan: this build draws nothing: build with the feature figures\n";
        assert_eq!(String::from_utf8(output.stderr).unwrap(), line, "{args:?}");
        assert!(!Path::new(&file).exists(), "{args:?}");
    }
}

/// With several instances each result names its file, in text and in JSON; `check` also names the line.
#[test]
fn each_result_names_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let files: Vec<String> = ["LC", "LLC"]
        .iter()
        .map(|string| {
            let file = path(&format!("{string}.toml"));
            std::fs::write(
                &file,
                format!("kernel = {{ string = \"{string}\" }}\nmultiprocessor = {{ sigma_l = 1, sigma_c = 1 }}\nlaunch = {{ warps = 3 }}\n"),
            )
            .unwrap();
            file
        })
        .collect();
    let output = |args: &[&str]| {
        let output = warpspan(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let key = |line: &str, key: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()[key].clone();
    let json = ["--format", "json"];
    for command in ["solve", "bound", "simulate"] {
        let both = [&[command], &[&*files[0], &files[1]][..]].concat();
        let text = output(&both);
        assert!(files.iter().all(|file| text.lines().any(|line| line == file)), "{command}: {text}");
        let records = output(&[&both[..], &json].concat());
        let named: Vec<_> = records.lines().map(|line| key(line, "file")).collect();
        assert_eq!(named, [&*files[0], &files[1]], "{command}");
        let alone = [command, &files[0]];
        assert!(!output(&alone).contains(&files[0]), "{command}: one needs no name");
        assert_eq!(key(&output(&[&alone[..], &json].concat()), "file"), *files[0]);
        let flags = output(&[&[command, "--kernel", "LC", "--warps", "3"][..], &json].concat());
        assert!(key(&flags, "file").is_null() && flags.contains("\"file\":null"), "{command}");
    }
    let solved = output(&["solve", &files[0], &files[1], "--with-schedule", "--format", "json"]);
    let (one, other) = solved.split_once('\n').unwrap();
    let lines = path("solved.jsonl");
    std::fs::write(&lines, format!("{one}\n\n{other}")).unwrap();
    let text = output(&["check", &lines]);
    assert!([1, 3].iter().all(|line| text.contains(&format!("{lines}:{line}\n"))), "{text}");
    let records = output(&["check", &lines, "--format", "json"]);
    let places: Vec<_> = records.lines().map(|line| (key(line, "file"), key(line, "line"))).collect();
    assert_eq!(places, [(lines.clone().into(), 1.into()), (lines.into(), 3.into())]);
}
