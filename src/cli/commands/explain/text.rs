//! What `explain` tells a person.

use std::fmt::Write;

use crate::cli::table::table;
use crate::cli::text::several;
use crate::records::Explain;
use crate::records::check::Judgement;
use crate::records::explain::{Division, Holds, Reason, State};
use crate::records::verify::{How, Side, Theorem};

/// The most characters of a line.
const WIDTH: usize = 100;
/// Where what is said begins.
const INDENT: usize = 12;

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
    for reason in &found.reasons {
        out += &of_reason(reason, &found.theorems);
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
        Side::Exact | Side::Verdict => value.clone(),
        Side::Estimate => return line(name, &format!("{value}, an estimate on neither side")),
        Side::Given => {
            let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            return line(name, &format!("{value}, taken for granted{why}"));
        }
    };
    let mut out = format!("\n{}", line(name, &says));
    for theorem in theorems.iter().filter(|theorem| by.contains(&theorem.name)) {
        let Theorem { name, says, page, section, .. } = theorem;
        out += &line("  because", &format!("{name}: {says} ({page}, {section})"));
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
        let _ = writeln!(out, "{sum}");
    }
    out
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
        let percent = (u128::from(share.cycles) * 100 / u128::from((*cycles).max(1))).to_string();
        parts.add_row([what, share.cycles.to_string(), percent]);
    }
    let _ = writeln!(out, "{parts}");
    out
}

/// A line under a title, which goes on below where it is too long.
fn line(title: &str, text: &str) -> String {
    let mut out = format!("{title:<width$}", width = INDENT - 1);
    let mut width = out.chars().count();
    for word in text.split(' ') {
        let length = word.chars().count();
        if width + 1 + length > WIDTH && width > INDENT {
            let _ = write!(out, "\n{:<indent$}", "", indent = INDENT - 1);
            width = INDENT - 1;
        }
        out.push(' ');
        out.push_str(word);
        width += 1 + length;
    }
    out + "\n"
}
