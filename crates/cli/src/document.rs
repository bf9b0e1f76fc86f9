//! A document as text for a terminal.

use crate::Failure;
use crate::args::Format;
use crate::output::print;
use crate::place::Place;
use crate::record::{in_text, line, line_of};
use crate::screen::{Tone, assumptions, paint};
use crate::table::Sheet;
use serde::Serialize;
use serde::de::DeserializeOwned;
use warpspan_document::{Document, Part, Table, Text};
use warpspan_records::Body;

/// Prints a record in a form.
pub(super) fn answer<R: Body + Serialize + DeserializeOwned>(
    format: Format,
    record: R,
    document: impl FnOnce(&R) -> Document,
) -> Result<(), Failure> {
    print(&match format {
        Format::Text => shown(&record, document)?,
        Format::Json => line(record)?,
    })
}

/// The same of one that may be one of several, with its place.
pub(super) fn answer_at<R: Body + Serialize + DeserializeOwned>(
    place: &Place,
    format: Format,
    record: R,
    document: impl FnOnce(&R) -> Document,
) -> Result<(), Failure> {
    print(&match format {
        Format::Text => in_text(&record, |record| place.over(&text(&document(record))))?,
        Format::Json => line_of(place, record)?,
    })
}

/// What a record tells a person.
pub(super) fn shown<R: Serialize + DeserializeOwned>(
    record: &R,
    document: impl FnOnce(&R) -> Document,
) -> Result<String, Failure> {
    in_text(record, |record| text(&document(record)))
}

/// The whole of it.
pub(super) fn text(document: &Document) -> String {
    let part = |part: &Part| match part {
        Part::Line(said) => format!("{}\n", painted(said)),
        Part::Fact(name, said) => {
            let line = format!("{name:<width$} {}", painted(said), width = document.names);
            line.trim_end().to_owned() + "\n"
        }
        Part::Gap => "\n".to_owned(),
        Part::RestsOn(_) | Part::AlsoRestsOn(..) => String::new(),
        Part::Table(table) => format!("{}\n", sheet(table)),
        Part::Chart(drawn) => drawn.clone(),
        Part::Details(_) => String::new(),
    };
    document.parts(assumptions()).iter().map(part).collect()
}

fn painted(Text(spans): &Text) -> String {
    let span = |(tone, words): &(Option<Tone>, String)| match tone {
        Some(tone) => paint(*tone, words),
        None => words.clone(),
    };
    spans.iter().map(span).collect()
}

/// A table that fits the screen.
pub(super) fn sheet(of: &Table) -> Sheet {
    of.into()
}
