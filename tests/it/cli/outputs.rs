//! Files that a command writes: they appear whole or not at all, and what cannot be written is an error.
#![cfg(all(unix, feature = "figures"))]

use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cli::hostile::is_decent;

fn warpspan(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpspan"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    command
}

fn run(args: &[&str]) -> Output {
    warpspan(args).output().unwrap()
}

const KERNEL: &[&str] = &["--kernel", "LLC", "--warps", "4"];
const ILP: &[&str] = &["--kernel", "LLC", "--warps", "4", "--formulation", "short", "--plain"];
const SYSTEM: &[&str] = &["instances/tx2-chain.toml"];

/// A command and an option that writes a file, with an ending of the file and what else the command needs.
pub(super) type Writer = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Each option that writes a file, but for those of the ILP.
const WRITERS: &[Writer] = &[
    ("solve", "--schedule", "csv", KERNEL),
    ("solve", "--schedule", "json", KERNEL),
    ("solve", "--schedule", "svg", KERNEL),
    ("solve", "--best-schedule", "csv", KERNEL),
    ("solve", "--certificate", "v", KERNEL),
    ("solve", "--certificate", "json", KERNEL),
    ("bound", "--certificate", "v", KERNEL),
    ("simulate", "--schedule", "csv", &["--kernel", "LLC", "--warps", "4", "--policy", "lrr"]),
    ("simulate", "--chart", "svg", KERNEL),
    ("sweep", "--output", "csv", &["--kernels", "LC", "--warps", "1"]),
    ("rta", "--schedule", "csv", SYSTEM),
    ("rta", "--schedule", "svg", SYSTEM),
    ("rta", "--certificate", "v", &["instances/tx2-copies.toml"]),
    ("rta", "--annotate", "amxmi", &["instances/camera.amxmi"]),
    ("rta", "--csv", "csv", &["instances/camera.amxmi"]),
    ("budget", "--output", "json", &["docs/ci/budget.toml"]),
    ("budget", "--output", "xml", &["docs/ci/budget.toml"]),
    ("budget", "--output", "sarif", &["docs/ci/budget.toml"]),
    ("budget", "--output", "md", &["docs/ci/budget.toml"]),
    ("prem", "--chart", "csv", &["instances/kr19-least.toml", "--offsets", "1300..1400:100"]),
    ("prem", "--schedule", "csv", &["instances/kr19-least.toml"]),
    ("prem", "--schedule", "h", &["instances/kr19-least.toml"]),
    ("partition", "--chart", "svg", &["instances/si21-partition-formula.toml"]),
    ("partition", "--output", "toml", &["--classify", "instances/si21-times.csv"]),
];

pub(super) fn writers() -> Vec<Writer> {
    let of_the_ilp = [("--write-model", "lp"), ("--write-model", "mps"), ("--solver-log", "log")];
    let of_the_ilp = of_the_ilp.map(|(option, ending)| -> Writer { ("solve", option, ending, ILP) });
    WRITERS.iter().copied().chain(of_the_ilp.into_iter().filter(|_| cfg!(feature = "highs"))).collect()
}

/// Options whose file is read, or is a folder, or is only written where it is not there yet.
const OTHERS: [&str; 20] = [
    "--folder",
    "--input",
    "--evt",
    "--ncu",
    "--ptx",
    "--sass",
    "--loop-bounds",
    "--classes",
    "--declare",
    "--declare-old",
    "--kernels-file",
    "--co-running",
    "--system",
    "--measured",
    "--classify",
    "--emit-cuda",
    "--machine",
    "--latency-of",
    "--hold-of",
    "--transactions",
];

/// No option that names a file is forgotten here.
#[test]
fn every_option_with_a_file_is_known() {
    let commands = "solve bound check simulate sweep report rta time budget prem partition extract trace compare gpus schema verify explain completions man";
    let known = writers();
    let mut seen = 0;
    for command in commands.split(' ') {
        let help = String::from_utf8(run(&[command, "--help"]).stdout).unwrap();
        for line in help.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some(option) = words.iter().take(2).find(|word| word.starts_with("--")) else { continue };
            let value = words.iter().find(|word| word.starts_with('<')).unwrap_or(&"");
            if !["FILE", "FOLDER", "DIR"].iter().any(|name| value.contains(name)) {
                continue;
            }
            seen += 1;
            let is_writer = known.iter().any(|(of, name, ..)| *of == command && name == option);
            let is_report = command == "report" && *option == "--output";
            assert!(
                is_writer || is_report || OTHERS.contains(option),
                "{command} {option}: add it to this test"
            );
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn a_full_disk_a_folder_and_a_folder_that_is_missing() {
    for (command, option, ending, more) in writers() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(format!("{name}.{ending}")).display().to_string();
        symlink("/dev/full", path("full")).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        let missing = folder.path().join(format!("no/file.{ending}")).display().to_string();
        for (file, codes) in [(path("full"), [1, 2]), (path("folder"), [2, 2]), (missing, [2, 2])] {
            let output = run(&[&[command], more, &[option, &file]].concat());
            let what = format!("{command} {option} {file}");
            is_decent(&output, &what);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code().unwrap();
            assert!(codes.contains(&code), "{what}: {code}: {stderr}");
            assert!(code == 1 || !file.contains("full") || command == "sweep", "{what}: {code}: {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{what}: {stderr}");
        }
        let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(names.len(), 2, "{command} {option}: {names:?}");
        let output = run(&[&[command], more, &[option, &path("new")]].concat());
        let written = std::fs::metadata(path("new")).is_ok_and(|file| file.len() > 0);
        assert!(written, "{command} {option} .{ending}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_page_on_a_full_disk_and_a_file_in_the_place_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    symlink("/dev/full", folder.path().join("index.html")).unwrap();
    let pages = folder.path().display().to_string();
    let output = run(&["report", "docs/reproduction/fig5.csv", "-o", &pages]);
    is_decent(&output, "report");
    assert_eq!(output.status.code(), Some(1));
    let file = folder.path().join("file").display().to_string();
    std::fs::write(&file, "").unwrap();
    let output = run(&["report", "docs/reproduction/fig5.csv", "-o", &file]);
    is_decent(&output, "report");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn standard_output_that_is_full_or_gone() {
    for args in [
        &["solve", "instances/llc-w4.toml"][..],
        &["gpus"],
        &["rta", "instances/tx2-chain.toml"],
        &["schema", "solve"],
        &["budget", "docs/ci/budget.toml"],
        &["budget", "docs/ci/budget.toml", "--format", "sarif"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output =
            warpspan(args).stdout(full).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        let mut child = warpspan(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 5), "{args:?}: {:?}", output.status);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

const GRID: [&str; 7] = ["sweep", "--all-strings", "1..5", "--warps", "1..6", "--jobs", "1"];

/// The rows of a table without the seconds, which differ from run to run.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let mut table = csv::Reader::from_path(path).unwrap();
    let at = table.headers().unwrap().iter().position(|name| name == "seconds").unwrap();
    let row = |row: csv::StringRecord| {
        row.iter().enumerate().filter(|(column, _)| *column != at).map(|(_, cell)| cell.to_owned()).collect()
    };
    table.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn two_sweeps_on_one_table_and_a_sweep_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    assert!(run(&[&GRID[..], &["-o", &path("whole.csv")]].concat()).status.success());
    let whole = rows(&folder.path().join("whole.csv"));
    let table = path("two.csv");
    let start = || {
        let args = [&GRID[..], &["-o", &table]].concat();
        warpspan(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let outputs = [start(), start()].map(|child| child.wait_with_output().unwrap());
    let mut codes = outputs.each_ref().map(|output| output.status.code().unwrap());
    codes.sort_unstable();
    outputs.iter().for_each(|output| is_decent(output, "two sweeps"));
    assert_eq!(codes, [0, 2]);
    assert_eq!(rows(&folder.path().join("two.csv")), whole);

    let mut random = ChaCha8Rng::seed_from_u64(9);
    for number in 0..3 {
        let table = path(&format!("{number}.csv"));
        let args = [&GRID[..], &["--resume", "-o", &table]].concat();
        for _ in 0..3 {
            let mut child = warpspan(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(random.random_range(1..250)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let output = run(&args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(rows(Path::new(&table)), whole);
    }
}

#[test]
fn a_file_is_there_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.csv");
    let name = file.display().to_string();
    let args = ["solve", "--kernel", "(LLCLL)20", "--warps", "200", "--engine", "phase", "--schedule", &name];
    assert!(run(&args).status.success());
    let whole = std::fs::read(&file).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut absent = 0;
    for _ in 0..20 {
        std::fs::remove_file(&file).unwrap_or_default();
        let mut child = warpspan(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.random_range(1..60)));
        child.kill().unwrap_or_default();
        child.wait().unwrap();
        match std::fs::read(&file) {
            Ok(found) => assert!(found == whole, "{} of {} bytes", found.len(), whole.len()),
            Err(_) => absent += 1,
        }
    }
    assert!(absent > 0);
}
