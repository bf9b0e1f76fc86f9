//! Spellings of instructions: those of the listings of the project, and what changes of them may make.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// An instruction: its opcode, and its operands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spelling {
    pub opcode: String,
    pub operands: Vec<String>,
}

impl Spelling {
    pub(crate) fn of(text: &str) -> Self {
        let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
        let operands = warpspan_isa::operand::split(operands).map(str::to_owned).collect();
        Self { opcode: opcode.to_owned(), operands }
    }

    pub(crate) fn name(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    pub(crate) fn text(&self) -> String {
        self.operands.join(", ")
    }

    /// Itself with the digits of its numbers and registers alike, which is the same for all that differ in nothing else.
    fn shape(&self) -> String {
        let text = format!("{} {}", self.opcode, self.text());
        let mut shape = String::new();
        for c in text[self.opcode.len()..].chars() {
            let c = if c.is_ascii_digit() { '#' } else { c };
            if c != '#' || !shape.ends_with('#') {
                shape.push(c);
            }
        }
        self.opcode.clone() + &shape
    }
}

/// The spellings of each opcode, and all modifiers.
pub(crate) struct Shapes {
    pub names: Vec<&'static str>,
    pub by_name: BTreeMap<String, Vec<Spelling>>,
    pub modifiers: Vec<String>,
}

/// All files below a folder whose names end so.
fn files(folder: &Path, ends: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files(&entry, ends, found);
        } else if entry.to_str().is_some_and(|name| name.ends_with(ends)) {
            found.push(entry);
        }
    }
}

fn below(folder: &str, ends: &str) -> Vec<String> {
    let mut found = vec![];
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), ends, &mut found);
    assert!(!found.is_empty(), "{folder}: no {ends}");
    // Some listings are damaged on purpose.
    found.iter().map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()).collect()
}

/// The instruction of a line, without its address, its guard and what stands behind it.
fn instruction(line: &str) -> Option<Spelling> {
    let line = line.trim_start();
    let line =
        line.strip_prefix("/*").map_or(line, |rest| rest.split_once("*/").map_or("", |(_, rest)| rest));
    let line = line.trim_start().trim_start_matches('{').trim_start();
    let line = line.strip_prefix('@').map_or(line, |rest| rest.split_once(' ').map_or("", |(_, rest)| rest));
    let text = line.split_once(';')?.0;
    let text = text.split(" &").next()?.split(" ?").next()?.trim();
    Some(Spelling::of(text)).filter(|one| one.opcode.starts_with(|c: char| c.is_ascii_alphabetic()))
}

impl Shapes {
    /// Those of listings whose names end so and of `known`; of some names alone. Modifiers are also those of which the code of the crate speaks.
    pub(crate) fn new(
        names: Vec<&'static str>,
        ends: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> Self {
        let all: BTreeSet<&str> = names.iter().copied().collect();
        let texts = below("../../tests/data", ends);
        let lines = texts.iter().flat_map(|text| text.lines()).filter_map(instruction);
        let mut shapes = BTreeSet::new();
        let mut by_name: BTreeMap<String, Vec<Spelling>> = BTreeMap::new();
        let mut modifiers = BTreeSet::new();
        for one in known.map(Spelling::of).chain(lines).filter(|one| all.contains(one.name())) {
            modifiers.extend(one.opcode.split('.').skip(1).map(str::to_owned));
            if shapes.insert(one.shape()) {
                by_name.entry(one.name().to_owned()).or_default().push(one);
            }
        }
        for text in below("src", ".rs") {
            let words = text.split('"').skip(1).step_by(2).flat_map(|quoted| quoted.split(['.', ' ']));
            let word = |word: &&str| {
                !word.is_empty()
                    && word.len() < 12
                    && word.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
            };
            modifiers.extend(words.filter(word).map(str::to_owned));
        }
        Self { names, by_name, modifiers: modifiers.into_iter().collect() }
    }

    /// A spelling of a name, or that of another one under this name.
    pub(crate) fn one(&self, random: &mut ChaCha8Rng, name: &str) -> Spelling {
        let other = name.strip_prefix('U').map_or_else(|| format!("U{name}"), str::to_owned);
        let own = self.by_name.get(name).filter(|_| random.random_bool(0.8));
        let found = own.or_else(|| self.by_name.get(&other).filter(|_| random.random_bool(0.9)));
        let found = match found {
            Some(found) => found,
            None => self.by_name.values().collect::<Vec<_>>().choose(random).unwrap(),
        };
        let mut one = found.choose(random).unwrap().clone();
        one.opcode = format!("{name}{}", one.opcode.strip_prefix(one.name()).unwrap_or_default());
        one
    }

    /// Changes the modifiers of a spelling.
    pub(crate) fn modify(&self, random: &mut ChaCha8Rng, one: &mut Spelling) {
        let mut parts: Vec<&str> = one.opcode.split('.').collect();
        let known = self.by_name.get(parts[0]);
        let likely = known
            .and_then(|all| all.choose(random))
            .map_or(vec![], |other| other.opcode.split('.').skip(1).collect());
        let new = likely.choose(random).filter(|_| random.random_bool(0.5));
        let new = new.copied().unwrap_or_else(|| self.modifiers.choose(random).unwrap());
        let at = random.random_range(1..=parts.len());
        match random.random_range(0..4) {
            0 if at < parts.len() => drop(parts.remove(at)),
            1 if at < parts.len() => parts[at] = new,
            2 if at + 1 < parts.len() => parts.swap(at, at + 1),
            _ => parts.insert(at, new),
        }
        one.opcode = parts.join(".");
    }
}

/// Changes the operands of a spelling, where `operand` gives others.
pub(crate) fn vary(
    random: &mut ChaCha8Rng,
    one: &mut Spelling,
    operand: impl Fn(&mut ChaCha8Rng, Option<&str>) -> String,
) {
    let count = one.operands.len();
    let at = random.random_range(0..=count);
    match random.random_range(0..10) {
        0 if at < count => drop(one.operands.remove(at)),
        1 => one.operands.insert(at, operand(random, None)),
        2 if at + 1 < count => one.operands.swap(at, at + 1),
        _ if at < count => one.operands[at] = operand(random, Some(&one.operands[at])),
        _ => {}
    }
}
