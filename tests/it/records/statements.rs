//! What the program says of its theorems is what `proofs/README.md` and the pages of the manual say.

use std::collections::{BTreeMap, BTreeSet};

use warpspan::bound::Checked;
use warpspan::bound::statement::STATEMENTS;

use crate::records::root;

/// The theorems that the tables of `proofs/README.md` name: each with its file and its page of the manual.
fn theorems(readme: &str) -> BTreeMap<String, (String, String)> {
    let header = "| theorem | file | says | manual | Rust |";
    let mut found = BTreeMap::new();
    for table in readme.split(header).skip(1) {
        for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let plain = |cell: &str| cell.trim_matches('`').to_owned();
            let manual = cells[3].split(',').next().unwrap().to_owned();
            let again = found.insert(plain(cells[0]), (plain(cells[1]), manual));
            assert!(again.is_none(), "{row}");
        }
    }
    found
}

#[test]
fn the_theorems_are_those_of_the_proofs() {
    let readme = std::fs::read_to_string(root().join("proofs/README.md")).unwrap();
    let listed = theorems(&readme);
    assert!(listed.len() >= 60, "the tables of proofs/README.md cannot be read: {}", listed.len());
    let mut named = BTreeSet::new();
    for statement in STATEMENTS {
        for coq in statement.coq {
            let (theorem, file) = (coq.theorem, coq.file);
            let known = listed.get(theorem);
            assert!(known.is_some(), "{}: proofs/README.md has no theorem {theorem}", statement.name);
            assert_eq!(known.unwrap().0, file, "{theorem}");
            let text = std::fs::read_to_string(root().join("proofs").join(file)).unwrap();
            let stated = text.lines().any(|line| {
                let name = line.trim_start().strip_prefix("Theorem ").unwrap_or_default();
                name.split(|c: char| !c.is_alphanumeric() && c != '_').next() == Some(theorem)
            });
            assert!(stated, "proofs/{file} has no Theorem {theorem}");
            assert!(named.insert(theorem), "{theorem} is named by two statements");
        }
    }
    let missing: Vec<&String> = listed.keys().filter(|theorem| !named.contains(theorem.as_str())).collect();
    assert!(
        missing.is_empty(),
        "crates/check/src/bound/statement lacks theorems of proofs/README.md: {missing:?}"
    );
}

/// A machine has checked a formula only if Coq has checked a theorem; what is judged in each run is named here.
#[test]
fn nothing_counts_as_checked_by_a_machine_without_a_theorem() {
    for statement in STATEMENTS {
        let judged = matches!(statement.name, "schedule" | "run-of-rules");
        if statement.checked == Checked::Machine && !judged {
            assert!(!statement.coq.is_empty(), "{}", statement.name);
        }
    }
    // What `proofs/README.md` says is on paper, in part or in all.
    for name in [
        "program",
        "path-closed-form",
        "relay",
        "critical-path-on-machine",
        "phase-width-latency",
        "pipelined",
        "response-bound",
        "bottleneck",
    ] {
        let statement = STATEMENTS.iter().find(|one| one.name == name).unwrap();
        assert_eq!(statement.checked, Checked::Paper, "{name}");
    }
}

#[test]
fn the_manual_has_the_pages_and_the_sections() {
    let mut names = BTreeSet::new();
    for statement in STATEMENTS {
        assert!(names.insert(statement.name), "{} twice", statement.name);
        let page = root().join(format!("docs/{}.md", statement.page));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("{}", page.display()));
        let section = statement.section;
        let numbered = section.bytes().all(|byte| byte.is_ascii_digit());
        let has = text.lines().any(|line| {
            let title = line.trim_start_matches('#').trim();
            if section.starts_with("Theorem ") {
                line.contains(&format!("**{section}.**"))
                    || line.starts_with('#') && title.starts_with(section)
            } else {
                line.starts_with('#')
                    && (title == section || numbered && title.starts_with(&format!("{section}. ")))
            }
        });
        assert!(has, "{} has no {section}", page.display());
    }
}
