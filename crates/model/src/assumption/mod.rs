//! What numbers rest on, as data: what somebody declared, what nobody vouches for, what a source says, and the rules of the
//! model. Front ends list it; no part of the program reads it back from a sentence.

mod accept;
mod id;

use std::fmt;

pub use accept::{Accepted, UnknownId};
pub use id::Id;

use crate::source::{Message, Remedy};

/// Who vouches for something that numbers rest on, in the order in which answers list it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The user: by a flag, a key or a file.
    Declared,
    /// Nobody: no source says it.
    Assumed,
    /// Nobody has to: it is a rule of the model that theorems are about.
    Modelled,
    /// A data sheet, a paper or a measurement.
    Sourced,
}

impl Kind {
    /// Whether somebody has to accept it where a budget says what is accepted: what a user says, and what nobody vouches for. The rules of
    /// the model and what sources say are those of the program.
    pub const fn has_to_be_accepted(self) -> bool {
        matches!(self, Self::Declared | Self::Assumed)
    }
}

/// What numbers rest on, and what else whoever reads them should know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rests {
    /// What they rest on.
    pub on: Vec<Assumption>,
    /// What else is worth knowing of what was given, which no number rests on.
    pub notes: Vec<Message>,
}

impl Rests {
    /// Adds what further numbers rest on, each thing once.
    pub fn add(&mut self, other: Self) {
        for one in other.on {
            if !self.on.contains(&one) {
                self.on.push(one);
            }
        }
        for one in other.notes {
            if !self.notes.contains(&one) {
                self.notes.push(one);
            }
        }
    }

    /// The same of a part of what is asked, such as a kernel of several.
    #[must_use]
    pub fn of(self, part: &str) -> Self {
        let note = |note: Message| Message::text(format!("{part}: ")).append(note);
        Self {
            on: self.on.into_iter().map(|one| one.of(part)).collect(),
            notes: self.notes.into_iter().map(note).collect(),
        }
    }
}

impl From<Vec<Assumption>> for Rests {
    fn from(on: Vec<Assumption>) -> Self {
        Self { on, notes: Vec::new() }
    }
}

/// Something that numbers rest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// What it is.
    pub id: Id,
    /// Who vouches for it.
    pub kind: Kind,
    /// What it is about, as `DRAM`, or `loop .L_x_2`.
    pub subject: String,
    /// What is taken to be true of that, as `at most 3 iterations`.
    pub value: String,
    /// Where that is from, as `--loop-bound .L_x_2=3`, or `data sheet`; none where nobody vouches for it.
    pub source: Option<String>,
    /// What says otherwise.
    pub remedy: Option<Remedy>,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.value)
    }
}

impl Assumption {
    fn new(kind: Kind, id: Id, subject: impl Into<String>, value: impl Into<String>) -> Self {
        Self { id, kind, subject: subject.into(), value: value.into(), source: None, remedy: None }
    }

    /// What no source says.
    pub fn assumed(id: Id, subject: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(Kind::Assumed, id, subject, value)
    }

    /// What the user says.
    pub fn declared(id: Id, subject: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(Kind::Declared, id, subject, value)
    }

    /// What a source says.
    pub fn sourced(
        id: Id,
        subject: impl Into<String>,
        value: impl Into<String>,
        source: impl Into<String>,
    ) -> Self {
        Self::new(Kind::Sourced, id, subject, value).by(source)
    }

    /// A rule of the model.
    pub fn modelled(id: Id, subject: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(Kind::Modelled, id, subject, value)
    }

    /// The same from a source, or by the flag or file of a user.
    #[must_use]
    pub fn by(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same with what says otherwise.
    #[must_use]
    pub fn unless(mut self, remedy: Remedy) -> Self {
        self.remedy = Some(remedy);
        self
    }

    /// The same of a part of what is asked, such as a kernel of several.
    #[must_use]
    pub fn of(mut self, part: &str) -> Self {
        self.subject = format!("{part}, {}", self.subject);
        self
    }
}
