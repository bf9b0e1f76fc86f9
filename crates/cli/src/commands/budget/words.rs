//! What all forms of the answer say in the same words.

use std::fmt::Display;

use crate::commands::time::in_words;
use crate::text::decimals;
use warpspan_launch::flags::in_shell;
use warpspan_records::budget::Outcome;
use warpspan_records::time::Hint;
use warpspan_records::{Budget, BudgetKernel};

/// What became of a deadline.
pub(in crate::commands) const fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Met => "proved to be met",
        Outcome::Missed => "proved to be missed",
        Outcome::Undecided => "undecided",
        Outcome::Error => "no answer",
    }
}

/// The bound, in the largest unit of time of which there is one.
pub(in crate::commands) fn bound(kernel: &BudgetKernel) -> String {
    kernel.time.as_ref().and_then(|time| time.bound_ns).map_or_else(|| "none".to_owned(), in_words)
}

pub(in crate::commands) fn deadline(kernel: &BudgetKernel) -> String {
    let deadline = &kernel.deadline_ns;
    deadline.as_u64().map_or_else(|| format!("{} ns", decimals(deadline)), in_words)
}

/// The conditions of a bound and its verdict for which nobody vouches, and the caches and traffic that were declared.
pub(in crate::commands) fn conditions(kernel: &BudgetKernel) -> String {
    match &kernel.time {
        Some(time) if time.bound_ns.is_some() => warpspan_records::in_words(&time.provided),
        _ => String::new(),
    }
}

/// Why a deadline is not proved to be met.
pub(in crate::commands) fn reason(kernel: &BudgetKernel) -> Option<String> {
    let time = kernel.time.as_ref().and_then(|time| time.reason.as_ref());
    kernel.error.as_ref().or(time).cloned()
}

/// The answer for a kernel in a sentence: number, deadline, verdict and on what that rests.
pub(in crate::commands) fn sentence(kernel: &BudgetKernel) -> String {
    let name = &kernel.name;
    if let Some(error) = &kernel.error {
        return format!("{name}: no answer to the deadline {}: {}", deadline(kernel), error);
    }
    let bound = match kernel.time.as_ref().and_then(|time| time.bound_ns) {
        Some(bound) => format!("at most {}", in_words(bound)),
        None => "no bound".to_owned(),
    };
    let condition = match conditions(kernel) {
        none if none.is_empty() => none,
        all => format!(", if {all}"),
    };
    let why = reason(kernel).map_or_else(String::new, |why| format!(": {why}"));
    // Only a deadline that is met rests on the conditions of the bound.
    let (of_bound, of_verdict) = match kernel.outcome {
        Outcome::Met => (String::new(), condition),
        Outcome::Missed | Outcome::Undecided | Outcome::Error => (condition, String::new()),
    };
    let (deadline, verdict) = (deadline(kernel), verdict(kernel.outcome));
    format!("{name}: {bound}{of_bound}; deadline {deadline} {verdict}{of_verdict}{why}")
}

/// How many deadlines are met, and what became of the others.
pub(in crate::commands) fn summary(found: &Budget) -> String {
    let met = format!(
        "{} of {} {} proved to be met",
        found.count(Outcome::Met),
        found.kernels.len(),
        if found.kernels.len() == 1 { "deadline" } else { "deadlines" }
    );
    let others = [
        (Outcome::Missed, "proved to be missed"),
        (Outcome::Undecided, "undecided"),
        (Outcome::Error, "without an answer"),
    ];
    let others = others.into_iter().filter_map(|(outcome, what)| {
        let count = found.count(outcome);
        (count > 0).then(|| format!("{count} {what}"))
    });
    std::iter::once(met).chain(others).collect::<Vec<_>>().join(", ")
}

/// The line that costs most, with its share.
pub(in crate::commands) fn costliest(kernel: &BudgetKernel) -> Option<String> {
    let cycles = kernel.time.as_ref()?.cycles.as_ref()?;
    let says = |line: &dyn Display, file: &str, share: f64| format!("line {line} of {file} adds {share:.1}%");
    let source = cycles.source.first().map(|line| says(&line.line, &line.file, line.cost.share));
    source.or_else(|| cycles.lines.first().map(|line| says(&line.line, &kernel.listing, line.cost.share)))
}

/// Declarations that would lower the bound, at their best.
pub(in crate::commands) fn hints(kernel: &BudgetKernel) -> Vec<String> {
    let hints = kernel.time.iter().flat_map(|time| &time.hints);
    let says =
        |hint: &Hint| format!("{}, if {}: at most {}", hint.flag, hint.condition, in_words(hint.bound_ns));
    hints.map(says).collect()
}

/// The command line that answers for this kernel alone, as a shell takes it.
pub(in crate::commands) fn command(kernel: &BudgetKernel) -> String {
    let words: Vec<String> = kernel.arguments.iter().map(|word| in_shell(word)).collect();
    format!("warpspan {}", words.join(" "))
}

/// What is assumed and what is not covered, each once, with the kernels of which it is said.
pub(in crate::commands) fn notes(found: &Budget) -> [Vec<(String, String)>; 2] {
    let with_answer: Vec<&BudgetKernel> =
        found.kernels.iter().filter(|kernel| kernel.time.is_some()).collect();
    let mut all: [Vec<(&str, Vec<&str>)>; 2] = Default::default();
    for kernel in &with_answer {
        let Some(time) = &kernel.time else { continue };
        for (notes, says) in all.iter_mut().zip([&time.assumes, &time.not_covered]) {
            for what in says {
                match notes.iter_mut().find(|(known, _)| known == what) {
                    Some((_, names)) => names.push(&kernel.name),
                    None => notes.push((what, vec![&kernel.name])),
                }
            }
        }
    }
    all.map(|notes| {
        let note = |(what, names): (&str, Vec<&str>)| {
            let of = match names.len() {
                1 => names.concat(),
                count if count == with_answer.len() => "all kernels".to_owned(),
                _ => names.join(", "),
            };
            (of, what.to_owned())
        };
        notes.into_iter().map(note).collect()
    })
}
