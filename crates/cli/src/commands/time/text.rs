//! What `time` tells a person: the answer in the first line, then where the time goes, then what it rests on.

use std::fmt::Write;

use crate::commands::extract::shortened;
use crate::commands::time::evt;
use crate::screen::{Tone, paint};
use crate::text::{decimals, ratio, several};
use warpspan_launch::words::time;
use warpspan_model::assumption::Kind;
use warpspan_model::device::Preset;
use warpspan_records::assumption::{Margin, counted};
use warpspan_records::extract::Cost;
use warpspan_records::rta::Verdict;
use warpspan_records::solve::{Basis, Checked};
use warpspan_records::{Assumption, Time};

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The first line.
    Answer,
    /// All, of what it rests on the first rows.
    Usual,
    /// All, with every row of what it rests on.
    Assumptions,
}

/// The answer in one line.
fn answer(found: &Time) -> String {
    let gpu = match &found.gpu {
        Some(gpu) => gpu.clone(),
        None => format!("a GPU of {}", found.compute_capability),
    };
    let bound = match found.bound_ns {
        Some(bound) => paint(Tone::Answer, &format!("at most {}", time(bound))),
        None => paint(Tone::Undecided, "no bound"),
    };
    let deadline = match (&found.verdict, &found.deadline_ns) {
        (Some(verdict), Some(deadline)) => {
            let (tone, verdict) = match verdict {
                Verdict::Proved => (Tone::Proved, "met"),
                Verdict::Refuted => (Tone::Refuted, "missed"),
                Verdict::Undecided => (Tone::Undecided, "undecided"),
            };
            format!("; deadline {} {}", time(rounded_up(deadline)), paint(tone, verdict))
        }
        _ => String::new(),
    };
    format!("{} on {gpu}: {bound}{deadline}\n", found.entry)
}

/// On how many declarations and assumptions the bound rests, and with it a deadline that is met.
fn rests_on(found: &Time) -> Option<(&'static str, String)> {
    found.bound_ns?;
    let name = if found.verdict == Some(Verdict::Proved) { "proved" } else { "bound" };
    Some((name, format!("on {}", in_numbers(&found.assumptions))))
}

/// What an answer rests on, in numbers.
pub(in crate::commands) fn in_numbers(all: &[Assumption]) -> String {
    let [declared, assumed] = counted(all);
    let of_user = (declared > 0).then(|| several(declared as u64, "declaration"));
    let of_nobody = (assumed > 0 || declared == 0).then(|| several(assumed as u64, "assumption"));
    of_user.into_iter().chain(of_nobody).collect::<Vec<_>>().join(" and ")
}

/// What an answer rests on, a row each, with the name of its kind.
fn rows(all: &[Assumption], extent: Extent) -> Vec<(&'static str, String)> {
    let is_shown = |place: usize, one: &Assumption| {
        extent == Extent::Assumptions
            || one.kind == Kind::Declared
            || one.kind == Kind::Assumed && place < MOST_ASSUMED
    };
    let (mut found, mut last, mut assumed, mut left) = (Vec::new(), None, 0, 0);
    for one in all {
        if !is_shown(assumed, one) {
            left += 1;
            continue;
        }
        assumed += usize::from(one.kind == Kind::Assumed);
        let name = if last == Some(one.kind) { "" } else { kind(one.kind) };
        last = Some(one.kind);
        let ends = one.margin.as_ref().map_or_else(String::new, |margin| format!("; {}", ends(margin)));
        let said = match (extent, one.kind) {
            (Extent::Assumptions, _) => {
                let source = one.source.as_ref().map(|source| format!("; {source}"));
                let remedy = one.remedy.as_ref().map(|remedy| format!("; else {remedy}"));
                let more: String = source.into_iter().chain(remedy).collect();
                format!("{}{ends} [{}{more}]", one.says(), one.id)
            }
            // Who declares something wants to read it as it is.
            (_, Kind::Declared) => one.says() + &ends,
            _ => cut(&one.says(), MOST_LETTERS.saturating_sub(ends.len())) + &ends,
        };
        found.push((name, said));
    }
    if left > 0 {
        found.push(("", format!("{left} more: --assumptions")));
    }
    found
}

/// How far a value may be wrong.
fn ends(margin: &Margin) -> String {
    match &margin.holds_to {
        None => "holds whatever it is".to_owned(),
        Some(last) if margin.is_most => format!("holds up to {last}"),
        Some(last) => format!("holds down to {last}"),
    }
}

/// The rows of what is assumed that are shown where they are not asked for.
const MOST_ASSUMED: usize = 6;

/// The name of a kind.
pub(in crate::commands) const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Declared => "declared",
        Kind::Assumed => "assumed",
        Kind::Sourced => "sourced",
        Kind::Modelled => "modelled",
    }
}

/// The letters of a row that fits into a terminal of 80 columns, behind its name.
const MOST_LETTERS: usize = 66;

/// A text that is no longer than this.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(3)).collect();
    format!("{}...", start.trim_end_matches([' ', ',']))
}

/// The answer.
pub(super) fn text(found: &Time, extent: Extent) -> String {
    let mut out = answer(found);
    if extent == Extent::Answer {
        return out;
    }
    let mut fact = |name: &str, what: String| {
        let line = format!("{name:<13} {what}");
        let _ = writeln!(out, "{}", line.trim_end());
    };
    if let Some(reason) = &found.reason {
        fact("reason", reason.clone());
    }
    if let Some((name, how)) = rests_on(found) {
        fact(name, how);
    }
    for (name, what) in rows(&found.assumptions, extent) {
        fact(name, what);
    }
    if let Some(how) = checked(found) {
        fact("checked", how);
    }
    if !found.lacks.is_empty() {
        let how = "cuobjdump -sass -res-usage prints all of it, which usually gives a smaller bound";
        fact("lacking", format!("{}: {how}", found.lacks.join(" and ")));
    }
    fact("launch", launch(found));
    if let Some(undeclared) = found.memory.as_ref().and_then(|memory| memory.undeclared_bound_ns) {
        fact("undeclared", format!("at most {} if every access goes to L2 and to DRAM", time(undeclared)));
    }
    for (name, what) in evt::lines(found) {
        fact(name, what);
    }
    fact("", String::new());
    let at = |unit: &str| match (&found.clock.slowest_mhz, &found.clock.fastest_mhz) {
        (slowest, fastest) if slowest == fastest => format!("{unit} at {slowest} MHz"),
        (slowest, fastest) => format!("{unit} at {slowest} MHz, the slowest of {slowest} to {fastest}"),
    };
    match (&found.bound_cycles, &found.cycles) {
        (Some(cycles), Some(of)) => {
            fact("cycles", at(&cycles.to_string()));
            let mut terms = vec![
                format!("{} cycles of single-warp latency", whole(&of.own)),
                format!("{} of contention", whole(&of.others)),
            ];
            if of.memory.is_some() {
                let servers = found.memory.iter().flat_map(|memory| &memory.servers);
                terms.extend(servers.map(|server| format!("{} for {}", server.cycles, server.name)));
            }
            fact("because", terms.join(", "));
            if let Some(unit) = of.units.first() {
                fact(
                    "limited by",
                    format!("{}: {:.1}% of all, {}", unit.unit, unit.cost.share, main_reason(&unit.cost)),
                );
            }
            if of.source.is_empty() {
                for line in &of.lines {
                    let text = line.instruction.as_deref().unwrap_or("(in a function)");
                    fact(
                        &format!("  line {}", line.line),
                        format!("{:5.1}%  {}", line.cost.share, shortened(text)),
                    );
                }
            } else {
                for line in &of.source {
                    let name = line.file.rsplit(['/', '\\']).next().unwrap_or(&line.file);
                    fact(
                        &format!("  line {}", line.line),
                        format!(
                            "{:5.1}%  of {}, {}",
                            line.cost.share,
                            shortened(name),
                            main_reason(&line.cost)
                        ),
                    );
                }
            }
        }
        _ => fact("clock", at("times are")),
    }
    for hint in &found.hints {
        fact("declare", format!("{}, if {}: at most {}", hint.flag, hint.condition, time(hint.bound_ns)));
    }
    if found.parts.len() > 1 {
        let part =
            |part: &warpspan_records::time::Part| format!("{} {} us", part.name, microseconds(&part.ns));
        fact("adds up", found.parts.iter().map(part).collect::<Vec<_>>().join(", "));
    }
    fact("", String::new());
    for what in &found.notes {
        fact("note", what.clone());
    }
    for what in &found.not_covered {
        fact("not covered", what.clone());
    }
    out
}

/// How the bound and what it is computed from are checked.
pub(in crate::commands) fn checked(found: &Time) -> Option<String> {
    let Basis { name, checked } = found.evidence?;
    let how = match checked {
        Checked::Machine => "by machine",
        Checked::Paper => "on paper",
        Checked::Tested => "by tests only",
    };
    Some(format!("theorem {how} ({}); the reader of listings by tests only", name.name()))
}

/// What is launched, and how many blocks of it are on a multiprocessor at once.
pub(in crate::commands) fn launch(found: &Time) -> String {
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

/// Nanoseconds rounded up to whole ones.
pub(in crate::commands) fn rounded_up(nanoseconds: &serde_json::Number) -> u64 {
    let text = decimals(nanoseconds);
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    whole.parse().map_or(u64::MAX, |whole: u64| whole.saturating_add(u64::from(!part.is_empty())))
}

/// Nanoseconds as microseconds, for a person to read.
fn microseconds(nanoseconds: &serde_json::Number) -> String {
    format!("{:.3}", nanoseconds.as_f64().unwrap_or_default() / 1000.0)
}
