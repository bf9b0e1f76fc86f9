//! The tables of `tests/data/walk`: what is given to which command, and what each flag and each key of it is.
//!
//! A row is `what is given & what goes with it | what it is`. Given is a key with a value in TOML, or a flag. What goes with it stands in the
//! answer without it too; behind a `-` stands what neither has, and behind a `!` what is given in its place.

use std::collections::BTreeSet;
use std::path::PathBuf;

use roxmltree::{Document, Node};
use serde::Deserialize;
use toml::{Table, Value};

use crate::records::root;

/// A file or a command line, with a row or more for each key or flag.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Walk {
    /// The format of the file, by its name in `warpspan schema`.
    pub(super) format: Option<String>,
    /// The command, for which the file is `FILE`.
    pub(super) command: String,
    #[serde(default)]
    file: String,
    /// The model in its place, by its path in this package.
    pub(super) model: Option<String>,
    #[serde(default)]
    rows: String,
    /// Lists of rows that several walks have, in `shared.toml`.
    #[serde(default)]
    include: Vec<String>,
    /// Where the tables of these lists are in the file.
    #[serde(default)]
    prefix: String,
    /// The file that the command writes where it prints no record.
    pub(super) output: Option<String>,
}

/// What a flag or a key is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Class {
    /// It asks for an answer in another form, or whether a deadline is met: no number changes, and nothing else is rested on.
    Question,
    /// It says what is asked of: the record has it in a field with these names on its path.
    Asked { names: Vec<String>, exactly: bool },
    /// It asks something else, or has no meaning here: the answer has another schema, or there is none.
    Apart,
    /// It is refused.
    Refused,
    /// It declares this.
    Declares {
        id: String,
        /// The row of it is the same for every value: a rule of the launches, or what a whole file has.
        fixed: bool,
        /// Nobody but the program says it, where the key alone asks for it.
        by_any: bool,
    },
}

/// A part of a row.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Key(String, Value),
    Flag(String, String),
    /// What is taken away, also where what is given is not there.
    Never(String),
    /// What is taken away where it is there.
    Instead(String),
}

pub(super) struct Row {
    pub(super) line: String,
    given: Step,
    with: Vec<Step>,
    pub(super) class: Class,
}

fn folder() -> PathBuf {
    root().join("tests/data/walk")
}

/// The walks of a file of `tests/data/walk`.
pub(super) fn walks(name: &str) -> Vec<Walk> {
    #[derive(Deserialize)]
    struct File {
        walk: Vec<Walk>,
    }
    let text = std::fs::read_to_string(folder().join(format!("{name}.toml"))).unwrap();
    toml::from_str::<File>(&text).unwrap_or_else(|error| panic!("{name}: {error}")).walk
}

/// What the walks read, by the names in them.
pub(super) fn files() -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let own = std::fs::read_dir(folder().join("files")).unwrap().map(|file| file.unwrap().path());
    let own = own.map(|path| (PathBuf::from(path.file_name().unwrap()), std::fs::read(&path).unwrap()));
    let others = [
        ("docs/tutorial/conv.sm_62.sass", "conv.sass"),
        ("docs/tutorial/vote.sm_62.sass", "vote.sass"),
        ("tests/data/waits/queue.sass", "queue.sass"),
        ("tests/data/waits/cgsync.sm_87.sass", "cgsync.sass"),
        ("tests/data/tx2/concurrent_1st_1.json", "log.json"),
        ("tests/data/prem/measured.json", "measured.json"),
    ];
    let others = others.map(|(from, name)| (PathBuf::from(name), std::fs::read(root().join(from)).unwrap()));
    let times: String =
        (0..1000).map(|n| format!("{}\n", 15.0 + f64::from(n * 7919 % 1000) / 1000.0)).collect();
    // A machine of one's own, with the letters of an Orin.
    let known = std::fs::read_to_string(root().join("machines/sm_87.toml")).unwrap();
    let mine = known.replacen("name = \"sm_87\"", "name = \"mine\"", 1);
    let made = [("times.txt", format!("us\n{times}")), ("mine.toml", mine)];
    own.chain(others).chain(made.map(|(name, text)| (name.into(), text.into_bytes())))
}

/// The lines of a list, without those that say something of it.
fn lines(list: &str) -> impl Iterator<Item = &str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

impl Walk {
    pub(super) fn rows(&self) -> Vec<Row> {
        let shared: Table =
            toml::from_str(&std::fs::read_to_string(folder().join("shared.toml")).unwrap()).unwrap();
        let mut all: Vec<Row> = lines(&self.rows).map(Row::read).collect();
        for name in &self.include {
            let list = shared[name].as_str().unwrap();
            all.extend(lines(list).map(|line| Row::read(&self.placed(line))));
        }
        all
    }

    /// A row of a list for the place of its tables in this file.
    fn placed(&self, line: &str) -> String {
        if self.prefix.is_empty() {
            return line.to_owned();
        }
        let (steps, class) = line.rsplit_once('|').unwrap();
        let placed = |step: &str| {
            let sign = step.len() - step.trim_start_matches(['!', '-']).len();
            let (sign, key) = step.split_at(if step.starts_with("--") { 0 } else { sign });
            match key.split_once('.') {
                _ if key.starts_with("--") => step.to_owned(),
                // The tables of a machine of its own, and of a kernel, which a task is too.
                Some(("machine" | "kernel", rest)) => format!("{sign}{}{rest}", self.prefix),
                Some(("unit" | "letter" | "server", _)) => format!("{sign}{}{key}", self.prefix),
                _ => step.to_owned(),
            }
        };
        let steps: Vec<String> = steps.split(" & ").map(|step| placed(step.trim())).collect();
        format!("{} |{class}", steps.join(" & "))
    }

    /// The file and the words of the command, with what a row gives or without it.
    pub(super) fn built(&self, row: &Row, given: bool) -> (String, Vec<String>) {
        let mut file: Table = toml::from_str(&self.file).unwrap();
        let mut model = self.model.as_ref().map(|path| std::fs::read_to_string(root().join(path)).unwrap());
        let mut words: Vec<String> = self.command.split_whitespace().map(str::to_owned).collect();
        for step in row.with.iter().chain(given.then_some(&row.given)) {
            match step {
                Step::Key(path, value) => match &mut model {
                    Some(model) => *model = with_attribute(model, path, value.as_str().unwrap()),
                    None => put(&mut file, path, Some(value)),
                },
                Step::Flag(flag, value) => {
                    // These may stand several times.
                    if !["--param", "--group", "--loop-bound"].contains(&flag.as_str()) {
                        remove_flag(&mut words, flag);
                    }
                    words.push(if value.is_empty() { flag.clone() } else { format!("{flag}={value}") });
                }
                Step::Instead(_) if !given => {}
                Step::Never(what) | Step::Instead(what) if what.starts_with("--") => {
                    remove_flag(&mut words, what)
                }
                Step::Never(what) | Step::Instead(what) => put(&mut file, what, None),
            }
        }
        (model.unwrap_or_else(|| file.to_string()), words)
    }
}

/// The model with another value of an attribute, as `tasks.name`: of the first element that has it, or of that of a number. What has another
/// name is called so wherever it is named.
fn with_attribute(model: &str, path: &str, value: &str) -> String {
    let names: Vec<&str> = path.split('.').collect();
    let (&[element, attribute] | &[element, _, attribute]) = &names[..] else {
        panic!("{path}: want ELEMENT.ATTRIBUTE")
    };
    let number = names[1].parse().unwrap_or(0);
    let document = Document::parse(model).unwrap();
    let has = document.descendants().filter(|node| node.has_tag_name(element));
    let found = has.filter_map(|node| node.attribute_node(attribute)).nth(number);
    let found = found.unwrap_or_else(|| panic!("{path}: there is none"));
    let range = found.range_value();
    let changed = format!("{}{value}{}", &model[..range.start], &model[range.end..]);
    match attribute {
        "name" => changed.replace(&format!("\"{}?type=", found.value()), &format!("\"{value}?type=")),
        _ => changed,
    }
}

/// The attributes of a model.
pub(super) fn attributes(path: &str) -> BTreeSet<String> {
    let model = std::fs::read_to_string(root().join(path)).unwrap();
    let document = Document::parse(&model).unwrap();
    let named = |node: Node<'_, '_>| -> Vec<String> {
        let own = node.attributes().filter(|attribute| attribute.namespace().is_none());
        own.map(|attribute| format!("{}.{}", node.tag_name().name(), attribute.name())).collect()
    };
    document.descendants().flat_map(named).collect()
}

fn remove_flag(words: &mut Vec<String>, flag: &str) {
    words.retain(|word| word.split('=').next() != Some(flag));
}

/// Sets a key, or takes it away. Of several tables it is the first, or that of a number on the path.
fn put(table: &mut Table, path: &str, value: Option<&Value>) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    if rest.is_empty() {
        match value {
            Some(value) => table.insert(first.to_owned(), value.clone()),
            None => table.remove(first),
        };
        return;
    }
    let inner = table.entry(first).or_insert_with(|| Value::Table(Table::new()));
    match inner {
        Value::Array(all) => {
            let (at, rest) = match rest.split_once('.').unwrap_or((rest, "")) {
                (number, behind) if number.parse::<usize>().is_ok() => (number.parse().unwrap(), behind),
                _ => (0, rest),
            };
            match &mut all[at] {
                Value::Table(table) if !rest.is_empty() => put(table, rest, value),
                _ => drop(all.remove(at)),
            }
        }
        Value::Table(table) => put(table, rest, value),
        other => panic!("{path}: {other} is no table"),
    }
}

impl Row {
    pub(super) fn read(line: &str) -> Self {
        let (steps, class) = line.rsplit_once('|').unwrap_or_else(|| panic!("{line}: want a class"));
        let mut steps = steps.split(" & ").map(|step| Step::read(step.trim()));
        let given = steps.next().unwrap();
        Self { line: line.to_owned(), with: steps.collect(), class: Class::read(class.trim(), &given), given }
    }

    /// The flag or the key that is given, without the places in lists.
    pub(super) fn name(&self) -> String {
        match &self.given {
            Step::Flag(flag, _) => flag.clone(),
            Step::Key(path, _) => {
                path.split('.').filter(|part| part.parse::<usize>().is_err()).collect::<Vec<_>>().join(".")
            }
            other => panic!("{other:?} gives nothing"),
        }
    }

    /// Its value as a record may have it.
    pub(super) fn value(&self) -> String {
        match &self.given {
            Step::Key(_, Value::String(text)) => text.clone(),
            Step::Key(_, value) => value.to_string(),
            Step::Flag(_, value) => value.clone(),
            _ => String::new(),
        }
    }
}

impl Step {
    fn read(step: &str) -> Self {
        if step.starts_with("--") {
            let (flag, value) = step.split_once(' ').unwrap_or((step, ""));
            return Self::Flag(flag.to_owned(), value.trim().to_owned());
        }
        if let Some(what) = step.strip_prefix('!') {
            return Self::Instead(what.to_owned());
        }
        if let Some(what) = step.strip_prefix("~").or_else(|| step.strip_prefix('-')) {
            return Self::Never(what.to_owned());
        }
        let (key, value) = step.split_once('=').unwrap_or_else(|| panic!("{step}: want a value"));
        let value: Table =
            toml::from_str(&format!("value = {value}")).unwrap_or_else(|error| panic!("{step}: {error}"));
        Self::Key(key.trim().to_owned(), value["value"].clone())
    }
}

impl Class {
    fn read(class: &str, given: &Step) -> Self {
        let mut words = class.split_whitespace();
        match words.next() {
            None => panic!("{given:?}: want a class"),
            Some("?") => Self::Question,
            Some("apart") => Self::Apart,
            Some("refused") => Self::Refused,
            Some("asked") => {
                let names: Vec<String> = words.map(str::to_owned).collect();
                if !names.is_empty() {
                    return Self::Asked { names, exactly: false };
                }
                let (Step::Key(name, _) | Step::Flag(name, _)) = given else {
                    panic!("{given:?} is not given")
                };
                let last = name.rsplit('.').next().unwrap().trim_start_matches('-').replace('-', "_");
                Self::Asked { names: vec![last], exactly: true }
            }
            Some(id) => Self::Declares {
                id: id.trim_end_matches(['=', '~']).to_owned(),
                fixed: id.ends_with('='),
                by_any: id.ends_with('~'),
            },
        }
    }
}
