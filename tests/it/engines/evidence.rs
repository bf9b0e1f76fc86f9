//! Bounds are made where they are proved, and nowhere else.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms that evaluate theorems.
const ROOMS: [&str; 2] = ["bound", "engines"];

/// What makes a bound from a theorem.
const CONSTRUCTORS: [&str; 2] = ["Upper::proved", "Lower::proved"];

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

/// What a text has that makes a bound, or that would let it do so under another name.
fn makes_a_bound(text: &str) -> Option<&'static str> {
    let renamed = ["Upper as ", "Lower as ", "= Upper;", "= Lower;"];
    CONSTRUCTORS.into_iter().chain(renamed).find(|what| text.contains(what))
}

#[test]
fn only_bound_and_engines_make_bounds_from_theorems() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut makers = 0;
    for file in files {
        let within = file.strip_prefix(&root).unwrap();
        let room = within.components().next().unwrap().as_os_str().to_str().unwrap();
        let found = makes_a_bound(&fs::read_to_string(&file).unwrap());
        if ROOMS.contains(&room) {
            makers += usize::from(found.is_some());
        } else {
            assert_eq!(found, None, "{}", within.display());
        }
    }
    assert!(makers > 5, "{makers} files make bounds: is the constructor still called {CONSTRUCTORS:?}?");
}

#[test]
fn a_planted_bound_is_found() {
    assert!(makes_a_bound("let c = Upper::proved(Cycles(1), Theorem::Phase);").is_some());
    assert!(makes_a_bound("use crate::bound::Upper as U;").is_some());
    assert_eq!(makes_a_bound("fn safe(upper: Upper) -> Cycles"), None);
}
