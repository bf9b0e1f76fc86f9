//! A sweep on a Dask cluster, one of whose workers is killed in mid-run. Skipped where Dask cannot be
//! installed.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use warpspan::sweep::{Row, read};

const GRID: [&str; 8] =
    ["--kernels", "LLCLLC,LCLCL,LLCCLL", "--warps", "20..44/2", "--engines", "states", "--sigma-c", "1,2"];

fn rows(table: &Path) -> Vec<Row> {
    let mut rows = read("table.csv", &std::fs::read(table).unwrap()).unwrap();
    rows.iter_mut().for_each(|row| row.seconds = 0.0);
    rows
}

fn script() -> Command {
    let mut command = Command::new("python3");
    command.arg("scripts/sweep_dask.py").current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

#[test]
fn a_worker_is_killed() {
    let installed = script().arg("--help").stdout(Stdio::null()).status();
    if !installed.is_ok_and(|status| status.success()) {
        println!("skipped: Dask cannot be installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [table, pids, whole] = ["table.csv", "pids", "whole.csv"].map(|name| folder.path().join(name));
    let program = env!("CARGO_BIN_EXE_warpspan");
    let mut run = script();
    run.args(["--program", program, "--workers", "2", "--shards", "12", "-o"]).arg(&table);
    let run = run.arg("--pids").arg(&pids).arg("--").args(GRID);
    let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let shards = folder.path().join("table.csv.shards");
    let start = Instant::now();
    let victim = loop {
        assert!(start.elapsed() < Duration::from_secs(100), "no shard is done");
        let done = std::fs::read_dir(&shards).map_or(0, Iterator::count);
        match std::fs::read_to_string(&pids) {
            Ok(text) if done > 0 => break serde_json::from_str::<Vec<u32>>(&text).unwrap()[0],
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    assert!(Command::new("kill").args(["-KILL", &victim.to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!shards.exists());

    let status = Command::new(program).arg("sweep").args(GRID).arg("-o").arg(&whole).output().unwrap().status;
    assert!(status.success());
    assert_eq!(rows(&table), rows(&whole));

    // what cannot be a sweep is refused as by the program itself
    let output =
        script().args(["--program", program, "-o"]).arg(&table).args(["--", "--warps", "3"]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no kernel is given"));
}
