//! Declarations: a file in which users say what the code of a kernel does not show.
//!
//! Here is what such a file says, and how it is read. `declared` adds that to the options of an extraction, `declare` writes such a file with
//! everything that may be said of a listing, and traces of a kernel are written as one, for their inputs alone.
//!
//! A place in the code is a label, or an instruction by its number in its function. It is no line, because lines
//! move with comments and blanks. A table of the file holds for an entry with the same instructions only: what was
//! true of a loop need not be true of the one that has its label after the next compilation.

mod read;

use std::collections::{BTreeMap, BTreeSet};

use crate::classes::Given;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::source::InputError;

pub use read::read_declarations;
#[doc(hidden)]
pub use read::schema as declarations_schema;

/// What a file says of the kernels of a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declarations {
    /// The name of the file in messages.
    pub(crate) place: String,
    pub(crate) entries: Vec<Declared>,
    /// Classes of opcodes, of all entries.
    pub(crate) classes: Vec<Given>,
}

/// What is said of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: Said<String>,
    /// The fingerprint of its instructions.
    pub(crate) code: Said<String>,
    /// How often loops are passed at most.
    pub(crate) loops: Vec<At<u64>>,
    /// The branches at which all threads of a warp go the same way.
    pub(crate) uniform: Vec<At<()>>,
    /// The places to which control never comes.
    pub(crate) unreachable: Vec<At<()>>,
    /// The transactions of a pass of memory instructions.
    pub(crate) transactions: Vec<At<Moved>>,
    /// The traces of whose inputs alone it holds; empty if it holds for every input.
    pub(crate) of_input: Vec<String>,
    /// Values of parameters: numbers, or ranges such as `1..1024`.
    pub(crate) params: BTreeMap<String, Said<String>>,
}

/// What a memory instruction does in one execution by a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moved {
    /// The transactions of each pass.
    pub(crate) transactions: u64,
    /// The sectors, and the lines in which they lie, where they are said.
    pub(crate) touched: Option<[u64; 2]>,
}

impl Declarations {
    /// The traces for whose inputs alone it holds what is said of an entry; empty if all of it holds for every input.
    pub fn of_input(&self, entry: &str) -> BTreeSet<String> {
        let tables = self.entries.iter().filter(|one| one.name.value == entry);
        tables.flat_map(|one| one.of_input.iter().cloned()).collect()
    }

    /// That an entry is as the file says, if it says something of it.
    pub(crate) fn assumption(&self, entry: &str) -> Option<Assumption> {
        let says = !self.classes.is_empty() || self.entries.iter().any(|one| one.name.value == entry);
        let value = format!("as {} says", self.place);
        says.then(|| Assumption::declared(Id::DeclarationsFile, "the code", value))
    }

    /// Refuses what holds for some inputs only, in a place whose answers are for every input.
    ///
    /// # Errors
    /// If a table of the file is of traces.
    pub fn for_every_input(&self) -> Result<(), InputError> {
        let Some(one) = self.entries.iter().find(|one| !one.of_input.is_empty()) else { return Ok(()) };
        let what = format!(
            "holds only for {}, and the answers here are for every input: `time` and `extract` take it and say so",
            inputs(&one.of_input)
        );
        Err(InputError { place: self.place.clone(), line: Some(one.name.line), what: what.into() })
    }
}

/// Inputs in words, by their traces.
pub fn inputs<'s>(traces: impl IntoIterator<Item = &'s String>) -> String {
    let all: Vec<String> = traces.into_iter().map(crate::message::one_line).collect();
    match &all[..] {
        [one] => format!("the input that {one} was traced with"),
        all => format!("the inputs that {} were traced with", all.join(" and ")),
    }
}

/// Something with its line in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said<T> {
    pub(crate) value: T,
    pub(crate) line: usize,
}

/// Something that is said of a place in the code, with its line in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct At<T> {
    /// The function that is called, if it is not the entry itself.
    pub(crate) function: Option<String>,
    pub(crate) mark: Mark,
    pub(crate) value: T,
    pub(crate) line: usize,
}

/// A place in a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark {
    Label(String),
    /// The number of an instruction, from 1.
    Instruction(u64),
}
