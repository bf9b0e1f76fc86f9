//! What `time` tells: the answer in the first line, then what it rests on, then where the time goes.

use serde_json::Number;

use crate::assumptions::in_numbers;
use crate::words::{decimals, exactly, how, in_words, last, ratio, several, shortened};
use crate::{Document, Part, Said, Text, Tone, estimate};
use warpspan_model::assumption::Id;
use warpspan_model::device::Preset;
use warpspan_records::Time;
use warpspan_records::extract::Cost;
use warpspan_records::rta::Verdict;
use warpspan_records::solve::Basis;
use warpspan_records::time::{self, CyclesOf};

/// The lines that are shown where nobody says how many.
pub const TOP: usize = 5;

/// The same with so many lines of code.
pub fn with_lines(found: &Time, most: usize) -> Time {
    let mut found = found.clone();
    if let Some(of) = &mut found.cycles {
        of.lines.truncate(most);
        of.source.truncate(most);
    }
    found
}

/// The kernel and the GPU.
pub fn title(found: &Time) -> String {
    match &found.gpu {
        Some(gpu) => format!("{} on {gpu}", found.entry),
        None => format!("{} on a GPU of {}", found.entry, found.compute_capability),
    }
}

/// What became of the deadline, if there is one.
fn verdict(found: &Time) -> Option<(Tone, &'static str)> {
    Some(match found.verdict? {
        Verdict::Proved => (Tone::Proved, "met"),
        Verdict::Refuted => (Tone::Refuted, "missed"),
        Verdict::Undecided => (Tone::Undecided, "undecided"),
    })
}

/// Whether the deadline is proved to be missed.
fn is_missed(found: &Time) -> bool {
    found.verdict == Some(Verdict::Refuted)
}

/// What the launch takes at least, which refutes the deadline. It is rounded down, so that the deadline may lie above the number.
fn least(found: &Time) -> String {
    let deadline = found.deadline_ns.as_ref().map(decimals);
    let whole = deadline.and_then(|text| text.split('.').next()?.parse::<u64>().ok());
    let is_above = whole.is_some_and(|deadline| deadline < found.least_ns);
    format!("{} {}", if is_above { "at least" } else { "more than" }, in_words(found.least_ns))
}

/// The answer.
pub fn document(found: &Time) -> Document {
    let (tone, bound) = match found.bound_ns {
        Some(bound) => (Tone::Answer, format!("at most {}", in_words(bound))),
        None => (Tone::Undecided, "no bound".to_owned()),
    };
    let least = if is_missed(found) { least(found) + ", " } else { String::new() };
    let mut answer = Text::from(title(found) + ": " + &least).toned(tone, &bound);
    let deadline = found.deadline_ns.as_ref().map(exactly);
    let verdict = verdict(found);
    if let Some((deadline, (tone, word))) = deadline.as_ref().zip(verdict) {
        answer = answer.then(format!("; deadline {deadline} ")).toned(tone, word);
    }
    let otherwise = if tone == Tone::Answer { (Tone::Proved, "bounded") } else { (tone, "no bound") };
    let (tone, word) = verdict.unwrap_or(otherwise);
    let mut number =
        least + &bound + &deadline.map_or_else(String::new, |deadline| format!(" of {deadline}"));
    if found.bound_ns.is_some() {
        number += &format!(", on {}", in_numbers(&found.answer_rests_on()));
    }
    // What a launch takes at least is no measure of how good the bound is, so there is no gap.
    let mut out = Document::new("time", title(found), Said::new(tone, word, number), 13);
    out.line(answer);
    rests_on(&mut out, found);
    out.gap();
    where_it_goes(&mut out, found);
    out.gap();
    out.facts("note", &found.notes);
    out.facts("not covered", &found.not_covered);
    out
}

/// What the answer rests on, how it is checked, and what is launched.
fn rests_on(out: &mut Document, found: &Time) {
    out.facts("reason", &found.reason);
    let of_answer = found.answer_rests_on();
    if found.bound_ns.is_some() || is_missed(found) {
        // What is undecided rests on nothing.
        let name = if found.verdict.is_some_and(|verdict| verdict != Verdict::Undecided) {
            "proved"
        } else {
            "bound"
        };
        out.fact(name, format!("on {}", in_numbers(&of_answer)));
    }
    out.parts.push(Part::RestsOn(of_answer));
    if is_missed(found) {
        out.fact("checked", "the least time and the reader of listings by tests only");
        if found.bound_ns.is_some() {
            out.parts.push(Part::AlsoRestsOn("bound", found.assumptions.clone()));
        }
    } else {
        let theorem = |basis: Basis| {
            let (checked, name) = (how(basis.checked), basis.name.name());
            format!("theorem {checked} ({name}); the reader of listings by tests only")
        };
        out.facts("checked", found.evidence.map(theorem));
    }
    if !found.lacks.is_empty() {
        let how = "cuobjdump -sass -res-usage prints all of it, which usually gives a smaller bound";
        out.fact("lacking", format!("{}: {how}", found.lacks.join(" and ")));
    }
    out.fact("launch", launch(found));
    let undeclared = found.memory.as_ref().and_then(|memory| memory.undeclared_bound_ns);
    let is_idle = found.assumptions.iter().any(|one| one.id == Id::DramIdle.name());
    let others = if is_idle { ", which others may use" } else { "" };
    let undeclared = undeclared
        .map(|bound| format!("at most {} if every access goes to L2 and to DRAM{others}", in_words(bound)));
    out.facts("undeclared", undeclared);
    estimate::facts(out, found);
}

/// The cycles, the units and lines that take them, what would lower them, and the parts of the time.
fn where_it_goes(out: &mut Document, found: &Time) {
    match (&found.bound_cycles, &found.cycles) {
        (Some(cycles), Some(of)) => {
            out.fact("cycles", format!("{cycles} at {}", clock(found)));
            self::cycles(out, found, of);
        }
        _ => out.fact("clock", format!("times are at {}", clock(found))),
    }
    out.facts(
        "declare",
        found
            .hints
            .iter()
            .map(|hint| format!("{}, if {}: at most {}", hint.flag, hint.condition, in_words(hint.bound_ns))),
    );
    if found.parts.len() > 1 {
        let microseconds = |ns: &Number| format!("{:.3} us", ns.as_f64().unwrap_or_default() / 1000.0);
        let part = |time::Part { name, ns }: &time::Part| format!("{name} {}", microseconds(ns));
        out.fact("adds up", found.parts.iter().map(part).collect::<Vec<_>>().join(", "));
    }
}

/// The clock that counts.
pub fn clock(found: &Time) -> String {
    match (&found.clock.slowest_mhz, &found.clock.fastest_mhz) {
        (slowest, fastest) if slowest == fastest => format!("{slowest} MHz"),
        (slowest, fastest) => format!("{slowest} MHz, the slowest of {slowest} to {fastest}"),
    }
}

fn cycles(out: &mut Document, found: &Time, of: &CyclesOf) {
    let mut terms = vec![
        format!("{} cycles of single-warp latency", whole(&of.own)),
        format!("{} of contention", whole(&of.others)),
    ];
    if of.memory.is_some() {
        let servers = found.memory.iter().flat_map(|memory| &memory.servers);
        terms.extend(servers.map(|server| format!("{} for {}", server.cycles, server.name)));
    }
    out.fact("because", terms.join(", "));
    out.facts(
        "limited by",
        of.units.first().map(|unit| {
            format!("{}: {:.1}% of all, {}", unit.unit, unit.cost.share, main_reason(&unit.cost))
        }),
    );
    let mut line = |line: u32, share: f64, what: String| {
        out.fact(format!("  line {line}"), format!("{share:5.1}%  {what}"));
    };
    for one in of.lines.iter().filter(|_| of.source.is_empty()) {
        let text = one.instruction.as_deref().unwrap_or("(in a function)");
        line(one.line, one.cost.share, shortened(text));
    }
    for one in &of.source {
        let what = format!("of {}, {}", shortened(last(&one.file)), main_reason(&one.cost));
        line(one.line, one.cost.share, what);
    }
}

/// What is launched, and how many blocks of it are on a multiprocessor at once.
fn launch(found: &Time) -> String {
    let room = &found.residency;
    let at_once = match room.worst {
        Some(worst) if room.least < room.most => {
            format!("{} to {} at once on each, {worst} counted as the worst", room.least, room.most)
        }
        _ if room.least == room.most => format!("{} at once on each", room.most),
        _ => format!("{} to {} at once on each", room.least, room.most),
    };
    let limit = match room.limits.join(" and ") {
        limits if limits.is_empty() || room.least < room.most => String::new(),
        limits => format!(", limited by {limits}"),
    };
    // Products of other sizes and clocks are sold under names that are alike.
    let product = found.gpu.as_deref().and_then(Preset::named);
    let product = product.map_or(String::new(), |preset| format!(" ({})", preset.title));
    format!(
        "{} of {} on {}{product}, {at_once}{limit}",
        several(found.blocks, "block"),
        several(found.threads_per_block, "thread"),
        several(found.multiprocessors, "multiprocessor")
    )
}

/// The reason that adds most of a cost.
fn main_reason(cost: &Cost) -> &'static str {
    let reasons = [
        (ratio(&cost.own_issue), "mostly its own issue"),
        (ratio(&cost.own_latency), "mostly waiting for results"),
        (ratio(&cost.others_unit), "mostly waiting while other warps hold the unit"),
        (ratio(&cost.others_slots), "mostly waiting while other warps issue"),
        (ratio(&cost.memory), "mostly the memory traffic of all warps"),
    ];
    let largest = reasons.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    largest.map_or("", |(_, reason)| reason)
}

/// Whole cycles of a number that may be a ratio.
fn whole(text: &str) -> String {
    let (whole, part) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<i128>().ok();
    match (number(whole), number(part)) {
        (Some(whole), Some(part)) if part > 1 => format!("{}", whole / part),
        _ => text.to_owned(),
    }
}
