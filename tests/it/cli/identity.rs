//! From which build, command and files a record is, and that `check` refuses one whose files have changed.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn warpspan(folder: &Path, commit: Option<&str>) -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder);
    match commit {
        Some(commit) => command.env("WARPSPAN_COMMIT", commit),
        None => command.env_remove("WARPSPAN_COMMIT"),
    };
    command
}

/// A listing with declarations, in a folder of its own.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(root.join("docs/tutorial/conv.sm_87.sass"), folder.path().join("conv it.sass")).unwrap();
    std::fs::write(folder.path().join("said.toml"), "[loop-bounds]\n\".L_x_2\" = 3\n").unwrap();
    folder
}

const TIME: [&str; 11] = [
    "time",
    "conv it.sass",
    "--gpu",
    "jetson-orin",
    "--grid",
    "60x135",
    "--block",
    "32x8",
    "--loop-bound",
    ".L_x_2=3",
    "--format=json",
];

fn record(folder: &Path, commit: &str) -> Value {
    let output = warpspan(folder, Some(commit)).args(TIME).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

#[test]
fn a_record_says_from_which_build_and_command_and_files_it_is() {
    let folder = folder();
    let found = record(folder.path(), "0123abcd+");
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(found["build"], serde_json::json!({ "commit": "0123abcd", "clean": false }));
    assert_eq!(record(folder.path(), "0123abcd")["build"]["clean"], true);
    let unknown = record(folder.path(), "unknown");
    assert_eq!(unknown["build"], serde_json::json!({ "commit": "unknown", "clean": null }));
    let command = "warpspan time 'conv it.sass' --gpu jetson-orin --grid 60x135 --block 32x8 --loop-bound .L_x_2=3 --format=json";
    assert_eq!(found["command"], command);
    assert_eq!(found["arguments"].as_array().unwrap().len(), TIME.len());
    // A shell makes the same words of it.
    let shell = std::process::Command::new("sh")
        .args(["-c", &format!("warpspan() {{ for word; do echo \"$word\"; done; }}; {command}")])
        .output()
        .unwrap();
    let words = String::from_utf8(shell.stdout).unwrap();
    assert_eq!(words.lines().collect::<Vec<_>>(), TIME);
    // The hash is that of another program.
    let sum =
        std::process::Command::new("sha256sum").arg(folder.path().join("conv it.sass")).output().unwrap();
    let sum = String::from_utf8(sum.stdout).unwrap();
    let sum = sum.trim_start_matches('\\').split(' ').next().unwrap().to_owned();
    assert_eq!(found["inputs"], serde_json::json!([{ "file": "conv it.sass", "sha256": sum }]));
}

#[test]
fn the_version_names_the_commit() {
    let version = |commit: Option<&str>| {
        let output = warpspan(Path::new("."), commit).arg("--version").output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().next().unwrap().to_owned()
    };
    let of = env!("CARGO_PKG_VERSION");
    assert_eq!(version(Some("0123abcd")), format!("warpspan {of} (commit 0123abcd)"));
    assert_eq!(version(Some("0123abcd+")), format!("warpspan {of} (commit 0123abcd, with changes)"));
    assert!(version(None).starts_with(&format!("warpspan {of} (commit ")), "{}", version(None));
}

#[test]
fn check_refuses_a_record_whose_listing_has_changed() {
    let folder = folder();
    let at = folder.path();
    let line = warpspan(at, None).args(TIME).output().unwrap().stdout;
    std::fs::write(at.join("old.json"), line).unwrap();
    let check = |input: &str| {
        let output = warpspan(at, None).args(["check", "old.json", "--input", input]).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.code(), said)
    };
    assert_eq!(check("conv it.sass"), (Some(0), "made from   conv it.sass, as they are now\n".to_owned()));
    let (code, said) = check("said.toml");
    assert!(code == Some(4) && said.contains("old.json:1: said.toml is none of the files"), "{said}");
    let listing = std::fs::read_to_string(at.join("conv it.sass")).unwrap();
    std::fs::write(at.join("conv it.sass"), listing + "\n").unwrap();
    let (code, said) = check("conv it.sass");
    assert!(code == Some(4) && said.contains("has changed since"), "{said}");
    // A record of an older build names no files.
    std::fs::write(at.join("old.json"), "{\"schema\":\"warpspan/time/4\"}\n").unwrap();
    let (code, said) = check("conv it.sass");
    assert!(code == Some(4) && said.contains("does not say from which files it was made"), "{said}");
}

/// Every kind of file that an answer is made from: a budget with its listings, and declarations.
#[test]
fn files_that_files_name_are_inputs_too() {
    let folder = folder();
    let budget = "[[kernel]]\nname = \"a\"\nlisting = \"conv it.sass\"\ngpu = \"jetson-orin\"\ngrid = \"60x135\"\nblock = \"32x8\"\n\
                  declare = \"said.toml\"\ndeadline = \"100ms\"\n";
    std::fs::write(folder.path().join("b.toml"), budget).unwrap();
    let output =
        warpspan(folder.path(), None).args(["budget", "b.toml", "--format", "json"]).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let mut names: Vec<&str> =
        found["inputs"].as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["b.toml", "conv it.sass", "said.toml"], "{found}");
}
