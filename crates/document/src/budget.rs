//! What `budget` tells: how many deadlines are met, a row for each kernel, and what to look at where one is not met.

use std::fmt::Display;

use crate::assumptions::{in_numbers, kind, with_id, would_do};
use crate::words::{exactly, in_words};
use crate::{Document, Part, Said, Table, Text, Tone};
use warpspan_launch::flags::in_shell;
use warpspan_records::budget::Outcome;
use warpspan_records::time::Hint;
use warpspan_records::{Budget, BudgetKernel, Time};

/// The answer.
pub fn document(found: &Budget) -> Document {
    let met = format!("{} of {}", found.count(Outcome::Met), found.kernels.len());
    let said = Said::new(tone(found.outcome), verdict(found.outcome), met);
    let mut out = Document::new("budget", &found.budget, said, 11);
    out.line(Text::code(&found.budget).then(format!(": {}", summary(found))));
    out.table(
        Table::of(&found.kernels)
            .words("kernel", |kernel| Text::code(&kernel.name))
            .number("deadline", |kernel| exactly(&kernel.deadline_ns))
            .words("verdict", |kernel| Text::default().toned(tone(kernel.outcome), verdict(kernel.outcome)))
            .number("at most", bound)
            .words("rests on", rests_on),
    );
    for kernel in found.kernels.iter().filter(|kernel| kernel.outcome != Outcome::Met) {
        let of = |what: String| Text::code(&kernel.name).then(format!(": {what}"));
        out.facts(kernel.outcome.name(), reason(kernel).map(of));
        out.facts("not accepted", unaccepted(kernel).into_iter().map(of));
        if is_late(kernel) {
            out.facts("costs most", costliest(kernel).map(of));
            out.facts("declare", hints(kernel).into_iter().map(of));
        }
        out.fact("command", Text::code(command(kernel)));
    }
    out.parts.push(Part::Details("What the bounds rest on and do not cover"));
    for (name, of, what) in notes(found) {
        out.fact(name, format!("{of}: {what}"));
    }
    out
}

/// What news an outcome is.
const fn tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Met => Tone::Proved,
        Outcome::Missed | Outcome::Error => Tone::Refuted,
        Outcome::Undecided | Outcome::NotAccepted => Tone::Undecided,
    }
}

/// What became of a deadline.
pub const fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Met => "met",
        Outcome::Missed => "missed",
        Outcome::Undecided => "undecided",
        Outcome::NotAccepted => "not accepted",
        Outcome::Error => "no answer",
    }
}

/// The bound, in the largest unit of time of which there is one.
fn bound(kernel: &BudgetKernel) -> String {
    kernel.time.as_ref().and_then(|time| time.bound_ns).map_or_else(|| "none".to_owned(), in_words)
}

/// How many declarations and assumptions the answer rests on: those of the bound, or of the least time where that refutes the deadline.
fn rests_on(kernel: &BudgetKernel) -> String {
    match &kernel.time {
        Some(time) if time.bound_ns.is_some() || kernel.outcome == Outcome::Missed => {
            in_numbers(&time.answer_rests_on())
        }
        _ => String::new(),
    }
}

/// Why a deadline is not proved to be met.
fn reason(kernel: &BudgetKernel) -> Option<String> {
    let of_time = |time: &Time| {
        let would_do = would_do(&time.assumptions).map_or_else(String::new, |what| format!("; {what}"));
        Some(time.reason.clone()? + &would_do)
    };
    kernel.error.clone().or_else(|| kernel.time.as_deref().and_then(of_time))
}

/// Whether a kernel may be too late, as far as is proved: what costs most then matters, and what could be declared.
pub const fn is_late(kernel: &BudgetKernel) -> bool {
    !matches!(kernel.outcome, Outcome::Met | Outcome::NotAccepted)
}

/// What the answer rests on though it is not accepted.
pub fn unaccepted(kernel: &BudgetKernel) -> Vec<String> {
    kernel.unaccepted().map(with_id).collect()
}

/// The answer for a kernel in a sentence: number, deadline, verdict and on what that rests.
pub fn sentence(kernel: &BudgetKernel) -> String {
    let name = &kernel.name;
    if let Some(error) = &kernel.error {
        return format!("{name}: no answer to the deadline {}: {}", exactly(&kernel.deadline_ns), error);
    }
    let bound = match kernel.time.as_ref().and_then(|time| time.bound_ns) {
        Some(bound) => format!("at most {}", in_words(bound)),
        None => "no bound".to_owned(),
    };
    let rests = match (rests_on(kernel), kernel.outcome) {
        (none, _) if none.is_empty() => none,
        (all, Outcome::Met | Outcome::Missed) => format!(", proved on {all}"),
        (all, _) => format!("; the bound rests on {all}"),
    };
    let why = reason(kernel).map_or_else(String::new, |why| format!(": {why}"));
    let open = match unaccepted(kernel) {
        none if none.is_empty() => String::new(),
        all => format!("; not accepted: {}", all.join("; ")),
    };
    let verdict = match kernel.outcome {
        Outcome::NotAccepted => "met only by what is not accepted",
        other => verdict(other),
    };
    format!("{name}: {bound}; deadline {} {verdict}{why}{rests}{open}", exactly(&kernel.deadline_ns))
}

/// How many deadlines are met, and what became of the others.
pub fn summary(found: &Budget) -> String {
    let met = format!(
        "{} of {} {} met",
        found.count(Outcome::Met),
        found.kernels.len(),
        if found.kernels.len() == 1 { "deadline" } else { "deadlines" }
    );
    let others = [
        (Outcome::Missed, "missed"),
        (Outcome::Undecided, "undecided"),
        (Outcome::NotAccepted, "not accepted"),
        (Outcome::Error, "without an answer"),
    ];
    let others = others.into_iter().filter_map(|(outcome, what)| {
        let count = found.count(outcome);
        (count > 0).then(|| format!("{count} {what}"))
    });
    std::iter::once(met).chain(others).collect::<Vec<_>>().join(", ")
}

/// The line that costs most, with its share.
pub fn costliest(kernel: &BudgetKernel) -> Option<String> {
    let cycles = kernel.time.as_ref()?.cycles.as_ref()?;
    let says = |line: &dyn Display, file: &str, share: f64| format!("line {line} of {file} adds {share:.1}%");
    let source = cycles.source.first().map(|line| says(&line.line, &line.file, line.cost.share));
    source.or_else(|| cycles.lines.first().map(|line| says(&line.line, &kernel.listing, line.cost.share)))
}

/// Declarations that would lower the bound, at their best.
pub fn hints(kernel: &BudgetKernel) -> Vec<String> {
    let hints = kernel.time.iter().flat_map(|time| &time.hints);
    let says =
        |hint: &Hint| format!("{}, if {}: at most {}", hint.flag, hint.condition, in_words(hint.bound_ns));
    hints.map(says).collect()
}

/// The command line that answers for this kernel alone, as a shell takes it.
pub fn command(kernel: &BudgetKernel) -> String {
    let words: Vec<String> = kernel.arguments.iter().map(|word| in_shell(word)).collect();
    format!("warpspan {}", words.join(" "))
}

/// The names of kernels that stand with what is said of them; of more only their number does.
const MOST_NAMES: usize = 4;

/// What the answers rest on and what they do not cover, each once: what it is, of which kernels, and its words.
fn notes(found: &Budget) -> Vec<(&'static str, String, String)> {
    let mut all: Vec<((&str, String), Vec<&str>)> = Vec::new();
    for kernel in &found.kernels {
        for note in kernel.time.iter().flat_map(|time| of_time(time)) {
            match all.iter_mut().find(|(known, _)| *known == note) {
                Some((_, names)) if names.last() == Some(&kernel.name.as_str()) => {}
                Some((_, names)) => names.push(&kernel.name),
                None => all.push((note, vec![&kernel.name])),
            }
        }
    }
    all.sort_by_key(|((name, _), _)| NAMES.iter().position(|known| known == name));
    let note = |((name, what), names): ((&'static str, String), Vec<&str>)| {
        let of = match (names.len(), found.kernels.len()) {
            (1, _) => names.concat(),
            (count, there) if count == there => "all kernels".to_owned(),
            (count, there) if count > MOST_NAMES => format!("{count} of {there} kernels"),
            _ => names.join(", "),
        };
        (name, of, what)
    };
    all.into_iter().map(note).collect()
}

/// The names of what is said of an answer, in their order.
const NAMES: [&str; 6] = ["declared", "assumed", "modelled", "sourced", "note", "not covered"];

/// What is said of an answer: what it rests on, what its user should know, and what it does not cover.
pub fn of_time(time: &Time) -> impl Iterator<Item = (&'static str, String)> {
    let rests = time.assumptions.iter().map(|one| (kind(one.kind), with_id(one)));
    let notes = time.notes.iter().map(|what| ("note", what.clone()));
    rests.chain(notes).chain(time.not_covered.iter().map(|what| ("not covered", what.clone())))
}
