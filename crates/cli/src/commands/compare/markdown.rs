//! The answer in Markdown, for the text of a pull request.

use std::fmt::Write;

use crate::commands::compare::text::{change, cycles, fails, lines_of, number, percent, signed};
use crate::markdown::{cell, code, plain};
use warpspan_records::Compare;
use warpspan_records::compare::{Compared, LineChange, Verdict};

pub(super) fn markdown(found: &Compare) -> String {
    let verdict = match found.verdict {
        Verdict::Within => "no bound rises by more than it may",
        Verdict::Unknown => "not all bounds can be compared",
        Verdict::Gone => "an entry is gone",
        Verdict::Worse => "a bound rises by more than it may",
    };
    let mut out = format!("### Bounds of {} since {}: {verdict}\n\n", code(&found.new), code(&found.old));
    out.push_str("| entry | old | new | change | |\n|---|--:|--:|--:|---|\n");
    for one in &found.entries {
        let word = plain(&change(one, found.worse_than));
        let word = if fails(found, one) { format!("**{word}**") } else { word };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {word} |",
            cell(&one.name),
            number(one.old.as_ref(), &one.unit),
            number(one.new.as_ref(), &one.unit),
            percent(one),
        );
    }
    let more: String = found.entries.iter().map(of_entry).collect();
    if !more.is_empty() {
        let _ = write!(out, "\n{more}");
    }
    found.entries.iter().filter(|one| !one.lines.is_empty()).for_each(|one| out.push_str(&lines(one)));
    out
}

/// What else there is to say of an entry.
fn of_entry(one: &Compared) -> String {
    let errors = [("old", &one.old_error), ("new", &one.new_error)];
    let errors = errors
        .into_iter()
        .filter_map(|(version, error)| Some(format!("no {version} bound: {}", error.as_ref()?)));
    let because = one.because.iter().filter(|_| one.exceeds).cloned();
    let differs = one.differs.iter().map(|differs| format!("{}: {}", differs.what, differs.says()));
    let all = errors.chain(because).chain(differs).chain(one.notes.iter().cloned());
    all.map(|said| format!("- {} {}\n", code(&one.name), plain(&said))).collect()
}

/// What lines of an entry add more or less, folded away.
fn lines(one: &Compared) -> String {
    let mut out =
        format!("\n<details><summary>{}: {}, line by line</summary>\n\n", plain(&one.name), lines_of(one));
    out.push_str("| old line | new line | | old | new | change |\n|--:|--:|---|--:|--:|--:|\n");
    for line in &one.lines {
        let LineChange { file, old_line, new_line, instruction, old, new, change, .. } = line;
        let at = |line: &Option<u32>| line.map_or(String::new(), |line| line.to_string());
        let what = file.as_deref().or(instruction.as_deref()).unwrap_or("(in a function)");
        let [old, new] = [old, new].map(cycles);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {old} | {new} | {} |",
            at(old_line),
            at(new_line),
            cell(what),
            signed(change)
        );
    }
    out.push_str("\n</details>\n");
    out
}
