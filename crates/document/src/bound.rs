//! What `bound` tells: the interval of the safe bounds, its subject, all bounds, and what they are made of.

use crate::subject::{heading, phases, title};
use crate::words::{gap, several, worst_case};
use crate::{Document, Said, Table, Text, Tone};
use warpspan_records::Bound;
use warpspan_records::bound::{Row, Side, Term};

/// Characters of a line of the table where there is no screen.
const WIDTH: usize = 80;

/// The answer.
pub fn document(found: &Bound) -> Document {
    let lower = found.lower;
    let (tone, verdict) = match found.upper {
        Some(upper) if upper == lower => (Tone::Proved, "exact"),
        _ => (Tone::Undecided, "bounded"),
    };
    let number = match found.upper {
        Some(upper) if upper == lower => several(upper, "cycle"),
        Some(upper) => format!("{lower} to {}", several(upper, "cycle")),
        None => format!("{} or more", several(lower, "cycle")),
    };
    let mut out = Document::new("bound", title(&found.instance), Said::new(tone, verdict, number), 11);
    out.said.gap = found.upper.map(|upper| gap(lower, upper));
    out.fact("worst case", worst_case(found.ends(), None));
    out.line(heading(&found.instance));
    out.gap();
    out.table(table(&found.bounds));
    for row in &found.bounds {
        if let Some(terms) = &row.terms {
            let term = |term: &Term| format!("y={}: {} ({})", term.y, term.value, term.makespan);
            let terms: Vec<String> = terms.iter().map(term).collect();
            out.line(format!("ceil(W/y) T(y), and T(y): {}", terms.join(", ")));
        }
        if let (Some(rates), Some(labels)) = (&row.rates, &row.labels) {
            phases(&mut out, &found.instance, rates, labels);
        }
        if let Some(finish) = row.finish.as_ref().filter(|finish| finish.len() > 1) {
            let finish: Vec<String> = finish.iter().map(ToString::to_string).collect();
            let (name, of) = match row.rates {
                Some(_) => ("  finish", String::new()),
                None => ("finish", format!(": {}", row.name)),
            };
            out.fact(name, format!("by cycle {}, group by group{of}", finish.join(", ")));
        }
    }
    let results = |cycle| format!("all there by the end of cycle {cycle} at the latest");
    out.facts("results", found.completion_upper.map(results));
    out.facts("not used", found.skipped.iter().map(|skipped| format!("{}: {}", skipped.name, skipped.why)));
    out.rests_on_code(&found.assumptions);
    out.facts("note", &found.notes);
    out
}

/// The table of bounds. An equation that is too long goes on in the next line.
fn table(rows: &[Row]) -> Table {
    let side = |row: &Row| match row.side {
        Side::Upper => "upper",
        Side::Lower => "lower",
        Side::Estimate => "estimate",
    };
    let checked = |row: &Row| match row.evidence.filter(|_| row.safe) {
        Some(basis) => basis.checked.name().into(),
        None => Text::default().toned(Tone::Refuted, "NOT SAFE"),
    };
    Table::of(rows)
        .words("bound", |row| row.name.clone())
        .number("cycles", |row| row.value)
        .words("side", side)
        .words("checked", checked)
        .words("source", |row| row.source.clone())
        .of_width(WIDTH)
}
