//! What `trace` tells a person: for which input, then loops, branches and memory.

use std::fmt::Write;

use crate::table::table;
use warpspan_document::words::several;
use warpspan_document::words::shortened;
use warpspan_listing::inputs;
use warpspan_records::Trace;
use warpspan_records::trace::Launch;

/// The whole answer.
pub(super) fn text(found: &Trace) -> String {
    let mut out = format!("{}, for {} and no other\n", found.entry, inputs(&found.of_input));
    let mut fact = |name: &str, what: String| {
        let _ = writeln!(out, "{name:<13} {what}");
    };
    for one in &found.launches {
        fact("launch", launch(found, one));
        let rest = if found.accesses.iter().any(|one| one.why_not.is_some()) {
            ", without what is not counted below"
        } else {
            ""
        };
        fact(
            "touches",
            format!(
                "{} of {} of global memory, a block at most {} of {}; all accesses ask for {} bytes{rest}",
                several(one.sectors, "sector"),
                several(one.lines, "line"),
                one.sectors_of_a_block,
                several(one.lines_of_a_block, "line"),
                one.asked_bytes
            ),
        );
    }
    fact("longest warp", several(found.most_instructions_of_a_warp, "instruction"));
    for one in &found.loops {
        let passes = match one.visits {
            0 => "no warp comes to it".to_owned(),
            _ if one.least == one.most => format!("{} each time", several_passes(one.most)),
            _ => format!("{} to {}", one.least, several_passes(one.most)),
        };
        let why = one.undeclared.as_ref().map_or_else(String::new, |why| format!("; not declared: {why}"));
        fact("loop", format!("{} (line {}): {passes}{why}", one.label, one.line));
    }
    for one in &found.branches {
        let how = match one.diverged {
            0 => "no warp diverges".to_owned(),
            some => format!("diverges, or may, {some} of {} times", one.times),
        };
        fact("branch", format!("line {}: {how}", one.line));
    }
    for one in &found.unreached {
        fact("unreached", format!("line {}: {}", one.line, shortened(&one.instruction)));
    }
    if !found.accesses.is_empty() {
        let header = ["line", "instruction", "memory", "times", "lanes", "transactions", "sectors", "lines"];
        let mut rows = table(header, [0, 3, 4, 5, 6, 7]);
        let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        for one in &found.accesses {
            rows.add_row([
                one.line.to_string(),
                shortened(&one.instruction),
                one.space.map_or_else(String::new, |space| space.name().to_owned()),
                one.times.to_string(),
                one.lanes.to_string(),
                number(one.transactions),
                number(one.sectors),
                number(one.touched_lines),
            ]);
        }
        let _ = writeln!(out, "\n{rows}\n");
    }
    let mut fact = |name: &str, what: String| {
        let _ = writeln!(out, "{name:<13} {what}");
    };
    for one in found.accesses.iter() {
        if let Some(why) = &one.why_not {
            fact("not counted", format!("line {}: {why}", one.line));
        }
    }
    for what in &found.not_covered {
        fact("not covered", what.clone());
    }
    if let Some(file) = &found.declarations {
        fact("declarations", format!("{file}, for {} alone", inputs(&found.of_input)));
    }
    out
}

fn launch(found: &Trace, one: &Launch) -> String {
    let [grid, block] = [found.grid, found.block].map(|sizes| sizes.map(|size| size.to_string()).join("x"));
    format!(
        "{}: {grid} blocks of {block} threads, {} with {}",
        one.file,
        several(one.warps, "warp"),
        several(one.instructions, "instruction")
    )
}

fn several_passes(count: u64) -> String {
    format!("{count} pass{}", if count == 1 { "" } else { "es" })
}
