//! What `check` tells a person.

use crate::commands::check::run::NUMBERS;
use crate::screen::{Tone, paint, seen, verdict};
use warpspan_document::subject::heading;
use warpspan_records::Check;
use warpspan_records::check::{Judged, Judgement};

/// What was verified, and what was not.
pub(super) fn text(record: &Check) -> String {
    let mut out = heading(&record.instance) + "\n";
    let mut line = |name: &str, text: &str| {
        out.push_str(name);
        out.push_str(&" ".repeat(12_usize.saturating_sub(seen(name)).max(1)));
        out.push_str(text);
        out.push('\n');
    };
    match record.makespan {
        Some(makespan) => line("schedule", &verdict(&format!("valid, {makespan} cycles"))),
        None => line("schedule", &verdict("NOT valid")),
    }
    if record.lower.is_none() {
        line("upper", &format!("at most {} ({})", record.recomputed_upper, record.recomputed_by));
    }
    let numbers = |claim: &&Judged| NUMBERS.contains(&claim.claim.as_str());
    let said = |judgement| record.claims.iter().filter(move |claim| claim.judgement == judgement);
    for claim in said(Judgement::Confirmed).filter(numbers) {
        line(&claim.claim, &verdict(&format!("confirmed: {}", claim.why)));
    }
    for claim in said(Judgement::NotJudged).filter(numbers) {
        line(&claim.claim, &verdict(&format!("NOT judged: {}", claim.why)));
    }
    let others: Vec<&str> =
        said(Judgement::NotJudged).filter(|claim| !numbers(claim)).map(|claim| &*claim.claim).collect();
    if !others.is_empty() {
        line("not judged", &others.join(", "));
    }
    for claim in said(Judgement::Refuted) {
        line(&paint(Tone::Refuted, "error"), &claim.why);
    }
    out
}
