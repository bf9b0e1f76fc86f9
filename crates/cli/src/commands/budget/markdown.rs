//! The answer in Markdown, as GitHub shows it in the summary of a job.

use std::fmt::Write;

use crate::commands::budget::words;
use crate::markdown::{cell, code, plain};
use warpspan_records::Budget;
use warpspan_records::budget::Outcome;

pub(super) fn markdown(found: &Budget) -> String {
    let mut out = format!("### {}: {}\n\n", code(&found.budget), words::summary(found));
    out.push_str("| kernel | deadline | verdict | at most | rests on |\n|---|--:|---|--:|---|\n");
    for kernel in &found.kernels {
        let verdict = match kernel.outcome {
            Outcome::Met => words::verdict(kernel.outcome).to_owned(),
            _ => format!("**{}**", words::verdict(kernel.outcome)),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {verdict} | {} | {} |",
            cell(&kernel.name),
            words::deadline(kernel),
            words::bound(kernel),
            plain(&words::rests_on(kernel))
        );
    }
    out.push('\n');
    for kernel in found.kernels.iter().filter(|kernel| kernel.outcome != Outcome::Met) {
        let (name, verdict) = (code(&kernel.name), words::verdict(kernel.outcome));
        let why = words::reason(kernel).map_or_else(String::new, |why| format!(": {}", plain(&why)));
        let _ = writeln!(out, "- {name} {verdict}{why}");
        for one in words::unaccepted(kernel) {
            let _ = writeln!(out, "  - not accepted: {}", plain(&one));
        }
        if words::is_late(kernel) {
            if let Some(line) = words::costliest(kernel) {
                let _ = writeln!(out, "  - {}", plain(&line));
            }
            for hint in words::hints(kernel) {
                let _ = writeln!(out, "  - declare {}", plain(&hint));
            }
        }
        let _ = writeln!(out, "  - {}", code(&words::command(kernel)));
    }
    let notes = words::notes(found);
    if !notes.is_empty() {
        out.push_str("\n<details><summary>What the bounds rest on and do not cover</summary>\n\n");
        for (name, of, what) in &notes {
            let _ = writeln!(out, "- {name}: {}: {}", plain(of), plain(what));
        }
        out.push_str("\n</details>\n");
    }
    out
}
