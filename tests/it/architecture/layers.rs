//! Layers of modules: under the line [`HEAD`] the modules of a folder stand in groups with a blank line between them, and a module uses
//! only those of groups above its own.

use std::collections::{BTreeMap, BTreeSet};

use super::cycles::crates;
use super::{modules, project};

/// What stands above the layers of a folder.
const HEAD: &str = "// Layers: a module uses only those of the groups above its own.";

/// The folders that have layers.
const LAYERED: [&str; 28] = [
    "amalthea",
    "check",
    "cli",
    "cli/args",
    "cli/commands",
    "document",
    "engines",
    "evt",
    "figures",
    "ilp",
    "isa",
    "kernel",
    "kernel/input",
    "launch",
    "lift",
    "listing",
    "listing/affine",
    "listing/flow",
    "listing/flow/analysis",
    "listing/flow/lower",
    "listing/machine",
    "model",
    "partition",
    "prem",
    "records",
    "rta",
    "solver",
    "sweep",
];

/// The layer of each module of a file, if it has any.
fn layers(text: &str) -> Option<BTreeMap<&str, usize>> {
    let (_, behind) = text.split_once(HEAD)?;
    let (mut layer, mut found) = (0, BTreeMap::new());
    for line in behind.lines().skip(1) {
        let declared = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        match declared.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
            Some(name) => drop(found.insert(name, layer)),
            None if line.is_empty() => layer += 1,
            None if line.starts_with("#[") || line.starts_with("//") => {}
            None => break,
        }
    }
    Some(found)
}

/// What stands in the way of the layers, in files that are given by their path from `crates`.
fn breaches(files: &[(String, String)]) -> Vec<String> {
    let crates = crates(files);
    let mut found = Vec::new();
    for (path, text) in files {
        let Some(layers) = layers(text) else { continue };
        let place = modules(path);
        let (name, folder) = place.split_first().unwrap();
        let one = &crates[name];
        let child = |module: &[String]| module.strip_prefix(folder)?.first().cloned();
        let mut uses: BTreeSet<(String, String)> = BTreeSet::new();
        for here in one.modules() {
            let of_here =
                one.edges(here).into_iter().filter_map(|there| Some((child(here)?, child(&there)?)));
            uses.extend(of_here.filter(|(from, to)| from != to));
        }
        for (from, to) in uses {
            match [&from, &to].map(|module| layers.get(module.as_str())) {
                [Some(own), Some(other)] if other < own => {}
                [Some(_), Some(_)] => found.push(format!("{path}: {from} uses {to}, which is not above it")),
                _ => found.push(format!("{path}: {from} uses {to}, and one of them is in no layer")),
            }
        }
    }
    found
}

#[test]
fn modules_use_only_layers_above_them() {
    let (files, _) = project();
    let layered = files.iter().filter(|(_, text)| text.contains(HEAD));
    let folders: BTreeSet<String> = layered.map(|(path, _)| modules(path).join("/")).collect();
    assert_eq!(folders, LAYERED.map(str::to_owned).into());
    assert_eq!(breaches(&files), Vec::<String>::new());
}

#[test]
fn a_planted_breach_is_found() {
    let files = |head: &str, one: &str| {
        let of = |name: &str, text: &str| (format!("a/src/{name}.rs"), text.to_owned());
        [
            of("lib", &format!("{HEAD}\n{head}\nfn g() {{}}\n")),
            of("one", one),
            of("two", "pub(crate) fn f() {}"),
        ]
    };
    let uses = "use crate::two::f;";
    assert_eq!(breaches(&files("pub mod two;\n\nmod one;\n", uses)), Vec::<String>::new());
    for head in ["mod one;\n\npub mod two;\n", "mod one;\nmod two;\n"] {
        assert_eq!(breaches(&files(head, uses)), ["a/src/lib.rs: one uses two, which is not above it"]);
        assert_eq!(breaches(&files(head, "")), Vec::<String>::new());
    }
    let one = breaches(&files("mod one;\n", uses));
    assert_eq!(one, ["a/src/lib.rs: one uses two, and one of them is in no layer"]);
}
