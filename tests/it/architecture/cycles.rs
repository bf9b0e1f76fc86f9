//! Cycles of modules inside of crates: an edge leads from a module to another one in which an item is defined that it names, by `use` or by a
//! path. That a module hands on what one of its children defines is no edge, nor that it names a type of a module around it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Leaf, code, expand, modules, project};

/// A path within a crate: the modules from its root on, and perhaps an item.
pub(super) type Names = Vec<String>;

/// A file of a crate.
pub(super) struct Module {
    code: String,
    defines: BTreeSet<String>,
    uses: Vec<Use>,
}

/// A name that `use` makes, and what it stands for.
struct Use {
    leaf: Leaf,
    is_public: bool,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names in a code, each with where it begins.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.match_indices(is_word).map(|(at, _)| at).filter(|&at| !code[..at].ends_with(is_word)).map(|at| {
        let rest = &code[at..];
        (at, &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())])
    })
}

/// The items that stand in a code.
fn defined(code: &str) -> BTreeSet<String> {
    let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static", "macro_rules"];
    let words: Vec<&str> = words(code).map(|(_, word)| word).collect();
    words.windows(2).filter(|pair| kinds.contains(&pair[0])).map(|pair| pair[1].to_owned()).collect()
}

/// What the trees of `use` in a code say, and the code without them.
fn used(code: &str) -> (Vec<Use>, String) {
    let (mut found, mut rest, mut from) = (Vec::new(), String::new(), 0);
    for (at, _) in words(code).filter(|(_, word)| *word == "use") {
        let Some((tree, _)) = code[at + 3..].split_once(';') else { continue };
        let before = code[from..at].trim_end();
        let is_public = before.ends_with("pub")
            || before
                .rfind("pub(")
                .is_some_and(|start| before[start..].find(')') == Some(before.len() - start - 1));
        let mut leaves = Vec::new();
        expand(tree, &mut Vec::new(), &mut leaves);
        for mut leaf in leaves {
            // `module::{self}` is the module.
            if leaf.path.pop_if(|last| last == "self").is_some() && leaf.name == "self" {
                leaf.name = leaf.path.last().cloned().unwrap_or_default();
            }
            found.push(Use { leaf, is_public });
        }
        rest.push_str(before);
        from = at + 3 + tree.len() + 1;
    }
    rest.push_str(&code[from..]);
    (found, rest)
}

/// The modules of one crate.
pub(super) struct Crate(BTreeMap<Names, Module>);

impl Crate {
    /// A path from the root of the crate, of one that stands in a module; none of another crate.
    fn absolute(&self, here: &[String], path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([here, rest].concat()),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                Some([&here[..here.len().checked_sub(ups)?], &path[ups..]].concat())
            }
            _ => {
                let child = [here, std::slice::from_ref(first)].concat();
                self.0.contains_key(&child).then(|| [here, path].concat())
            }
        }
    }

    /// Whether an item has the path of a module, where its parent defines it or hands it on.
    fn is_also_item(&self, module: &[String]) -> bool {
        let Some((name, parent)) = module.split_last() else { return false };
        let is_of = |one: &Leaf| {
            one.name == *name && self.absolute(parent, &one.path).is_some_and(|of| !self.0.contains_key(&of))
        };
        let parent = &self.0[parent];
        parent.defines.contains(name) || parent.uses.iter().any(|one| is_of(&one.leaf))
    }

    /// The module in which the item of a path is defined, with the item; none of a module itself.
    fn definition(&self, path: &[String], seen: &mut BTreeSet<Names>) -> Option<(Names, String)> {
        // An item may have the name of a module next to it.
        let is_place = |length| self.0.contains_key(&path[..length]) && !self.is_also_item(&path[..length]);
        let longest = (0..path.len()).rev().find(|&length| self.0.contains_key(&path[..length]));
        let length = if is_place(path.len()) { path.len() } else { longest? };
        let (place, item) = (path[..length].to_vec(), path.get(length)?);
        let module = &self.0[&place];
        if module.defines.contains(item) || !seen.insert(path.to_vec()) {
            return Some((place, item.clone()));
        }
        for one in module.uses.iter().map(|one| &one.leaf).filter(|one| one.name == *item || one.name == "*")
        {
            let is_all = one.name == "*";
            let Some(of) = self.absolute(&place, &one.path) else { continue };
            let further = if is_all { &path[length..] } else { &path[length + 1..] };
            let found = self.definition(&[&of[..], further].concat(), seen);
            if !is_all || found.as_ref().is_some_and(|(module, item)| self.0[module].defines.contains(item)) {
                return found;
            }
        }
        Some((place, item.clone()))
    }

    /// The modules.
    pub(super) fn modules(&self) -> impl Iterator<Item = &Names> {
        self.0.keys()
    }

    /// The modules that a module uses.
    pub(super) fn edges(&self, here: &Names) -> BTreeSet<Names> {
        let module = &self.0[here];
        let mut paths: Vec<Names> = Vec::new();
        let within = |path: &Names| path.starts_with(here);
        let of_uses = module.uses.iter().filter_map(|one| Some((one, self.absolute(here, &one.leaf.path)?)));
        paths.extend(of_uses.filter(|(one, of)| !(one.is_public && within(of))).map(|(_, of)| of));
        // Paths in the code, from the root, from here, or from a module that `use` or its place names.
        let local: BTreeMap<&str, Names> = module
            .uses
            .iter()
            .filter_map(|one| Some((one.leaf.name.as_str(), self.absolute(here, &one.leaf.path)?)))
            .filter(|(_, of)| self.0.contains_key(of))
            .collect();
        for (at, word) in words(&module.code) {
            // What stands in `pub(in crate::module)` uses nothing.
            let is_path = module.code[at + word.len()..].starts_with("::");
            if !is_path || module.code[..at].ends_with(':') || module.code[..at].ends_with("(in ") {
                continue;
            }
            let path: Names = module.code[at..]
                .split(|c: char| !is_word(c) && c != ':')
                .next()
                .unwrap_or_default()
                .split("::")
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect();
            match local.get(word) {
                Some(of) => paths.push([&of[..], &path[1..]].concat()),
                None => paths.extend(self.absolute(here, &path)),
            }
        }
        let places = paths.iter().filter_map(|path| self.definition(path, &mut BTreeSet::new()));
        let is_type =
            |item: &str| item.chars().any(char::is_lowercase) && item.starts_with(char::is_uppercase);
        places
            .filter(|(place, item)| place != here && !(here.starts_with(place) && is_type(item)))
            .map(|(place, _)| place)
            .collect()
    }

    /// The cycles, each as its modules.
    fn cycles(&self) -> Vec<BTreeSet<Names>> {
        let edges: BTreeMap<&Names, BTreeSet<Names>> =
            self.0.keys().map(|here| (here, self.edges(here))).collect();
        let reached = |from: &Names| {
            let (mut found, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(one) = open.pop() {
                open.extend(edges[one].iter().filter(|&to| found.insert(to.clone())));
            }
            found
        };
        let all: BTreeMap<&Names, BTreeSet<Names>> =
            self.0.keys().map(|here| (here, reached(here))).collect();
        let mut found: BTreeSet<BTreeSet<Names>> = BTreeSet::new();
        for here in self.0.keys() {
            let round: BTreeSet<Names> =
                all[here].iter().filter(|there| all[*there].contains(here)).cloned().collect();
            if round.len() > 1 {
                found.insert(round);
            }
        }
        found.into_iter().collect()
    }
}

/// The crates of files that are given by their path from `crates`.
pub(super) fn crates(files: &[(String, String)]) -> BTreeMap<String, Crate> {
    let mut found: BTreeMap<String, Crate> = BTreeMap::new();
    for (path, text) in
        files.iter().filter(|(path, _)| !path.split('/').any(|part| part == "tests" || part == "tests.rs"))
    {
        let place = modules(path);
        let code = code(text);
        let (uses, code) = used(&code);
        let module = Module { defines: defined(&code), uses, code };
        let (name, rest) = place.split_first().unwrap();
        found.entry(name.clone()).or_insert_with(|| Crate(BTreeMap::new())).0.insert(rest.to_vec(), module);
    }
    found
}

/// The sizes of the cycles of each crate, the largest first.
fn sizes(crates: &BTreeMap<String, Crate>) -> BTreeMap<&str, Vec<usize>> {
    let of = |one: &Crate| {
        let mut sizes: Vec<usize> = one.cycles().iter().map(BTreeSet::len).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    };
    crates.iter().map(|(name, one)| (name.as_str(), of(one))).filter(|(_, sizes)| !sizes.is_empty()).collect()
}

#[test]
fn no_crate_has_a_cycle_of_modules() {
    let (files, _) = project();
    let crates = crates(&files);
    for (name, one) in &crates {
        for cycle in one.cycles() {
            println!("{name}: {:?}", cycle.iter().map(|module| module.join("::")).collect::<Vec<_>>());
        }
    }
    assert_eq!(sizes(&crates), BTreeMap::new());
}

/// A use of a module by one that it uses is found, also through a name that another module hands on.
#[test]
fn a_planted_cycle_is_found() {
    let files = |one: &str, two: &str, three: &str| {
        let of = |name: &str, text: &str| (format!("a/src/{name}.rs"), text.to_owned());
        [of("lib", "mod one; mod two; mod three;"), of("one/mod", one), of("two", two), of("three", three)]
    };
    let largest = |files: &[(String, String)]| sizes(&crates(files)).get("a").map(|sizes| sizes[0]);
    let named = "pub(crate) fn f() {}";
    assert_eq!(largest(&files(named, "use crate::one::f;", "")), None);
    assert_eq!(
        largest(&files(
            &format!("{named} fn g() {{ crate::two::g() }}"),
            "use crate::one::f;\nfn g() {}",
            ""
        )),
        Some(2)
    );
    assert_eq!(
        largest(&files(
            &format!("{named}\nuse crate::{{three::{{g as h}}}};"),
            "use crate::one::f;\npub(crate) fn g() {}",
            "pub(crate) use crate::two::g;"
        )),
        Some(2)
    );
    assert_eq!(
        largest(&files(
            &format!("{named}\nuse crate::two; fn g() {{ two::g() }}"),
            "use crate::one::f;\npub(crate) fn g() {}",
            ""
        )),
        Some(2)
    );
    // A function of the name of its module, which the module around it hands on.
    let run = |one: &str| {
        let of = |name: &str, text: &str| (format!("a/src/{name}.rs"), text.to_owned());
        let two = [
            ("two/mod", "mod run; pub(crate) use run::run;"),
            ("two/run", "use crate::one::f; pub fn run() {}"),
        ];
        [of("one", one)].into_iter().chain(two.map(|(name, text)| of(name, text))).collect::<Vec<_>>()
    };
    assert_eq!(largest(&run("pub fn f() { crate::two::run() }")), Some(2));
    assert_eq!(largest(&run("pub(in crate::two::run) fn f() {}")), None);
}
