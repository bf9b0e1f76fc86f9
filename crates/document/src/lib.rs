//! What records tell a person, each sentence once.
//!
//! A record becomes a [`Document`] of lines, facts and tables, which knows nothing of where it is shown. The command line prints it
//! for a terminal; here it is also printed as HTML, for the page of `report`, a notebook and the page in a browser, and as
//! Markdown. Nothing here reads files or computes what a record does not say.

// Layers: a module uses only those of the groups above its own.
mod estimate;
pub mod words;

pub mod assumptions;
pub mod subject;
mod table;

pub mod bound;
pub mod budget;
pub mod check;
pub mod classes;
pub mod co_located;
pub mod compare;
pub mod explain;
mod extract_costs;
pub mod gpus;
mod html;
mod markdown;
pub mod partition;
pub mod prem;
pub mod rta;
pub mod simulate;
pub mod solve;
pub mod time;
pub mod trace;
pub mod verify;

pub mod extract;

use assumptions::{Extent, in_numbers, rows};
pub use html::clean;
pub use table::{Cell, Rows, Table};
use warpspan_records::assumption::are_of_listing;
use warpspan_records::{Assumption, Record};

/// What a word means, which a colour repeats; the worst news first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// It is refuted, wrong, missed or unsafe.
    Refuted,
    /// Neither is proved.
    Undecided,
    /// It is proved, or all that was asked is known.
    Proved,
    /// The answer.
    Answer,
    /// A name or a command, which is written as code.
    Code,
}

/// A text, some of whose words have a tone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(pub Vec<(Option<Tone>, String)>);

impl<T: Into<String>> From<T> for Text {
    fn from(text: T) -> Self {
        Self(vec![(None, text.into())])
    }
}

impl Text {
    /// The same with words behind it.
    #[must_use]
    pub fn then(mut self, words: impl Into<String>) -> Self {
        self.0.push((None, words.into()));
        self
    }

    /// The same with words of a tone behind it.
    #[must_use]
    pub fn toned(mut self, tone: Tone, words: impl Into<String>) -> Self {
        self.0.push((Some(tone), words.into()));
        self
    }

    /// A name or a command.
    pub fn code(words: impl Into<String>) -> Self {
        Self::default().toned(Tone::Code, words)
    }

    /// A verdict whose first word, up to a colon or a comma, has its tone.
    pub fn verdict(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        let (word, rest) = text.split_at(text.find([':', ',']).unwrap_or(text.len()));
        Self::default().toned(words::tone(word), word).then(rest)
    }

    /// All its words.
    pub fn plain(&self) -> String {
        self.0.iter().map(|(_, words)| words.as_str()).collect()
    }
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A sentence by itself.
    Line(Text),
    /// A fact: its name, which is empty where it goes on with the one before it, and what it is.
    Fact(String, Text),
    /// What the numbers rest on, a row each: a form that has room shows all of it.
    RestsOn(Vec<Assumption>),
    /// A number besides the answer, and what it rests on, which is listed where all is asked for.
    AlsoRestsOn(&'static str, Vec<Assumption>),
    /// A blank line.
    Gap,
    /// A table.
    Table(Table),
    /// A drawing of characters.
    Chart(String),
    /// What follows is of interest to few; a form that can fold it away does, under this title.
    Details(&'static str),
}

/// What a document says in a few words.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// What news it is.
    pub tone: Tone,
    /// The verdict.
    pub verdict: String,
    /// The number that matters most, with its unit; empty where there is none.
    pub number: String,
    /// How far the upper end lies above the lower one, in percent of the lower one, where there are two.
    pub gap: Option<f64>,
}

impl Said {
    /// What is said where there are no two ends.
    pub fn new(tone: Tone, verdict: impl Into<String>, number: impl Into<String>) -> Self {
        Self { tone, verdict: verdict.into(), number: number.into(), gap: None }
    }
}

/// What a record tells a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The name of the record: `time`.
    pub record: &'static str,
    /// What it is of, such as a kernel and a GPU.
    pub title: String,
    /// What it says in a few words.
    pub said: Said,
    /// The characters that a terminal leaves for the names of facts.
    pub names: usize,
    /// Its parts, of which the first one is the answer.
    pub parts: Vec<Part>,
}

impl Document {
    /// A document without parts.
    pub fn new(record: &'static str, title: impl Into<String>, said: Said, names: usize) -> Self {
        Self { record, title: title.into(), said, names, parts: Vec::new() }
    }

    /// Adds a sentence.
    pub fn line(&mut self, text: impl Into<Text>) {
        self.parts.push(Part::Line(text.into()));
    }

    /// Adds a fact.
    pub fn fact(&mut self, name: impl Into<String>, text: impl Into<Text>) {
        self.parts.push(Part::Fact(name.into(), text.into()));
    }

    /// Adds facts of one name.
    pub fn facts<T: Into<Text>>(&mut self, name: &str, texts: impl IntoIterator<Item = T>) {
        texts.into_iter().for_each(|text| self.fact(name, text));
    }

    /// Adds how many declarations and assumptions the numbers rest on, and which. Of rules of the model and sources alone nothing is said,
    /// unless code was read from a listing.
    pub fn rests_on(&mut self, all: &[Assumption]) {
        if all.iter().any(|one| one.kind.has_to_be_accepted()) || are_of_listing(all) {
            self.fact("rests on", in_numbers(all));
            self.parts.push(Part::RestsOn(all.to_vec()));
        }
    }

    /// The same, and that the code was read from a listing, where it was: the theorems are about what was read.
    pub fn rests_on_code(&mut self, all: &[Assumption]) {
        self.rests_on(all);
        if are_of_listing(all) {
            self.fact("checked", "the reader of listings by tests only");
        }
    }

    /// The parts, with what the numbers rest on as facts.
    pub fn parts(&self, extent: Extent) -> Vec<Part> {
        let listed = |all: &[Assumption]| {
            let fact = |(name, what): (&str, String)| Part::Fact(name.to_owned(), what.into());
            rows(all, extent).into_iter().map(fact).collect::<Vec<_>>()
        };
        let facts = |part: &Part| match part {
            Part::RestsOn(all) => listed(all),
            Part::AlsoRestsOn(name, all) => {
                let on = format!("on {}", in_numbers(all));
                let said = |what: String| vec![Part::Fact((*name).to_owned(), what.into())];
                match extent {
                    Extent::Usual => said(on + ": --assumptions"),
                    Extent::All => [said(on), listed(all)].concat(),
                }
            }
            other => vec![other.clone()],
        };
        self.parts.iter().flat_map(facts).collect()
    }

    /// Adds a blank line.
    pub fn gap(&mut self) {
        self.parts.push(Part::Gap);
    }

    /// Adds a table.
    pub fn table(&mut self, table: impl Into<Table>) {
        self.parts.push(Part::Table(table.into()));
    }

    /// The answer in a few words.
    pub fn summary(&self) -> String {
        let Said { verdict, number, .. } = &self.said;
        let parts = [verdict, number].into_iter().filter(|part| !part.is_empty());
        format!("{}: {}", self.title, parts.map(String::as_str).collect::<Vec<_>>().join(", "))
    }
}

/// What a record tells, with all that it rests on: a document, for each entry of a listing one. Some records are for programs alone.
pub fn of(record: &Record) -> Vec<Document> {
    let document = match record {
        Record::Solve(found) => solve::document(&found.record),
        Record::Bound(found) => bound::document(&found.record),
        Record::Budget(found) => budget::document(&found.record),
        Record::Time(found) => time::document(&time::with_lines(&found.record, time::TOP)),
        Record::Compare(found) => compare::document(&found.record),
        Record::Partition(found) => partition::document(&found.record),
        Record::CoLocated(found) => co_located::document(&found.record),
        Record::Rta(found) => rta::document(&found.record),
        Record::RtaGraphs(found) => rta::graphs::document(&found.record),
        Record::RtaModel(found) => rta::model::document(&found.record, true),
        Record::RtaProcesses(found) => rta::processes::document(&found.record),
        Record::Measured(found) => rta::measured::document(&found.record),
        Record::Prem(found) => prem::document(&found.record),
        Record::PremPlan(found) => prem::plan::document(&found.record),
        Record::PremMeasured(found) => prem::measured::document(&found.record),
        Record::PremOffsets(found) => prem::offsets::document(&found.record),
        Record::PartitionClasses(found) => classes::document(&found.record),
        Record::Trace(found) => trace::document(&found.record),
        Record::Simulate(found) => simulate::document(&found.record),
        Record::Check(found) => check::document(&found.record),
        Record::Verify(found) => verify::document(&found.record),
        Record::Explain(found) => explain::document(&found.record),
        Record::Gpu(found) => gpus::document(std::slice::from_ref(&found.record)),
        Record::Extract(found) => {
            let shown = extract::Shown { why: true, most_expensive: false };
            return found.record.entries.iter().map(|entry| extract::document(entry, shown)).collect();
        }
        _ => return Vec::new(),
    };
    vec![document]
}
