//! Bounds are made where they are proved, and nowhere else: only the crates that evaluate theorems hold the seal.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that evaluate theorems.
const CRATES: [&str; 4] = ["check", "engines", "ilp", "solver"];

/// What makes a bound from a theorem.
const SEAL: &str = "seal::";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_crates_of_engines_hold_the_seal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["crates", "src", "python", "web/src"] {
        sources(&root.join(folder), &mut files);
    }
    let mut makers = 0;
    for file in files {
        let within = file.strip_prefix(root).unwrap();
        let name = within.components().nth(1).unwrap().as_os_str().to_str().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let holds = text.lines().any(|line| line.contains(SEAL) && !line.trim_start().starts_with("//"));
        if within.starts_with("crates") && CRATES.contains(&name) {
            makers += usize::from(holds);
        } else {
            assert!(!holds, "{} holds the seal of the engines", within.display());
        }
    }
    assert!(makers > 5, "{makers} files make bounds: is the module still called {SEAL:?}?");
}
