//! `sweep`: tables that are the same however they came about.
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::sweep::{Row, read};

fn command(args: &[&str], table: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpspan"));
    command.arg("sweep").args(args).arg("-o").arg(table).stdin(Stdio::null());
    command
}

fn run(args: &[&str], table: &Path) -> Output {
    command(args, table).output().unwrap()
}

/// The rows of a table that was finished, without their times.
fn swept(args: &[&str], table: &Path) -> Vec<Row> {
    let output = run(args, table);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    rows(table)
}

fn rows(table: &Path) -> Vec<Row> {
    let mut rows = read(&table.display().to_string(), &std::fs::read(table).unwrap()).unwrap();
    rows.iter_mut().for_each(|row| row.seconds = 0.0);
    rows
}

/// One line on stderr that says so, and the exit code.
fn refused(args: &[&str], table: &Path, code: i32, message: &str) {
    let output = run(args, table);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains(message) && text.lines().count() == 1, "{args:?}: {text}");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{args:?}: {text}");
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.csv");
    (folder, table)
}

const GRID: [&str; 9] =
    ["--all-strings", "1..4", "--warps", "1..8", "--sigma-l", "1,1/2", "--sigma-c", "1,2", "--up-to=3"];

/// All cells, in order, with the values that the exhaustive search has for them.
#[test]
fn every_cell_in_order() {
    let (_folder, table) = folder();
    let rows = swept(&GRID, &table);
    assert_eq!(rows.len(), 30 * 8 * 4);
    assert!(rows.iter().map(|row| row.cell).eq(1..=960));
    for row in rows.iter().step_by(7) {
        assert_eq!(row.verdict, "exact");
        let sigmas = [&row.sigma_l, &row.sigma_c].map(|sigma| sigma.parse().unwrap());
        let sigmas = warpspan::model::Multiprocessor::new(sigmas[0], sigmas[1]);
        let instance =
            warpspan::model::Instance::single(row.kernel.parse().unwrap(), row.warps, sigmas).unwrap();
        let limits = warpspan::limits::Limits::generous();
        let worst = warpspan::engines::states::solve(&instance, &limits, &|_| ()).unwrap().worst.cycles().0;
        assert_eq!((row.lower, row.upper), (worst, worst), "{row:?}");
        assert!(row.bottleneck <= worst && worst <= row.phase && row.phase <= row.critical_path, "{row:?}");
        assert_eq!(row.up_to, Some(row.warps.min(3)));
    }
    let llc = rows.iter().find(|row| row.kernel == "LLC" && row.warps == 4 && row.sigma_l == "1").unwrap();
    assert_eq!((llc.pessimistic, llc.lower), (12, 9));
}

/// The same rows by any number of threads, in either form, whole or in parts.
#[test]
fn the_same_rows_however_they_are_computed() {
    let (folder, table) = folder();
    let one = swept(&[&GRID[..], &["--jobs", "1"]].concat(), &table);
    let lines = folder.path().join("table.jsonl");
    assert_eq!(one, swept(&[&GRID[..], &["--jobs", "3", "--memory-limit", "300M"]].concat(), &lines));
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let part = folder.path().join(format!("part-{}.csv", &shard[..1]));
        parts.extend(swept(&[&GRID[..], &["--shard", shard]].concat(), &part));
    }
    parts.sort_by_key(|row| row.cell);
    assert_eq!(one, parts);
    // the same grid by a file, with a flag that wins over it
    let grid = folder.path().join("grid.toml");
    let text = "all-strings = \"1..4\"\nwarps = [1, \"2..8\"]\nsigma-l = [1, \"1/2\"]\nsigma-c = [1, 2]\nup-to = 9\n";
    std::fs::write(&grid, text).unwrap();
    let by_file = folder.path().join("by-file.csv");
    assert_eq!(one, swept(&[grid.to_str().unwrap(), "--up-to", "3"], &by_file));
}

/// Cells that take a while, but less than a share of the memory.
const SLOW: [&str; 8] =
    ["--kernels", "LLCLL,LLCCL,LCLCLL", "--warps", "1..46/3", "--engines", "states", "--sigma-c", "1,2"];

/// Killed at ten moments, and gone on with: the table of a run that nothing disturbed.
#[test]
fn killed_and_resumed() {
    let (folder, table) = folder();
    let whole = swept(&SLOW, &table);
    let disturbed = folder.path().join("disturbed.csv");
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut cut_short = 0;
    for _ in 0..10 {
        let resume = [&SLOW[..], &["--resume", "--jobs", "2"]].concat();
        let mut child =
            command(&resume, &disturbed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(rng.random_range(5..250)));
        child.kill().unwrap();
        cut_short += usize::from(!child.wait().unwrap().success());
        // what a crash in the middle of a write would leave
        let mut bytes = std::fs::read(&disturbed).unwrap_or_default();
        if bytes.iter().filter(|&&byte| byte == b'\n').count() > 2 {
            bytes.truncate(bytes.len() - rng.random_range(1..30));
            std::fs::write(&disturbed, bytes).unwrap();
        }
    }
    assert!(cut_short > 0);
    assert_eq!(swept(&[&SLOW[..], &["--resume"]].concat(), &disturbed), whole);
    // and once more: nothing is left to do
    assert_eq!(swept(&[&SLOW[..], &["--resume"]].concat(), &disturbed), whole);
}

/// Ctrl-C leaves a table that can be gone on with, and exit code 3.
#[test]
#[cfg(unix)]
fn interrupted() {
    let (_folder, table) = folder();
    let args = ["--kernels", "LLCLLC", "--warps", "20..60", "--engines", "states"];
    let child = command(&args, &table).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = || std::fs::read(&table).unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count();
    while lines() < 3 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--resume goes on"));
    let some = rows(&table);
    assert!(!some.is_empty() && some.len() < 41, "{}", some.len());
    assert!(some.iter().all(|row| row.verdict == "exact"), "a row that was interrupted is not written");
}

/// A full disk: what is written is whole, and the sweep can be gone on with.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let (_folder, table) = folder();
    let program = env!("CARGO_BIN_EXE_warpspan");
    let arguments = format!("sweep {} -o {}", GRID.join(" "), table.display());
    let script = format!("trap '' XFSZ; ulimit -f 20; exec {program} {arguments}");
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("what was written is whole, --resume goes on from there"), "{text}");
    let bytes = std::fs::read(&table).unwrap();
    assert!(bytes.len() > 10_000 && bytes.ends_with(b"\n"));
    let rest = swept(&[&GRID[..], &["--resume"]].concat(), &table);
    let other = table.with_extension("other.csv");
    assert_eq!(rest, swept(&GRID, &other));
}

#[test]
fn bad_grids_and_tables() {
    let (folder, table) = folder();
    let path = |name: &str, text: &str| -> String {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let one = ["--kernels", "LLC", "--warps", "1..3"];
    for (args, message) in [
        (&[][..], "no warps are given: want --warps"),
        (&["--warps", "3"], "no kernel is given: want --kernels"),
        (&["--kernels", "LLC", "--warps", "5..2"], "--warps: \"5..2\": want N, A..B or A..B/STEP"),
        (&["--kernels", "LXC", "--warps", "5"], "--kernels: \"LXC\""),
        (&["--kernels", "LLC", "--warps", "5", "--engines", "magic"], "want one of bounds, auto, states"),
        (&["--kernels", "LLC", "--warps", "5", "--sigma-l", "2/3"], "want a whole number or 1/n"),
        (&["--all-strings", "30", "--warps", "5"], "want lengths up to 20"),
        (&["--random", "length=5", "--warps", "5"], "want at least length=N,count=N"),
        (&["--all-strings", "1..16", "--warps", "5"], "131070 cells: --yes to start it all the same"),
        (
            &["--kernels", "(LLC)9", "--warps", "1..99", "--sigma-c", "2", "--time-limit", "9h"],
            "predicted to take",
        ),
        (&["--kernels", "LLC", "--warps", "1000000000000000000"], "overflow"),
        (&["--kernels-file", "nowhere.txt", "--warps", "5"], "nowhere.txt: cannot be read"),
        (&[&path("a.txt", "LLC\n# none\nLQ\n"), "--warps", "2"], "a.txt:1:"),
        (&["--kernels-file", &path("b.txt", "LLC\n# none\nLQ\n"), "--warps", "2"], "b.txt:3: \"LQ\""),
        (
            &[&path("c.toml", "kernels = \"LLC\"\nwarp = 5\n")],
            "c.toml:2: warp: no key of a grid: want one of kernels",
        ),
        (&[&path("d.toml", "kernels = \"LLC\"\n\nwarps = \"x\"\n")], "d.toml:3: warps: \"x\": want N"),
        (
            &[&path("e.toml", "kernels = \"LLC\"\nwarps = 2\nsigma-l = 2\ncompute-capabilities = \"2.0\"\n")],
            "e.toml:4: compute-capabilities and sigmas contradict each other",
        ),
    ] {
        refused(args, &table, 2, message);
        assert!(!table.exists() || std::fs::read(&table).unwrap().is_empty(), "{args:?}");
    }
    refused(&one, &folder.path().join("nowhere/table.csv"), 2, "cannot be written");
    refused(&one, &folder.path().join("table.txt"), 2, "want a name that ends in .csv or .jsonl");
    let rows = swept(&one, &table);
    refused(&one, &table, 2, "there is a table already");
    refused(&["--kernels", "LLC", "--warps", "1..4", "--resume"], &table, 2, "is of another grid");
    // a last line that was broken off is repaired, any other damage is not
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, &text[..text.len() - 20]).unwrap();
    let output = run(&[&one[..], &["--resume"]].concat(), &table);
    assert!(String::from_utf8_lossy(&output.stderr).contains("the last line was broken off"));
    assert_eq!(self::rows(&table), rows);
    std::fs::write(&table, text.replacen(",1,LLC,", ",one,LLC,", 1)).unwrap();
    refused(&[&one[..], &["--resume"]].concat(), &table, 2, "table.csv:2: cell \"one\": invalid digit");
}

/// Nothing but a table of sweep is gone on with, and nothing else is touched.
#[test]
fn other_files_are_left_alone() {
    let (folder, table) = folder();
    let one = ["--kernels", "LLC", "--warps", "1..3"];
    let resume = ["--kernels", "LLC", "--warps", "1..3", "--resume"];
    let lines = folder.path().join("table.jsonl");
    let left_alone = |args: &[&str], path: &Path, content: &str, message: &str| {
        std::fs::write(path, content).unwrap();
        refused(args, path, 2, message);
        assert_eq!(std::fs::read_to_string(path).unwrap(), content, "{args:?} {message}");
    };
    for content in ["important data without newline", "a,b,c\n", "a,b,c\n1,2,3\n4,5", "{\"a\": 1}\n{"] {
        for path in [&table, &lines] {
            for args in [&one[..], &resume] {
                left_alone(args, path, content, "not a table as this version writes them: want another name");
            }
        }
    }
    std::fs::remove_file(&table).unwrap();
    swept(&one, &table);
    let text = std::fs::read_to_string(&table).unwrap();
    let other = ["--kernels", "LLC", "--warps", "1..4", "--resume"];
    left_alone(&other, &table, &text[..text.len() - 9], "of another grid");
    left_alone(&one, &table, &text[..30], "there is a table already");
    let wrong = text.replacen(",1,LLC,", "\n\n,1,LLC,", 1);
    left_alone(&resume, &table, &wrong[..wrong.len() - 9], "table.csv:2: 1 fields: want ");
}

/// A cell that a share of the memory stops runs again with all of it.
#[test]
fn memory_is_for_the_whole_sweep() {
    let (folder, table) = folder();
    let args = ["--kernels", "(LLC)7", "--warps", "6,7", "--engines", "states", "--memory-limit", "120M"];
    let one = swept(&[&args[..], &["--jobs", "1"]].concat(), &table);
    let many = swept(&[&args[..], &["--jobs", "16"]].concat(), &folder.path().join("many.csv"));
    assert_eq!(one, many);
    assert!(one.iter().all(|row| row.verdict == "exact"), "{one:?}");
}

/// A column more, between the best and the worst case, and another grid than without.
#[test]
fn policies_are_columns() {
    let (folder, table) = folder();
    let grid = ["--kernels", "LLCLL,LCLCC", "--warps", "1..6", "--sigma-c", "1,2"];
    let with = swept(&[&grid[..], &["--policies", "lrr,gto,oldest,rt-paws,random,cggty"]].concat(), &table);
    for row in &with {
        assert_eq!(row.makespans().count(), 6);
        for (policy, cycles) in row.makespans() {
            assert!(row.best_case.unwrap() <= cycles && cycles <= row.upper, "{policy}: {row:?}");
        }
    }
    let lines = folder.path().join("table.jsonl");
    let file = folder.path().join("grid.toml");
    let toml = "kernels = [\"LLCLL\", \"LCLCC\"]\nwarps = \"1..6\"\nsigma-c = [1, 2]\n\
                policies = [\"lrr\", \"gto\", \"oldest\", \"rt-paws\", \"random\", \"cggty\"]\n";
    std::fs::write(&file, toml).unwrap();
    assert_eq!(swept(&[file.to_str().unwrap()], &lines), with);
    let without = folder.path().join("without.csv");
    let rows = swept(&grid, &without);
    assert!(rows.iter().all(|row| row.makespans().next().is_none() && row.grid != with[0].grid));
    let none = folder.path().join("none.csv");
    refused(
        &[&grid[..], &["--policies", "worst"]].concat(),
        &none,
        2,
        "want lrr, gto, oldest, rt-paws, random, cggty",
    );
    refused(&[&grid[..], &["--policies", "fifo"]].concat(), &none, 2, "want one of lrr, gto");
    refused(&[&grid[..], &["--resume"]].concat(), &table, 2, "of another grid");
}

/// A limit is no part of the grid: a table goes on with another one. What the old limit has stopped is solved
/// again if there is more time now, and not if there is not.
#[test]
fn a_table_goes_on_with_another_time_limit() {
    let (_folder, table) = folder();
    let grid = |limit: &'static str| {
        [
            "--kernels",
            "LC,LLCLC",
            "--warps",
            "20",
            "--sigma-c",
            "2",
            "--engines",
            "states",
            "--time-limit",
            limit,
        ]
    };
    let goes_on = |limit| {
        let output = run(&[&grid(limit)[..], &["--resume"]].concat(), &table);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (rows(&table), String::from_utf8(output.stderr).unwrap())
    };
    let short = swept(&grid("0s"), &table);
    assert!(short.iter().all(|row| row.verdict == "bounded"), "{short:?}");
    let (same, said) = goes_on("0s");
    assert_eq!((same, said.as_str()), (short.clone(), ""));
    let (long, said) = goes_on("5m");
    assert!(said.contains("cells that a smaller time limit stopped are solved again: 2"), "{said}");
    assert!(long.iter().map(|row| row.cell).eq(1..=2) && long.iter().all(|row| row.verdict == "exact"));
    let (after, said) = goes_on("0s");
    assert_eq!((after, said.as_str()), (long.clone(), ""));
    // a crash after the row was written again and before the table was put in order
    let text = std::fs::read_to_string(&table).unwrap();
    let (header, new) = text.split_once('\n').unwrap();
    swept(&grid("0s"), &table.with_extension("old.csv"));
    let old = std::fs::read_to_string(table.with_extension("old.csv")).unwrap();
    let old = old.split_once('\n').unwrap().1;
    std::fs::write(&table, format!("{header}\n{old}{new}")).unwrap();
    assert_eq!(goes_on("5m"), (long, String::new()));
}

/// What a search may need is not predicted as if it were known: the most is then what the limit allows.
#[test]
fn a_prediction_is_an_interval() {
    let plan = |args: &[&str]| -> [f64; 2] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpspan"));
        let output = command.args(["sweep", "--dry-run", "--jobs", "1"]).args(args).output().unwrap();
        let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(plan["schema"], "warpspan/sweep-plan/2");
        ["least", "most"].map(|end| plan["predicted_seconds"][end].as_f64().unwrap())
    };
    let hard = ["--kernels", "(LLC)9,(LCC)9", "--warps", "30", "--sigma-c", "2", "--time-limit", "1m"];
    let [least, most] = plan(&hard);
    assert!(least < 1.0 && most >= 120.0, "{least} {most}");
    let [least, most] = plan(&[&hard[..], &["--engines", "bounds"]].concat());
    assert!(least < most && most < 120.0, "{least} {most}");
    let [_, estimated] = plan(&[&hard[..], &["--engines", "bounds", "--up-to", "20"]].concat());
    assert!(estimated >= most + 120.0, "{estimated}");
    let [_, checked] = plan(&["--kernels", "LCLCC", "--warps", "1..12", "--sigma-c", "2"]);
    assert!(checked >= 1.2, "a tenth of a second for the check of each cell: {checked}");
}
