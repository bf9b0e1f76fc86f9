//! Files that commands are given and write: a result names its file, and no file is left that holds no result.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use assert_cmd::Command;

fn warpspan(args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap()
}

/// A task that no partition can hold.
const IMPOSSIBLE: &str = "multiprocessors = 2\n[[task]]\nname = \"t\"\nperiod = 10\ndeadline = 10\nkind = \"compute\"\n\
                          a = 100\nb = 0\nk = 1\n";

/// Where there is nothing to write, no empty file is left, and what a file held before stays.
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
    let chart = path("chart.svg");
    let output = warpspan(&["partition", &path("tasks.toml"), "--chart", &chart]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("chart.svg: not written, there are no partitions to draw"), "{stderr}");
}
