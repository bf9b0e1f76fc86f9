//! Places where nothing can be written: disks that fill up while a file is written, folders that are read-only, and
//! files in the place of folders. Every file appears whole or not at all.

use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::cli::hostile::is_decent;
use crate::cli::outputs::{Writer, writers};

/// Options that write a file or a folder and that `writers` does not have, and `man`, which takes a folder without an option.
const MORE: [Writer; 4] = [
    ("extract", "--declare", "toml", &["tests/data/code/flow.ptx", "--entry", "asked"]),
    ("prem", "--emit-cuda", "folder", &["instances/kr19-plan.toml"]),
    ("report", "--output", "folder", &["docs/reproduction/fig5.csv"]),
    ("man", "", "folder", &[]),
];

fn all() -> Vec<Writer> {
    let mut all = writers();
    all.extend(MORE.into_iter().filter(|(_, _, _, more)| {
        more.iter().all(|file| !file.starts_with("docs/") || Path::new(file).exists())
    }));
    all
}

/// Runs a command that writes to `place`. No file may grow beyond `blocks` blocks, of 512 or 1,024 bytes by the shell:
/// writing more fails, as on a full disk.
fn run(&(command, option, _, more): &Writer, place: &Path, blocks: Option<u64>) -> Output {
    let limit = blocks.map(|blocks| format!("trap '' XFSZ; ulimit -f {blocks}; ")).unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.current_dir(env!("CARGO_MANIFEST_DIR")).args(["-c", &format!("{limit}exec \"$@\""), "sh"]);
    shell.arg(env!("CARGO_BIN_EXE_warpspan")).arg(command).args(more);
    shell.args((!option.is_empty()).then_some(option)).arg(place).output().unwrap()
}

/// All files below a folder with what they hold, in order.
fn files(folder: &Path) -> Vec<(OsString, Vec<u8>)> {
    let mut found = vec![];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push((path.file_name().unwrap().to_owned(), std::fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}

#[test]
fn a_disk_that_fills_up() {
    for writer in &all() {
        let (command, option, ending, _) = *writer;
        let what = format!("{command} {option} .{ending}");
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name).join(format!("place.{ending}"));
        for name in ["whole", "none", "some"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        run(writer, &place("whole"), None);
        let whole = files(&folder.path().join("whole"));
        assert!(!whole.is_empty(), "{what}");
        for (name, blocks) in [("none", 0), ("some", 1)] {
            let output = run(writer, &place(name), Some(blocks));
            is_decent(&output, &what);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let left = files(&folder.path().join(name));
            // The tables of sweeps hold times, and they are there from the first row on: --resume goes on with them. The
            // solver writes its log while it runs.
            let grows = command == "sweep" || option == "--solver-log";
            if blocks > 0 && output.status.success() {
                assert!(grows || left == whole, "{what}: {left:?}");
                continue; // all of it is small
            }
            assert_eq!(output.status.code(), Some(1), "{what}, {blocks} blocks: {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{what}: {stderr}");
            assert!(
                grows || left.iter().all(|file| whole.contains(file)),
                "{what}, {blocks} blocks: {left:?}"
            );
            assert!(blocks > 0 || grows || left.is_empty(), "{what}: {left:?}");
        }
    }
}

/// A folder in which nothing can be made, by root neither: one without write permission, or else one of the system.
fn read_only(folder: &Path) -> Option<PathBuf> {
    let own = folder.join("read-only");
    std::fs::create_dir(&own).unwrap();
    std::fs::set_permissions(&own, Permissions::from_mode(0o555)).unwrap();
    let is_read_only = |folder: &PathBuf| folder.is_dir() && tempfile::NamedTempFile::new_in(folder).is_err();
    [own, "/sys".into()].into_iter().find(is_read_only)
}

#[test]
fn a_read_only_folder_and_a_file_in_the_place_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    let read_only = read_only(folder.path());
    if read_only.is_none() {
        eprintln!("skipped: a read-only folder, since this user can write everywhere");
    }
    for writer in &all() {
        let (command, option, ending, _) = *writer;
        for parent in [Some(&file), read_only.as_ref()].into_iter().flatten() {
            let place = parent.join(format!("place.{ending}"));
            let output = run(writer, &place, None);
            let what = format!("{command} {option} {}", place.display());
            is_decent(&output, &what);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{what}: {stderr}");
            assert!(!place.exists(), "{what}");
        }
    }
    assert_eq!(files(folder.path()), [("file".into(), b"mine".to_vec())]);
}
