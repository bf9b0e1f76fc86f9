//! Which room of the library uses which: the table of rooms in `src/lib.rs` is the rule, and this test reads
//! it.
//!
//! A room may use only rooms that stand above it in the table and that its row names. The test fails where a
//! source file uses another room, where a row names a room that is not used, and where a folder of `crates` has
//! no row. That crates use only the crates that they name, cargo ensures; the rooms of one crate are checked here
//! alone.

mod cycles;
mod layers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A room of the table.
struct Room {
    name: String,
    /// The crate and the modules in which it stands.
    place: Vec<String>,
    /// The rooms that it uses.
    uses: BTreeSet<String>,
}

/// The rows of the table, from the ground up.
fn rooms(lib: &str) -> Vec<Room> {
    let rows = lib.lines().skip_while(|line| !line.starts_with("//! | room | stands in |")).skip(2);
    let cells =
        rows.map_while(|line| line.strip_prefix("//! | ")).map(|row| row.split(" | ").collect::<Vec<_>>());
    let plain = |name: &str| name.trim_matches(|c| "[]`-".contains(c)).to_owned();
    cells
        .map(|cells| Room {
            name: plain(cells[0]),
            place: plain(cells[1]).split("::").map(str::to_owned).collect(),
            uses: cells[2].split(", ").map(plain).filter(|name| !name.is_empty()).collect(),
        })
        .collect()
}

/// The code of a file: without comments, texts in quotation marks, and the unit tests at its end.
fn code(text: &str) -> String {
    let text = ["mod tests", "pub(crate) mod testing"]
        .into_iter()
        .fold(text, |text, tests| text.split(&format!("\n#[cfg(test)]\n{tests}")).next().unwrap_or_default());
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut code = String::new();
    for (at, part) in lines.collect::<Vec<_>>().join("\n").split('"').enumerate() {
        if at % 2 == 0 {
            code.push_str(part);
        }
    }
    code
}

/// The paths of our crates in a code of the crate `own`, each as the crate and the modules that it names;
/// `crate::{a, b::c}` counts as two.
fn paths(own: &str, code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate", "warpspan_"] {
        for (at, _) in code.match_indices(start) {
            let boundary = code[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
            let rest = &code[at + start.len()..];
            let name = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())];
            let home = if start == "crate" { own } else { name };
            if !boundary || (start == "crate") != name.is_empty() {
                continue;
            }
            match rest[name.len()..].strip_prefix("::") {
                Some(tree) => {
                    let mut leaves = Vec::new();
                    expand(tree, &mut vec![home.to_owned()], &mut leaves);
                    found.extend(leaves.into_iter().map(|leaf| leaf.path));
                }
                None if start == "crate" => {} // such as pub(crate)
                None => found.push(vec![home.to_owned()]),
            }
        }
    }
    found
}

/// A path of a use tree.
struct Leaf {
    path: Vec<String>,
    /// The name that it makes: the last one, that behind `as`, or `*` for all that is there.
    name: String,
}

/// Adds the paths of a use tree to `found`, and returns what follows it.
fn expand<'a>(mut rest: &'a str, prefix: &mut Vec<String>, found: &mut Vec<Leaf>) -> &'a str {
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
    // `name as other`, `*` and the like belong to this path.
    let end = rest.find([',', '}', ';', '\n', '(', ')']).unwrap_or(rest.len());
    let name = match rest[..end].trim() {
        "*" => "*".to_owned(),
        behind => match behind.strip_prefix("as ") {
            Some(other) => other.trim().to_owned(),
            None => prefix.last().cloned().unwrap_or_default(),
        },
    };
    found.push(Leaf { path: prefix.clone(), name });
    prefix.truncate(depth);
    &rest[end..]
}

/// The room of a path of modules: the one with the longest place that it begins with.
fn room_of<'a>(path: &[String], rooms: &'a [Room]) -> Option<&'a str> {
    let within = |room: &&Room| path.starts_with(&room.place);
    rooms.iter().filter(within).max_by_key(|room| room.place.len()).map(|room| room.name.as_str())
}

/// The modules of a file that is given by its path from `crates`: the crate, and what stands behind its `src`.
fn modules(path: &str) -> Vec<String> {
    let parts = path.trim_end_matches(".rs").split('/').map(str::to_owned);
    let parts = parts.enumerate().filter(|(at, part)| *at != 1 && !matches!(part.as_str(), "lib" | "mod"));
    parts.map(|(_, part)| part).collect()
}

/// What breaks the rule, a line each: files are given by their path from `crates` and their text.
fn breaches(files: &[(String, String)], lib: &str) -> Vec<String> {
    let rooms = rooms(lib);
    let floor: BTreeMap<&str, usize> =
        rooms.iter().enumerate().map(|(at, room)| (room.name.as_str(), at)).collect();
    let mut used: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut found = Vec::new();
    for (path, text) in files {
        let module = modules(path);
        let Some(here) = room_of(&module, &rooms) else {
            // The face of a crate of rooms only names them. The seal belongs to the rooms of the bounds.
            let is_face = module.len() == 1 && rooms.iter().any(|room| room.place[0] == module[0]);
            if !is_face && module != ["check", "seal"] {
                found.push(format!("{path} is in no room of the table in lib.rs"));
            }
            continue;
        };
        let code = code(text);
        if code.contains("super::super::") {
            found.push(format!("{path} uses super::super::, which hides the room that it uses"));
        }
        let paths = paths(&module[0], &code);
        for there in paths.iter().filter_map(|path| room_of(path, &rooms)).filter(|&there| there != here) {
            used.entry(here).or_default().insert(there);
            if !rooms[floor[here]].uses.contains(there) {
                found.push(format!("{path}: {here} uses {there}, which its row does not name"));
            }
        }
    }
    for room in rooms.iter().filter(|room| room.name != "prelude") {
        let name = &room.name;
        for there in &room.uses {
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
            let name = path.strip_prefix("crates").unwrap().display().to_string();
            found.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

fn project() -> (Vec<(String, String)>, String) {
    let mut files = Vec::new();
    sources(Path::new("crates"), &mut files);
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
        ("check/src/record/mod.rs", "use warpspan_engines::phase::bound;", "check uses engines::phase"),
        (
            "check/src/bound/side.rs",
            "use {warpspan_model::Cycles, warpspan_engines::states};",
            "bound uses engines::states",
        ),
        ("model/src/kernel.rs", "use crate::{\n    limits::Limits as L,\n};", "model uses limits"),
        (
            "engines/src/states/mod.rs",
            "fn f() { crate::beam::search() }",
            "engines::states uses engines::beam",
        ),
        ("listing/src/lib.rs", "use super::super::cli;", "super::super::"),
        ("attic/src/lib.rs", "", "attic/src/lib.rs is in no room"),
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
