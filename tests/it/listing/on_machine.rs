//! The listings of `tests/data` on the machines that the program knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warpspan::engines::program::heaviest;
use warpspan::input::find_machine;
use warpspan::listing::{Options, Text, extract};

fn listings(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            listings(&path, found);
        } else if path.extension().is_some_and(|end| ["ptx", "sass", "cuasm"].iter().any(|one| end == *one)) {
            found.push(path);
        }
    }
}

/// Every instruction has letters, but for those that no model covers. Where a listing has a program for the
/// paper's multiprocessor, it has one for a machine too, unless the letter of an `exit` that threads branch
/// to makes a difference, which one listing shows.
#[test]
fn every_instruction_has_letters_and_programs_stay_programs() {
    let mut files = Vec::new();
    listings(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/code")), &mut files);
    listings(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/listing")), &mut files);
    let (mut programs, mut lost) = (0, BTreeSet::new());
    for file in &files {
        let bytes = fs::read(file).unwrap();
        let Ok(text) = Text::new("k", bytes) else { continue };
        for name in ["sm_61", "sm_87", "9.0"] {
            let machine = Arc::new(find_machine(name).unwrap().machine);
            let options = Options { explain: true, machine: Some(machine), ..Options::default() };
            let Ok(entries) = extract(&text, &options) else { continue };
            for entry in entries {
                let on = entry.on_machine.as_ref().unwrap();
                for line in &on.lines {
                    match &line.letters {
                        Ok(parts) => assert!(!parts.is_empty(), "{}:{}", file.display(), line.line),
                        Err(what) => assert!(
                            what.ends_with("the model does not cover that")
                                || what.starts_with("how many letters")
                                || what.contains("TENSOR"),
                            "{}:{}: {what}",
                            file.display(),
                            line.line
                        ),
                    }
                }
                match (&entry.program, &on.program) {
                    (Ok(_), Ok(program)) => {
                        // Each line of a program that is passed is an instruction with letters.
                        let found = heaviest(program, |_| 1.into()).unwrap();
                        assert!(found.passed.iter().all(|passed| passed.times > 0));
                        assert!(!found.passed.is_empty());
                        programs += 1;
                    }
                    (Ok(_), Err(error)) => {
                        let name = file.file_name().unwrap().to_string_lossy().into_owned();
                        lost.insert(format!("{name} {}: {}", entry.name, error.message()));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(programs > 150, "{programs}");
    let lost: Vec<&str> = lost.iter().map(|one| one.split(':').next().unwrap()).collect();
    assert_eq!(lost, [""; 0]);
}
