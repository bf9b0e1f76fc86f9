//! Whether a row is true: the command is asked without what the row gives and with it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;
use tempfile::{TempDir, tempdir};
use warpspan::embedded::{Host, run};
use warpspan::records::Verify;
use warpspan::records::verify::{Number, Side};

use super::table::{Class, Row, Walk, files};

/// The name of the file that is given.
const FILE: &str = "file.toml";
const MODEL: &str = "file.amxmi";

/// What a command answers.
struct Reply {
    code: u8,
    record: Option<Value>,
    text: String,
    error: String,
}

/// What a row of a record says: its name, who vouches for it, of what, and what.
type Said = [String; 4];

/// Where commands are asked, with their answers: most rows of a file differ from the same one.
pub(super) struct Asked {
    /// What they write goes here.
    folder: TempDir,
    files: BTreeMap<PathBuf, Vec<u8>>,
    replies: HashMap<(String, Vec<String>), Rc<Reply>>,
    /// What texts of which command were seen to say.
    printed: BTreeSet<String>,
}

impl Asked {
    pub(super) fn new() -> Self {
        let (replies, printed) = (HashMap::new(), BTreeSet::new());
        Self { folder: tempdir().unwrap(), files: files().collect(), replies, printed }
    }

    fn record(&mut self, walk: &Walk, row: &Row, given: bool) -> Rc<Reply> {
        let asked = walk.built(row, given);
        if let Some(known) = self.replies.get(&asked) {
            return Rc::clone(known);
        }
        let (file, words) = &asked;
        let reply = Rc::new(self.reply(walk, file, words, false));
        self.replies.insert(asked, Rc::clone(&reply));
        reply
    }

    /// The reply of a command, as a record or as the text for a person. What it writes is called `out`, with an ending.
    fn reply(&self, walk: &Walk, file: &str, words: &[String], text: bool) -> Reply {
        let outputs = self.folder.path();
        for entry in std::fs::read_dir(outputs).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                std::fs::remove_dir_all(path).unwrap()
            } else {
                std::fs::remove_file(path).unwrap()
            }
        }
        let name = if walk.model.is_some() { MODEL } else { FILE };
        let mut texts = self.files.clone();
        texts.insert(name.into(), file.into());
        let named = |word: &String| {
            word.replace("FILE", name).replace("=out", &format!("={}/out", outputs.display()))
        };
        let mut arguments: Vec<String> = words.iter().map(named).collect();
        let has_form = words.iter().any(|word| word.starts_with("--format"));
        if text {
            arguments.push("--assumptions".to_owned());
        } else if !text && !has_form && walk.output.is_none() {
            arguments.push("--format=json".to_owned());
        }
        let host = Host { stop: Arc::default(), observer: Arc::new(|_| {}), texts };
        let answer = run(&arguments, host);
        let record = match &walk.output {
            None => serde_json::from_str(&answer.out).ok(),
            // A table has a record a line.
            Some(table) => {
                let table = std::fs::read_to_string(outputs.join(table)).ok();
                table.and_then(|table| {
                    table.lines().map(serde_json::from_str::<Value>).collect::<Result<_, _>>().ok()
                })
            }
        };
        let error = answer.failure.map(|failure| failure.message).unwrap_or_default();
        Reply { code: answer.code, record, text: answer.out, error }
    }
}

/// All rows of assumptions in a record, of its parts too.
fn said(record: &Value) -> BTreeSet<Said> {
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    match record {
        Value::Array(all) => all.iter().flat_map(said).collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| match key.as_str() {
                "assumptions" => (value.as_array().into_iter().flatten())
                    .map(|one| ["id", "kind", "subject", "value"].map(|key| text(one, key)))
                    .collect(),
                _ => said(value),
            })
            .collect(),
        _ => BTreeSet::new(),
    }
}

/// Each value of a record with its path, without what it rests on and what tells from which build, command and files it is.
fn fields(record: &Value, path: &[String], found: &mut BTreeMap<Vec<String>, String>) {
    let at = |key: &str| [path, &[key.to_owned()]].concat();
    match record {
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(n, one)| fields(one, &at(&n.to_string()), found))
        }
        Value::Object(all) => {
            let tells = ["assumptions", "notes", "build", "command", "arguments", "inputs"];
            for (key, one) in all.iter().filter(|(key, _)| !tells.contains(&key.as_str())) {
                fields(one, &at(key), found);
            }
        }
        Value::String(text) => drop(found.insert(path.to_vec(), text.clone())),
        other => drop(found.insert(path.to_vec(), other.to_string())),
    }
}

/// The numbers of a record; none of one that `verify` knows nothing of.
pub(super) fn numbers(record: &Value) -> Vec<Number> {
    let found = Verify::of(record.to_string().as_bytes()).ok().flatten();
    found.map(|found| found.numbers).unwrap_or_default()
}

/// What judged rows show besides: the names that are declared, those of them that changed a number, and all on which some number rests.
#[derive(Default)]
pub(super) struct Carried {
    pub(super) declared: BTreeSet<String>,
    pub(super) changes: BTreeSet<String>,
    pub(super) any: BTreeSet<String>,
}

impl Carried {
    pub(super) fn add(&mut self, other: Self) {
        self.declared.extend(other.declared);
        self.changes.extend(other.changes);
        self.any.extend(other.any);
    }
}

/// Judges a row.
///
/// # Errors
/// What is not as it says.
pub(super) fn judge(walk: &Walk, row: &Row, asked: &mut Asked) -> Result<Carried, String> {
    let [with, without] = [true, false].map(|given| asked.record(walk, row, given));
    if row.class == Class::Refused {
        let refused = with.code == 2 && with.text.is_empty() && without.record.is_some();
        return if refused { Ok(Carried::default()) } else { Err("is not refused".to_owned()) };
    }
    let schema = |reply: &Reply| reply.record.as_ref().map(|record| record["schema"].clone());
    if row.class == Class::Apart {
        let apart = without.record.is_some() && schema(&with) != schema(&without);
        return if apart { Ok(Carried::default()) } else { Err("asks nothing else".to_owned()) };
    }
    let record = with.record.as_ref().ok_or_else(|| format!("no record: {}", with.error.trim()))?;
    // Without it there may be no answer: a bound of a loop is wanted then.
    let (before, known) = match &without.record {
        Some(record) => (said(record), numbers(record)),
        None if matches!(row.class, Class::Declares { .. }) => (BTreeSet::new(), Vec::new()),
        None => return Err(format!("no record without it: {}", without.error.trim())),
    };
    let (after, found) = (said(record), numbers(record));
    let of = |numbers: &[Number], name: &str| -> Vec<String> {
        numbers.iter().filter(|number| number.name == name).map(|number| number.value.clone()).collect()
    };
    // A bound that there was not is one that the row makes.
    let is_known = |number: &Number| known.iter().any(|other| other.name == number.name);
    let changed: Vec<&Number> = (found.iter())
        .filter(|number| number.side != Side::Given && (is_known(number) || number.side == Side::Upper))
        .filter(|number| of(&found, &number.name) != of(&known, &number.name))
        .collect();
    let any = found.iter().flat_map(|number| number.rests_on.iter().cloned()).collect();
    let mut carried = Carried { any, ..Carried::default() };
    match &row.class {
        Class::Apart | Class::Refused => unreachable!("judged above"),
        Class::Question => {
            if let Some(number) =
                changed.iter().find(|number| number.side != Side::Verdict && is_known(number))
            {
                return Err(format!("a question changes {}", number.name));
            }
            if before != after {
                let difference: Vec<_> = before.symmetric_difference(&after).collect();
                return Err(format!("a question changes what is rested on: {difference:?}"));
            }
            Ok(carried)
        }
        Class::Asked { names, exactly } => {
            let [mut old, mut new] = [BTreeMap::new(), BTreeMap::new()];
            without.record.iter().for_each(|record| fields(record, &[], &mut old));
            fields(record, &[], &mut new);
            let shows = |(path, value): (&Vec<String>, &String)| {
                old.get(path) != Some(value)
                    && names.iter().all(|name| path.contains(name))
                    && (!exactly || value.contains(&row.value()))
            };
            if new.iter().any(shows) { Ok(carried) } else { Err("the record does not show it".to_owned()) }
        }
        Class::Declares { id, fixed, by_any } => {
            let is_it = |said: &&Said| said[0] == *id && (*by_any || said[1] == "declared");
            let [old, new] = [&before, &after].map(|all| all.iter().filter(is_it).collect::<BTreeSet<_>>());
            if new.is_empty() {
                return Err(format!("no row {id}"));
            }
            if *fixed == new.iter().any(|said| !old.contains(said)) && without.record.is_some() {
                return Err(format!("the row {id} changes with its value or not, other than said: {new:?}"));
            }
            let claims = |number: &&&Number| matches!(number.side, Side::Upper | Side::Exact | Side::Verdict);
            if let Some(number) = changed.iter().filter(claims).find(|number| !number.rests_on.contains(id)) {
                return Err(format!("{} changes and does not rest on {id}", number.name));
            }
            let lines = new.iter().map(|[_, _, subject, value]| format!("{subject}: {value}"));
            let lines: Vec<String> =
                lines.filter(|line| asked.printed.insert(format!("{}: {line}", walk.command))).collect();
            if !lines.is_empty() && !by_any {
                let (file, words) = walk.built(row, true);
                let text = asked.reply(walk, &file, &words, true).text;
                if let Some(line) = lines.iter().find(|line| !text.contains(*line)) {
                    return Err(format!("the text does not say {line:?}"));
                }
            }
            carried.declared.insert(id.clone());
            if !changed.is_empty() || without.record.is_none() {
                carried.changes.insert(id.clone());
            }
            Ok(carried)
        }
    }
}
