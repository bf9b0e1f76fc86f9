//! What `explain` tells a person.

use std::fmt::Write;

use crate::table::table;
use warpspan_document::words::several;
use warpspan_records::Explain;
use warpspan_records::check::Judgement;
use warpspan_records::explain::{Division, Holds, Reason, State};
use warpspan_records::verify::{How, Side, Theorem};

pub(super) fn text(found: &Explain) -> String {
    let mut out = String::new();
    if let Some(ended) = &found.ended {
        out += &line("ended", &format!("exit code {}: {}", ended.exit, ended.why));
    }
    if let Some(division) = &found.division {
        out += &schedule(division);
    }
    for moment in &found.moments {
        out += &line(&format!("cycle {}", moment.cycle), &moment.why);
    }
    // Bounds come first; estimates and given numbers take one line each.
    let is_plain = |reason: &&Reason| matches!(reason.side, Side::Estimate | Side::Given);
    out.extend(found.reasons.iter().filter(|one| !is_plain(one)).map(|one| of_reason(one, &found.theorems)));
    let plain: String = found.reasons.iter().filter(is_plain).map(of_plain).collect();
    if !plain.is_empty() {
        out += &format!("\n{plain}");
    }
    let gap = |out: &mut String, any: bool| {
        if any && !out.is_empty() {
            out.push('\n');
        }
    };
    gap(&mut out, !(found.smaller.is_empty() && found.assumes.is_empty() && found.notes.is_empty()));
    for (title, all) in [("smaller", &found.smaller), ("assumed", &found.assumes), ("note", &found.notes)] {
        out.extend(all.iter().map(|what| line(title, what)));
    }
    out
}

/// A number, what it follows from, and whether that holds here.
fn of_reason(reason: &Reason, theorems: &[Theorem]) -> String {
    let Reason { name, value, side, checked, by, why, conditions, judged, terms } = reason;
    let says = match side {
        Side::Upper => format!("at most {value}"),
        Side::Lower => format!("at least {value}"),
        Side::Exact | Side::Verdict | Side::Estimate | Side::Given => value.clone(),
    };
    let mut out = format!("\n{}", line(name, &says));
    for theorem in theorems.iter().filter(|theorem| by.contains(&theorem.name)) {
        let Theorem { name, says, page, section, rest, .. } = theorem;
        out += &line("  because", &format!("{name}: {says} ({page}, {section})"));
        out.extend(rest.iter().map(|rest| line("  besides", rest)));
    }
    let how = match checked {
        How::Machine => "by a machine",
        How::Paper => "on paper",
        How::Tested => "by tests only",
        How::Unknown => "nobody knows",
        How::Assumed | How::NoBound => "not at all",
    };
    let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    out += &line("  checked", &format!("{how}{why}"));
    for condition in conditions {
        let holds = match condition.holds {
            Holds::Yes => "holds",
            Holds::No => "FAILS",
            Holds::Unknown => "open",
        };
        out += &line(&format!("  {holds}"), &format!("{} ({})", condition.condition, condition.found));
    }
    for one in judged {
        let word = match one.judgement {
            Judgement::Confirmed => "confirmed",
            Judgement::Refuted => "REFUTED",
            Judgement::NotJudged => "not judged",
        };
        out += &line("  again", &format!("{} {word}: {}", one.claim, one.why));
    }
    if !terms.is_empty() {
        let mut sum = table(["term", "value", "%"], [1, 2]);
        for term in terms {
            sum.add_row([term.name.clone(), term.value.clone(), term.percent.to_string()]);
        }
        let _ = writeln!(out, "\n{sum}");
    }
    out
}

/// A number that claims to be no bound.
fn of_plain(reason: &Reason) -> String {
    let why = reason.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let what = if reason.side == Side::Estimate { "an estimate on neither side" } else { "assumed" };
    line(&reason.name, &format!("{}, {what}{why}", reason.value))
}

/// How the cycles of a warp divide.
fn schedule(Division { warp, cycles, makespan, shares }: &Division) -> String {
    let end = if cycles == makespan { "and no warp later" } else { "and others later" };
    let says = format!("{}; {warp} ends in cycle {cycles}, {end}", several(*makespan, "cycle"));
    let mut out = line("schedule", &says) + "\n";
    let mut parts = table([warp.clone(), "cycles".to_owned(), "%".to_owned()], [1, 2]);
    for share in shares {
        let what = match (share.state, &share.unit) {
            (State::Unit, Some(unit)) => format!("waits for {unit}"),
            (State::Issues, _) => "issues".to_owned(),
            (State::Issue, _) => "waits for the issue width".to_owned(),
            (State::Barrier, _) => "waits at barriers".to_owned(),
            (State::Latency, _) => "waits for results".to_owned(),
            (State::Slot, _) => "waits for a slot".to_owned(),
            (State::Unit | State::Finished, _) => share.state.name().to_owned(),
        };
        let whole = u128::from((*cycles).max(1));
        let percent = ((u128::from(share.cycles) * 200 + whole) / (2 * whole)).to_string();
        parts.add_row([what, share.cycles.to_string(), percent]);
    }
    let _ = writeln!(out, "{parts}");
    out
}

/// A line under a title.
fn line(title: &str, text: &str) -> String {
    format!("{title:<11} {text}\n")
}
