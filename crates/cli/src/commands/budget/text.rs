//! What `budget` tells a person: how many deadlines are met, one table, and what to look at where one is not.

use std::fmt::Write;

use comfy_table::Cell;

use crate::commands::budget::words;
use crate::screen::Tone;
use crate::table::{cell, table};
use warpspan_records::Budget;
use warpspan_records::budget::Outcome;

/// The whole answer.
pub(super) fn text(found: &Budget) -> String {
    let mut rows = table(["kernel", "deadline", "verdict", "at most", "rests on"], [1, 3]);
    for kernel in &found.kernels {
        let tone = match kernel.outcome {
            Outcome::Met => Tone::Proved,
            Outcome::Missed | Outcome::Error => Tone::Refuted,
            Outcome::Undecided | Outcome::NotAccepted => Tone::Undecided,
        };
        rows.add_row([
            Cell::new(&kernel.name),
            Cell::new(words::deadline(kernel)),
            cell(tone, words::verdict(kernel.outcome)),
            Cell::new(words::bound(kernel)),
            Cell::new(words::rests_on(kernel)),
        ]);
    }
    let mut out = format!("{}: {}\n{rows}\n", found.budget, words::summary(found));
    let mut fact = |name: &str, what: &str| {
        let _ = writeln!(out, "{name:<11} {what}");
    };
    for kernel in found.kernels.iter().filter(|kernel| kernel.outcome != Outcome::Met) {
        let name = &kernel.name;
        if let Some(reason) = words::reason(kernel) {
            fact(kernel.outcome.name(), &format!("{name}: {reason}"));
        }
        words::unaccepted(kernel).iter().for_each(|one| fact("not accepted", &format!("{name}: {one}")));
        if words::is_late(kernel) {
            if let Some(line) = words::costliest(kernel) {
                fact("costs most", &format!("{name}: {line}"));
            }
            words::hints(kernel).iter().for_each(|hint| fact("declare", &format!("{name}: {hint}")));
        }
        fact("command", &words::command(kernel));
    }
    for (name, of, what) in words::notes(found) {
        fact(name, &format!("{of}: {what}"));
    }
    out
}
