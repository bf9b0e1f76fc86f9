//! What `verify` tells: the weakest link first.

use crate::words::several;
use crate::{Document, Said, Table, Tone};
use warpspan_records::Verify;
use warpspan_records::verify::{Coq, How, Number, Theorem};

/// The answer.
pub fn document(found: &Verify) -> Document {
    let Verify { of, weakest, numbers, contradictions, assumptions, notes, theorems } = found;
    let tone = if contradictions.is_empty() { Tone::Proved } else { Tone::Refuted };
    let said = Said::new(tone, weakest.as_ref().map_or("no claim", |one| one.checked.name()), "");
    let mut out = Document::new("verify", of.as_deref().unwrap_or("theorems"), said, 24);
    if let Some(of) = of {
        out.fact("weakest link", weakest_link(found));
        out.facts("contradicts", contradictions.iter().map(|one| format!("{}: {}", one.number, one.why)));
        out.fact("record", of);
        out.gap();
        let by = |number: &Number| match number.by.join(", ") {
            none if none.is_empty() => number.why.clone().unwrap_or_else(|| "-".to_owned()),
            by => by,
        };
        out.table(
            Table::of(numbers)
                .words("number", |number| number.name.clone())
                .number("value", |number| number.value.clone())
                .words("side", |number| number.side.name())
                .words("checked", |number| number.checked.name())
                .number("rests on", |number| number.rests_on.len())
                .words("follows from", by),
        );
        out.gap();
    }
    for theorem in theorems {
        of_theorem(&mut out, theorem);
    }
    // Each theorem has a blank line behind it, which separates it from what follows.
    if assumptions.is_empty() && notes.is_empty() {
        out.parts.pop();
    }
    out.rests_on(assumptions);
    out.facts("note", notes);
    out
}

/// How the number is checked that is checked worst.
fn weakest_link(found: &Verify) -> String {
    let given = found.numbers.iter().filter(|number| number.checked == How::Assumed).count();
    let besides = match given {
        0 => String::new(),
        some => format!("; {} given", several(some as u64, "number")),
    };
    let Some(weakest) = &found.weakest else { return format!("nothing here claims to be proved{besides}") };
    let how = match weakest.checked {
        How::Machine => "checked by a machine",
        How::Paper => "proved on paper",
        How::Tested => "tested only",
        How::Unknown | How::Assumed | How::NoBound => "nothing is known of how it is checked",
    };
    format!("{}: {how}{besides}", weakest.number)
}

/// A theorem, with where it is stated and what Coq has checked.
fn of_theorem(out: &mut Document, theorem: &Theorem) {
    let Theorem { name, says, checked, page, section, coq, rest } = theorem;
    out.fact(name, says);
    out.fact("", format!("{}; {page}, {section}", checked.name()));
    let of_file = |of: &[Coq]| {
        let names: Vec<&str> = of.iter().map(|coq| coq.theorem.as_str()).collect();
        format!("{} ({})", names.join(", "), of[0].file)
    };
    let all: Vec<String> = coq.chunk_by(|a, b| a.file == b.file).map(of_file).collect();
    let part = if *checked == How::Machine { "Coq" } else { "Coq, in part" };
    out.facts("", (!all.is_empty()).then(|| format!("{part}: {}", all.join(", "))));
    out.facts("", rest);
    out.gap();
}
