//! Which room of the library uses which: the table of rooms in `src/lib.rs` is the rule, and this test reads
//! it.
//!
//! A room may use only rooms that stand above it in the table and that its row names. The test fails where a
//! source file uses another room, where a row names a room that is not used, and where a folder of `src` has
//! no row.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The rows of the table: each room with the rooms that it uses, from the ground up.
fn rooms(lib: &str) -> Vec<(String, BTreeSet<String>)> {
    let rows = lib.lines().skip_while(|line| !line.starts_with("//! | room | uses |")).skip(2);
    let cells =
        rows.map_while(|line| line.strip_prefix("//! | ")).map(|row| row.split(" | ").collect::<Vec<_>>());
    cells
        .map(|cells| {
            let names = |cell: &str| -> BTreeSet<String> {
                cell.split(", ").map(|name| name.trim_matches(|c| "[]`-".contains(c)).to_owned()).collect()
            };
            let room = names(cells[0]).pop_first().unwrap();
            (room, names(cells[1]).into_iter().filter(|name| !name.is_empty()).collect())
        })
        .collect()
}

/// The code of a file: without comments, texts in quotation marks, and the unit tests at its end.
fn code(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut code = String::new();
    for (at, part) in lines.collect::<Vec<_>>().join("\n").split('"').enumerate() {
        if at % 2 == 0 {
            code.push_str(part);
        }
    }
    code
}

/// The paths that follow `crate::` in a code, each as the modules it names; `crate::{a, b::c}` counts as two.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let boundary = code[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        if boundary {
            expand(&code[at + "crate::".len()..], &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Adds the paths of a use tree to `found`, and returns what follows it.
fn expand<'a>(mut rest: &'a str, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    let depth = prefix.len();
    loop {
        rest = rest.trim_start();
        if let Some(mut inner) = rest.strip_prefix('{') {
            while !inner.trim_start().starts_with('}') && !inner.is_empty() {
                inner = expand(inner, prefix, found).trim_start();
                inner = inner.strip_prefix(',').unwrap_or(inner);
            }
            prefix.truncate(depth);
            return inner.trim_start().strip_prefix('}').unwrap_or(inner);
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        prefix.push(rest[..end].to_owned());
        rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(more) => rest = more,
            None => break,
        }
    }
    found.push(prefix.clone());
    prefix.truncate(depth);
    // `name as other`, `*` and the like belong to this path.
    let end = rest.find([',', '}', ';', '\n', '(', ')']).unwrap_or(rest.len());
    &rest[end..]
}

/// The room of a path of modules: the longest name in the table that it begins with.
fn room_of<'a>(path: &[String], rooms: &'a [(String, BTreeSet<String>)]) -> Option<&'a str> {
    let names = rooms.iter().map(|(name, _)| name.as_str());
    let within =
        |name: &&str| name.split("::").zip(path).filter(|(a, b)| a == b).count() == name.split("::").count();
    names.filter(within).max_by_key(|name| name.len())
}

/// What breaks the rule, a line each: files are given by their path from `src` and their text.
fn breaches(files: &[(String, String)], lib: &str) -> Vec<String> {
    let rooms = rooms(lib);
    let floor: BTreeMap<&str, usize> =
        rooms.iter().enumerate().map(|(at, (name, _))| (name.as_str(), at)).collect();
    let mut used: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut found = Vec::new();
    for (path, text) in files {
        let module: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        let Some(here) = room_of(&module, &rooms) else {
            // The face of a folder of rooms, such as engines/mod.rs, only names them.
            let face = format!("{}::", module[..module.len() - 1].join("::"));
            if module.last().is_none_or(|name| name != "mod")
                || !rooms.iter().any(|(name, _)| name.starts_with(&face))
            {
                found.push(format!("{path} is in no room of the table in lib.rs"));
            }
            continue;
        };
        let code = code(text);
        if code.contains("super::super::") {
            found.push(format!("{path} uses super::super::, which hides the room that it uses"));
        }
        for there in
            paths(&code).iter().filter_map(|path| room_of(path, &rooms)).filter(|&there| there != here)
        {
            used.entry(here).or_default().insert(there);
            if !rooms[floor[here]].1.contains(there) {
                found.push(format!("{path}: {here} uses {there}, which its row does not name"));
            }
        }
    }
    for (name, uses) in &rooms {
        for there in uses {
            match floor.get(there.as_str()) {
                None => found.push(format!("{name} names {there}, which is no room")),
                Some(at) if *at >= floor[name.as_str()] => {
                    found.push(format!("{name} uses {there}, which does not stand above it in the table"));
                }
                _ if !used.get(name.as_str()).is_some_and(|used| used.contains(there.as_str())) => {
                    found.push(format!("{name} names {there}, which it does not use"));
                }
                _ => {}
            }
        }
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix("src").unwrap().display().to_string();
            if !matches!(name.as_str(), "lib.rs" | "main.rs") {
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
}

fn project() -> (Vec<(String, String)>, String) {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    (files, std::fs::read_to_string("src/lib.rs").unwrap())
}

#[test]
fn rooms_use_only_what_the_table_says() {
    let (files, lib) = project();
    assert!(files.len() > 100);
    let breaches = breaches(&files, &lib);
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

/// Each planted line must be found, or the test above proves nothing.
#[test]
fn a_planted_import_is_found() {
    let plants = [
        ("check/mod.rs", "use crate::engines::phase::bound;", "check uses engines::phase"),
        ("bound/side.rs", "use crate::{model::Cycles, engines::states};", "bound uses engines::states"),
        ("model/kernel.rs", "use crate::{\n    limits::Limits as L,\n};", "model uses limits"),
        (
            "engines/states/mod.rs",
            "fn f() { crate::engines::beam::search() }",
            "engines::states uses engines::beam",
        ),
        ("listing/mod.rs", "use super::super::cli;", "super::super::"),
        ("attic/mod.rs", "", "attic/mod.rs is in no room"),
    ];
    for (path, line, expected) in plants {
        let (mut files, lib) = project();
        match files.iter_mut().find(|(name, _)| name == path) {
            Some((_, text)) => text.insert_str(0, &format!("{line}\n")),
            None => files.push((path.to_owned(), line.to_owned())),
        }
        let breaches = breaches(&files, &lib);
        assert!(breaches.iter().any(|breach| breach.contains(expected)), "{path} {line}: {breaches:?}");
    }
}
