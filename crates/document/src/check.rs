//! What `check` tells: what was verified, and what was not.

use crate::subject::{heading, title};
use crate::{Document, Said, Text, Tone};
use warpspan_records::Check;
use warpspan_records::check::{Judged, Judgement};

/// What is claimed of the worst and the best case: unless all of it is confirmed, the record is not.
pub const NUMBERS: [&str; 10] = [
    "lower",
    "upper",
    "verdict",
    "completion_upper",
    "best_case",
    "phase",
    "phase.upper",
    "phase.theta",
    "phase.rates",
    "phase.labels",
];

/// The answer.
pub fn document(record: &Check) -> Document {
    let said = |judgement| record.claims.iter().filter(move |claim| claim.judgement == judgement);
    let (tone, word) = if record.valid { (Tone::Proved, "valid") } else { (Tone::Refuted, "NOT valid") };
    let refuted: String =
        said(Judgement::Refuted).map(|claim| format!(", {} refuted", claim.claim)).collect();
    let said_of_all = Said::new(tone, format!("{word} schedule{refuted}"), "");
    let mut out = Document::new("check", title(&record.instance), said_of_all, 11);
    out.line(heading(&record.instance));
    let schedule = record.makespan.map(|makespan| format!("valid, {makespan} cycles"));
    out.fact("schedule", Text::verdict(schedule.as_deref().unwrap_or("NOT valid")));
    if record.lower.is_none() {
        out.fact("upper", format!("at most {} ({})", record.recomputed_upper, record.recomputed_by));
    }
    let numbers = |claim: &&Judged| NUMBERS.contains(&claim.claim.as_str());
    for (judgement, word) in [(Judgement::Confirmed, "confirmed"), (Judgement::NotJudged, "NOT judged")] {
        for claim in said(judgement).filter(numbers) {
            out.fact(&claim.claim, Text::verdict(format!("{word}: {}", claim.why)));
        }
    }
    let others: Vec<&str> =
        said(Judgement::NotJudged).filter(|claim| !numbers(claim)).map(|claim| &*claim.claim).collect();
    if !others.is_empty() {
        out.fact("not judged", others.join(", "));
    }
    for claim in said(Judgement::Refuted) {
        out.line(Text::default().toned(Tone::Refuted, "error").then(format!("       {}", claim.why)));
    }
    out
}
