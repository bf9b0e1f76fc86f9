//! What `explain` tells.

use crate::words::several;
use crate::{Document, Said, Table, Tone};
use warpspan_records::Explain;
use warpspan_records::check::Judgement;
use warpspan_records::explain::{Division, Holds, Reason, State};
use warpspan_records::verify::{How, Side, Theorem};

/// The answer.
pub fn document(found: &Explain) -> Document {
    let said = Said::new(Tone::Proved, "explained", several(found.reasons.len(), "number"));
    let mut out = Document::new("explain", &found.of, said, 11);
    out.facts("ended", found.ended.as_ref().map(|ended| format!("exit code {}: {}", ended.exit, ended.why)));
    if let Some(division) = &found.division {
        schedule(&mut out, division);
    }
    for moment in &found.moments {
        out.fact(format!("cycle {}", moment.cycle), &moment.why);
    }
    // Bounds come first; estimates and given numbers take one line each.
    let is_plain = |reason: &&Reason| matches!(reason.side, Side::Estimate | Side::Given);
    for reason in found.reasons.iter().filter(|one| !is_plain(one)) {
        out.gap();
        of_reason(&mut out, reason, &found.theorems);
    }
    if found.reasons.iter().any(|one| is_plain(&one)) {
        out.gap();
    }
    found.reasons.iter().filter(is_plain).for_each(|one| out.fact(&one.name, of_plain(one)));
    let none = found.smaller.is_empty() && found.assumptions.is_empty() && found.notes.is_empty();
    if !out.parts.is_empty() && !none {
        out.gap();
    }
    out.facts("smaller", &found.smaller);
    out.rests_on(&found.assumptions);
    out.facts("note", &found.notes);
    out
}

/// A number, what it follows from, and whether that holds here.
fn of_reason(out: &mut Document, reason: &Reason, theorems: &[Theorem]) {
    let Reason { name, value, side, checked, by, why, rests_on, conditions, judged, terms } = reason;
    let says = match side {
        Side::Upper => format!("at most {value}"),
        Side::Lower => format!("at least {value}"),
        Side::Exact | Side::Verdict | Side::Estimate | Side::Given => value.clone(),
    };
    out.fact(name, says);
    for theorem in theorems.iter().filter(|theorem| by.contains(&theorem.name)) {
        let Theorem { name, says, page, section, rest, .. } = theorem;
        out.fact("  because", format!("{name}: {says} ({page}, {section})"));
        out.facts("  besides", rest);
    }
    let how = match checked {
        How::Machine => "by a machine",
        How::Paper => "on paper",
        How::Tested => "by tests only",
        How::Unknown => "nobody knows",
        How::Assumed | How::NoBound => "not at all",
    };
    let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    out.fact("  checked", format!("{how}{why}"));
    out.facts("  rests on", (!rests_on.is_empty()).then(|| rests_on.join(", ")));
    for condition in conditions {
        let holds = match condition.holds {
            Holds::Yes => "holds",
            Holds::No => "FAILS",
            Holds::Unknown => "open",
        };
        out.fact(format!("  {holds}"), format!("{} ({})", condition.condition, condition.found));
    }
    for one in judged {
        let word = match one.judgement {
            Judgement::Confirmed => "confirmed",
            Judgement::Refuted => "REFUTED",
            Judgement::NotJudged => "not judged",
        };
        out.fact("  again", format!("{} {word}: {}", one.claim, one.why));
    }
    if !terms.is_empty() {
        out.gap();
        out.table(
            Table::of(terms)
                .words("term", |term| term.name.clone())
                .number("value", |term| term.value.clone())
                .number("%", |term| term.percent.to_string()),
        );
    }
}

/// A number that claims to be no bound.
fn of_plain(reason: &Reason) -> String {
    let why = reason.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let what = if reason.side == Side::Estimate { "an estimate on neither side" } else { "assumed" };
    format!("{}, {what}{why}", reason.value)
}

/// How the cycles of a warp divide.
fn schedule(out: &mut Document, Division { warp, cycles, makespan, shares }: &Division) {
    let end = if cycles == makespan { "and no warp later" } else { "and others later" };
    let makespan = several(*makespan, "cycle");
    out.fact("schedule", format!("{makespan}; {warp} ends in cycle {cycles}, {end}"));
    out.gap();
    let whole = u128::from((*cycles).max(1));
    let parts = Table::of(shares)
        .words(warp, |share| match (share.state, &share.unit) {
            (State::Unit, Some(unit)) => format!("waits for {unit}"),
            (State::Issues, _) => "issues".to_owned(),
            (State::Issue, _) => "waits for the issue width".to_owned(),
            (State::Barrier, _) => "waits at barriers".to_owned(),
            (State::Latency, _) => "waits for results".to_owned(),
            (State::Slot, _) => "waits for a slot".to_owned(),
            (State::Unit | State::Finished, _) => share.state.name().to_owned(),
        })
        .number("cycles", |share| share.cycles)
        .number("%", |share| (u128::from(share.cycles) * 200 + whole) / (2 * whole));
    out.table(parts);
}
