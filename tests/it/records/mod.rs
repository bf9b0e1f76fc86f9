//! Records and their schemas.

mod assumptions;
mod declared;
mod explain;
mod keys;
mod round_trip;
mod rows;
mod schemas;
mod statements;
mod verify;
mod walk;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the package.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What a command prints; `NAME*` stands for the instance files whose names begin so.
fn printed(command: &str) -> String {
    let mut args = Vec::new();
    for word in command.split_whitespace() {
        match word.strip_suffix('*') {
            Some(begin) => args.extend(instances().into_iter().filter(|path| named(path).starts_with(begin))),
            None => args.push(word.into()),
        }
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_warpspan")).current_dir(root()).args(args).output().unwrap();
    assert!(!output.stdout.is_empty(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The files of `instances`.
fn instances() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("instances")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    paths
}

/// The name of a file.
fn named(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}
