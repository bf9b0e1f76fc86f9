//! What `verify` tells a person: the weakest link first.

use std::fmt::Write;

use crate::document::sheet;
use crate::screen::chart_width;
use warpspan_document::Table;
use warpspan_document::assumptions::{Extent, counted_rows};
use warpspan_document::words::several;
use warpspan_records::Verify;
use warpspan_records::verify::{Coq, How, Number, Theorem};

/// Where what is said of a theorem begins.
const INDENT: usize = 24;

pub(super) fn text(found: &Verify) -> String {
    let mut out = String::new();
    if let Some(of) = &found.of {
        out.push_str(&weakest(found));
        let _ = writeln!(out, "record        {of}\n");
        let by = |number: &Number| match number.by.join(", ") {
            none if none.is_empty() => number.why.clone().unwrap_or_else(|| "-".to_owned()),
            by => by,
        };
        let numbers = Table::of(&found.numbers)
            .words("number", |number| number.name.clone())
            .number("value", |number| number.value.clone())
            .words("side", |number| number.side.name())
            .words("checked", |number| number.checked.name())
            .words("follows from", by);
        let _ = writeln!(out, "{}\n", sheet(&numbers.into()));
    }
    for theorem in &found.theorems {
        out.push_str(&of_theorem(theorem));
    }
    for (name, what) in counted_rows(&found.assumptions, Extent::Usual) {
        let _ = writeln!(out, "{name:<13} {what}");
    }
    for what in &found.notes {
        let _ = writeln!(out, "note          {what}");
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// The line that says how the number is checked that is checked worst.
fn weakest(found: &Verify) -> String {
    let granted = found.numbers.iter().filter(|number| number.checked == How::Assumed).count();
    let granted = granted as u64 + found.assumptions.len() as u64;
    let besides = match granted {
        0 => String::new(),
        some => format!("; assumed: {}", several(some, "thing")),
    };
    match &found.weakest {
        Some(weakest) => {
            let how = match weakest.checked {
                How::Machine => "checked by a machine",
                How::Paper => "proved on paper",
                How::Tested => "tested only",
                How::Unknown | How::Assumed | How::NoBound => "nothing is known of how it is checked",
            };
            format!("weakest link  {}: {how}{besides}\n", weakest.number)
        }
        None => format!("weakest link  nothing here claims to be proved{besides}\n"),
    }
}

/// A theorem, with where it is stated and what Coq has checked.
fn of_theorem(theorem: &Theorem) -> String {
    let Theorem { name, says, checked, page, section, coq, rest } = theorem;
    let mut out = String::new();
    let first = format!("{name:<INDENT$} {says}");
    out.push_str(&wrapped(&first));
    let where_to = format!("{}; {page}, {section}", checked.name());
    out.push_str(&wrapped(&format!("{:<INDENT$} {where_to}", "")));
    if !coq.is_empty() {
        let part = if *checked == How::Machine { "Coq" } else { "Coq, in part" };
        let of_file = |of: &[Coq]| {
            let names: Vec<&str> = of.iter().map(|coq| coq.theorem.as_str()).collect();
            format!("{} ({})", names.join(", "), of[0].file)
        };
        let all: Vec<String> = coq.chunk_by(|a, b| a.file == b.file).map(of_file).collect();
        out.push_str(&wrapped(&format!("{:<INDENT$} {part}: {}", "", all.join(", "))));
    }
    if let Some(rest) = rest {
        out.push_str(&wrapped(&format!("{:<INDENT$} {rest}", "")));
    }
    out + "\n"
}

/// A line that goes on below where it is too long.
fn wrapped(line: &str) -> String {
    let (head, rest) = line.split_at(line.len().min(INDENT + 1));
    let mut out = head.to_owned();
    let (mut width, screen) = (head.len(), chart_width());
    for (at, word) in rest.split(' ').enumerate() {
        if at > 0 && width + 1 + word.len() > screen {
            let _ = write!(out, "\n{:<INDENT$} ", "");
            width = INDENT + 1;
        } else if at > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += word.len();
    }
    out + "\n"
}
