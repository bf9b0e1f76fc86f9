//! The answer in Markdown, as GitHub shows it in the summary of a job.

use std::fmt::Write;

use crate::commands::budget::words;
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
            code(&kernel.name).replace('|', "\\|"),
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

/// A text that is shown as it is.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>|~#&$@".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A name or a command, in a span of code where it can stand in one.
fn code(text: &str) -> String {
    if text.contains('`') { plain(text) } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_markdown_are_shown_as_they_are() {
        assert_eq!(plain("a*b_c <d> | `e` [f](g)"), "a\\*b\\_c \\<d\\> \\| \\`e\\` \\[f\\](g)");
        assert_eq!(code("_Z4blurPf"), "`_Z4blurPf`");
        assert_eq!(code("a`b"), "a\\`b");
    }
}
