//! What `bound` tells a person.

use crate::commands::rests;
use crate::screen::Tone;
use crate::subject::{heading, phases};
use crate::table::{Sheet, cell, table};
use crate::text::{condition, notes, worst_case};
use warpspan_records::Bound;
use warpspan_records::bound::{Row, Side, Term};

/// Characters of a line of the table where there is no screen.
const WIDTH: usize = 80;

/// The interval of the safe bounds, its subject, all bounds, and what they are made of.
pub(super) fn text(found: &Bound) -> String {
    let of = heading(&found.instance);
    let mut out = format!(
        "{}{of}\n\n{}\n",
        worst_case(found.ends(), None, &condition(found.policy, &found.notes)),
        table_of(&found.bounds)
    );
    for row in &found.bounds {
        if let Some(terms) = &row.terms {
            let term = |term: &Term| format!("y={}: {} ({})", term.y, term.value, term.makespan);
            let terms: Vec<String> = terms.iter().map(term).collect();
            out.push_str(&format!("ceil(W/y) T(y), and T(y): {}\n", terms.join(", ")));
        }
        if let (Some(rates), Some(labels)) = (&row.rates, &row.labels) {
            out.push_str(&phases(&found.instance, rates, labels));
        }
        if let Some(finish) = row.finish.as_ref().filter(|finish| finish.len() > 1) {
            let finish: Vec<String> = finish.iter().map(ToString::to_string).collect();
            out.push_str(&match row.rates {
                Some(_) => format!("  finish    by cycle {}, group by group\n", finish.join(", ")),
                None => format!("finish      by cycle {}, group by group: {}\n", finish.join(", "), row.name),
            });
        }
    }
    if let Some(completion) = found.completion_upper {
        out.push_str(&format!("results     all there by the end of cycle {completion} at the latest\n"));
    }
    for skipped in &found.skipped {
        out.push_str(&format!("not used    {}: {}\n", skipped.name, skipped.why));
    }
    out + &rests::lines(&found.assumptions, 12) + &notes(&found.notes)
}

/// The table of bounds. An equation that is too long goes on in the next line.
fn table_of(rows: &[Row]) -> Sheet {
    let mut table = table(["bound", "cycles", "side", "checked", "source"], [1]).usually(WIDTH);
    for row in rows {
        let side = match row.side {
            Side::Upper => "upper",
            Side::Lower => "lower",
            Side::Estimate => "estimate",
        };
        let checked = row.evidence.filter(|_| row.safe).map(|basis| basis.checked.name());
        let checked = checked.map_or_else(|| cell(Tone::Refuted, "NOT SAFE"), Into::into);
        let [name, value, side, source] =
            [&row.name, &row.value.to_string(), side, &row.source].map(Into::into);
        table.add_row([name, value, side, checked, source]);
    }
    table
}
