//! Whatever a command is fed: an exit code from 0 to 5, one short line on stderr where it is 2, and never a panic.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use assert_cmd::Command;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The commands that read a file, each with what it needs beside it.
const COMMANDS: [(&str, &[&str]); 13] = [
    ("solve", &["--time-limit", "100ms"]),
    ("bound", &["--time-limit", "100ms"]),
    ("simulate", &["--policy", "lrr", "--time-limit", "100ms"]),
    ("check", &[]),
    ("sweep", &["--dry-run"]),
    ("rta", &["--time-limit", "100ms"]),
    ("time", &["--gpu", "jetson-tx2", "--grid", "2", "--block", "32"]),
    ("budget", &[]),
    ("prem", &["--time-limit", "100ms"]),
    ("partition", &["--time-limit", "100ms"]),
    ("extract", &[]),
    ("compare", &["instances/lcl-w4.toml"]),
    ("report", &["-o", "FOLDER"]),
];

fn warpspan(folder: &Path, args: &[&str]) -> Output {
    let pages = folder.join("pages").display().to_string();
    let args = args.iter().map(|&arg| if arg == "FOLDER" { pages.as_str() } else { arg });
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(Duration::from_secs(120)).args(args);
    command.output().unwrap()
}

/// Demands of an answer what holds whatever was asked.
pub(super) fn is_decent(output: &Output, what: &str) {
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let code = output.status.code();
    assert!(code.is_some_and(|code| (0..=5).contains(&code)), "{what}: {:?}: {stderr}", output.status);
    assert!(!stderr.contains("internal error") && !stderr.contains("panicked"), "{what}: {stderr}");
    if code == Some(2) {
        assert_eq!(stdout, "", "{what}");
        assert!(stderr.starts_with("warpspan: ") && stderr.ends_with('\n'), "{what}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{what}: {stderr}");
        assert!(stderr.chars().count() < 1300, "{what}: {} characters", stderr.chars().count());
    }
}

#[test]
fn whatever_a_file_holds() {
    let folder = tempfile::tempdir().unwrap();
    let long = "LLC".repeat(700_000);
    let texts: Vec<Vec<u8>> = [
        String::new(),
        "\u{feff}[kernel]\r\nstring = \"LC\"\r\n".into(),
        "[[[[".into(),
        "\u{0}\u{1}\u{2}\n\n\u{202e}".into(),
        "\u{7f}ELF\u{2}".into(),
        format!("kernel = \"{long}\"\n"),
        format!("{long}\n"),
        format!("[kernel]\nstring = \"LC{}\"\n[launch]\nwarps = 2\n", "(".repeat(200_000)),
        format!("a = {}{}\n", "[".repeat(50_000), "]".repeat(50_000)),
        "{\"a\":".repeat(50_000),
        format!("{}{}", "<a>".repeat(50_000), "</a>".repeat(50_000)),
        "[[kernel]]\nname = \"K\"\nperiod = -9223372036854775808\nblocks = 9223372036854775807\n".into(),
        "multiprocessors = 99999999999999999999\n[[task]]\nname = 3\n".into(),
        "kernels = 9223372036854775807\nblocks = 9223372036854775807\ntiles = 9223372036854775807\n".into(),
        "kernels = \"LC\"\nwarps = \"1..18446744073709551615\"\n".into(),
        "{\"schema\":\"warpspan/solve/1\",\"instance\":{},\"upper\":1e999}\n".into(),
        "grid,cell,kernel,warps\n1,2,LC,-1\n".into(),
        "cycle,group,warp,instruction,unit\n18446744073709551615,0,0,0,X\n".into(),
        ".version 8.0\n.target sm_80\n.visible .entry k(\n".into(),
        "\tcode for sm_70\n\t\tFunction : k\n /*0000*/ BRA".into(),
        "[kernel]\nstring = \"LLC\"\n[multiprocessor]\nsigma_l = nan\nsigma_c = inf\n".into(),
    ]
    .map(String::into_bytes)
    .into_iter()
    .chain([vec![0xff, 0xfe, 0, 1]])
    .collect();
    for (number, text) in texts.iter().enumerate() {
        let file = folder.path().join(format!("{number}.toml"));
        std::fs::write(&file, text).unwrap();
        for (command, more) in COMMANDS {
            let name = file.display().to_string();
            let output = warpspan(folder.path(), &[&[command, &name], more].concat());
            is_decent(&output, &format!("{command} on text {number}"));
        }
    }
    for (command, more) in COMMANDS {
        for file in ["no/such/file", "instances", ""] {
            let output = warpspan(folder.path(), &[&[command, file], more].concat());
            is_decent(&output, &format!("{command} {file:?}"));
            assert_eq!(output.status.code(), Some(2), "{command} {file:?}");
        }
    }
}

/// Every file of the folder `instances`, damaged here and there, in its own command.
#[test]
fn whatever_is_wrong_with_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances");
    let mut names: Vec<String> = std::fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".csv"))
        .collect();
    names.sort();
    let mut random = ChaCha8Rng::seed_from_u64(25);
    let mut refused = 0;
    for name in names {
        let text = std::fs::read(root.join(&name)).unwrap();
        let command = match name.split('-').next().unwrap() {
            "kr19" => "prem",
            "pa19" | "tx2" | "gcaps" | "processes" => "rta",
            "si21" if name.starts_with("si21-partition") => "partition",
            _ if name.ends_with(".amxmi") => "rta",
            _ => "solve",
        };
        let (_, more) = COMMANDS.iter().find(|(other, _)| *other == command).unwrap();
        for number in 0..2 {
            let file = folder.path().join(format!("{number}-{name}"));
            std::fs::write(&file, damaged(&text, &mut random)).unwrap();
            let path = file.display().to_string();
            let output = warpspan(folder.path(), &[&[command, &path], *more].concat());
            is_decent(
                &output,
                &format!("{command} {name}: {}", String::from_utf8_lossy(&std::fs::read(&file).unwrap())),
            );
            refused += usize::from(output.status.code() == Some(2));
        }
    }
    assert!(refused > 20, "only {refused} of the damaged files are refused");
}

/// A text with a few bytes changed, a line doubled or lost, or a number made huge, negative or a word.
fn damaged(text: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..text.len());
        let digit = (at..text.len()).find(|&at| text[at].is_ascii_digit());
        match (random.random_range(0..6), digit) {
            (0, _) => text[at] = random.random(),
            (1, _) => text.truncate(at.max(1)),
            (2, _) => {
                let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
                let line = random.random_range(0..lines.len());
                let again = lines[line].clone();
                lines.insert(random.random_range(0..lines.len()), again);
                text = lines.join(&b'\n');
            }
            (3, Some(digit)) => drop(text.splice(digit..digit, b"-".iter().copied())),
            (4, Some(digit)) => drop(text.splice(digit..=digit, *b"9223372036854775807")),
            (_, Some(digit)) => drop(text.splice(digit..=digit, *b"\"four\"")),
            _ => text[at] ^= 1,
        }
    }
    text
}

#[test]
fn a_wrong_kind_of_file_names_its_command() {
    let folder = tempfile::tempdir().unwrap();
    for (command, file, says) in [
        ("solve", "instances/tx2-chain.toml", "a system of kernels: warpspan rta takes it"),
        ("bound", "instances/camera.amxmi", "an AMALTHEA model: warpspan rta takes it"),
        ("rta", "instances/llc-w4.toml", "an instance: warpspan solve, bound and simulate take it"),
        ("prem", "instances/si21-partition-table.toml", "tasks for partitions: warpspan partition takes it"),
        ("partition", "instances/kr19-least.toml", "kernels in tiles and phases: warpspan prem takes it"),
        ("simulate", "machines/sm_80.toml", "a machine: give it with --machine FILE together with a kernel"),
        (
            "rta",
            "tests/data/listing/samples/increment.ptx",
            "this is PTX: warpspan time, extract and solve take it",
        ),
        ("extract", "instances/llc-w4.toml", "an instance: warpspan solve"),
        ("check", "instances/llc-w4.toml", "an instance: want a schedule of it before it"),
    ] {
        let more = COMMANDS.iter().find(|(name, _)| *name == command).unwrap().1;
        let output = warpspan(folder.path(), &[&[command, file], more].concat());
        is_decent(&output, &format!("{command} {file}"));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(&format!("warpspan: {file}: {says}")), "{command} {file}: {stderr}");
    }
}

/// Tiles whose phases are those of their kernels are no system of kernels, for any command.
#[test]
fn tiles_with_phases_of_their_kernels_are_for_prem() {
    let folder = tempfile::tempdir().unwrap();
    let tiles = folder.path().join("tiles.toml").display().to_string();
    let phases = "prefetch_ns = 7\ncompute_ns = 9\nwriteback_ns = 3\n";
    let text = format!(
        "timer_ns = 1\nmode = \"tile-kernel\"\n[gpu]\nmultiprocessors = 4\nthreads = 256\n[[kernel]]\nname = \"k0\"\nblocks = 1\ntiles = 5\n\
         [kernel.phases]\n{phases}[kernel.contended]\n{phases}"
    );
    std::fs::write(&tiles, text).unwrap();
    for command in ["check", "simulate", "explain", "verify", "solve", "bound", "rta", "partition"] {
        let output = warpspan(folder.path(), &[command, &tiles]);
        is_decent(&output, command);
        let stderr = String::from_utf8(output.stderr).unwrap();
        let says = format!("warpspan: {tiles}: kernels in tiles and phases: warpspan prem takes it");
        assert!(stderr.starts_with(&says), "{command}: {stderr}");
    }
    assert_eq!(warpspan(folder.path(), &["prem", &tiles]).status.code(), Some(0));
}

/// All inputs are read before the first answer is printed, and the message names the file.
#[test]
fn a_bad_file_behind_a_good_one() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.toml").display().to_string();
    std::fs::write(&bad, "[kernel]\nstring = \"LX\"\n").unwrap();
    for command in ["solve", "bound", "simulate"] {
        let output = warpspan(folder.path(), &[command, "instances/llc-w4.toml", &bad]);
        is_decent(&output, command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(&format!("warpspan: {bad}:2: ")), "{command}: {stderr}");
    }
}

/// A simulation that a limit stops says which policies are missing, and the interval.
#[test]
fn a_simulation_without_time() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["simulate", "instances/llcll-w600.toml", "--time-limit", "0s"];
    let output = warpspan(folder.path(), &args);
    is_decent(&output, "simulate");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(stdout.contains("lrr: stopped in cycle") && stdout.contains("worst case  "), "{stdout}");
    let output = warpspan(folder.path(), &[&args[..], &["--format", "json"]].concat());
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(record["runs"].as_array().unwrap().iter().all(|run| run["policy"] == "worst"), "{record}");
    assert!(record["notes"].to_string().contains("lrr: stopped"), "{record}");
}

/// Inputs for which every bound takes long: the limits hold while they are read, too.
#[test]
fn limits_hold_for_huge_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let group = "[[group]]\nstring = \"LLCLC\"\nwarps = 3\n".repeat(5_000);
    let sigmas = "[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";
    let program = "L[C/LC](LC)0..3".repeat(300_000);
    for (name, text) in [
        ("groups", format!("{group}{sigmas}")),
        ("program", format!("[kernel]\nstring = \"{program}\"\n{sigmas}[launch]\nwarps = 4\n")),
    ] {
        let file = folder.path().join(name).display().to_string();
        std::fs::write(&file, text).unwrap();
        let args = ["solve", &file, "--time-limit", "1s", "--memory-limit", "100M"];
        let output = warpspan(folder.path(), &args);
        is_decent(&output, name);
        let answered = !output.stdout.is_empty();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(answered || stderr.contains("limit"), "{name}: {:?} {stderr}", output.status);
    }
}
