//! The streams of a system file.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::Stream;
use crate::kernel_table::KernelTable;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::source::{InputError, Source, Spanned};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StreamTable {
    /// Its name.
    name: Spanned<String>,
    /// Its priority; a larger number is more urgent.
    #[serde(default)]
    priority: i64,
}

impl StreamTable {
    /// What it declares.
    pub(super) fn assumption(&self) -> Assumption {
        let subject = format!("stream {}, a larger number is more urgent: priority", self.name.get_ref());
        Assumption::declared(Id::StreamPriority, subject, self.priority.to_string()).by("[[stream]]")
    }
}

/// Streams by name, where kernels share them.
pub(super) struct Streams {
    pub(super) streams: Vec<Stream>,
    known: HashMap<String, usize>,
    /// Whether kernels may only name streams that have a table.
    declared: bool,
}

impl Streams {
    pub(super) fn new(source: &Source<'_>, tables: &[Spanned<StreamTable>]) -> Result<Self, InputError> {
        let mut this = Self { streams: Vec::new(), known: HashMap::new(), declared: !tables.is_empty() };
        for table in tables {
            let StreamTable { name, priority } = table.get_ref();
            if this.known.contains_key(name.get_ref()) {
                let what = format!("name = {:?}: another stream has this name", name.get_ref());
                return Err(source.error(name.span().start, what));
            }
            this.add(Some(name.get_ref()), name.get_ref(), *priority);
        }
        Ok(this)
    }

    fn add(&mut self, known: Option<&str>, name: &str, priority: i64) -> usize {
        self.streams.push(Stream { name: name.to_owned(), priority });
        let index = self.streams.len() - 1;
        self.known.extend(known.map(|name| (name.to_owned(), index)));
        index
    }

    /// The stream of a kernel: the one that it names, or one of its own.
    pub(super) fn of(
        &mut self,
        source: &Source<'_>,
        name: &str,
        table: &KernelTable,
    ) -> Result<usize, InputError> {
        let priority = table.priority.as_ref().map_or(0, |priority| *priority.get_ref());
        let Some(stream) = &table.stream else { return Ok(self.add(None, name, priority)) };
        let (at, stream) = (stream.span().start, stream.get_ref());
        match (self.known.get(stream).copied(), &table.priority) {
            (None, _) if self.declared => {
                Err(source.error(at, format!("stream = {stream:?}: no [[stream]] has this name")))
            }
            (None, _) => Ok(self.add(Some(stream), stream, priority)),
            (Some(index), Some(given)) if self.streams[index].priority != priority => {
                let what = format!(
                    "priority = {priority}: stream {stream:?} has priority {}, and a priority belongs to a stream",
                    self.streams[index].priority
                );
                Err(source.error(given.span().start, what))
            }
            (Some(index), _) => Ok(index),
        }
    }
}
