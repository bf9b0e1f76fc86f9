//! What `trace` tells: for which input, then loops, branches and memory.

use crate::words::{several, shortened};
use crate::{Document, Said, Table, Tone};
use warpspan_listing::inputs;
use warpspan_records::Trace;
use warpspan_records::trace::Launch;

/// The answer.
pub fn document(found: &Trace) -> Document {
    let inputs = inputs(&found.of_input);
    let said = Said::new(Tone::Proved, "traced", format!("for {inputs} and no other"));
    let mut out = Document::new("trace", &found.entry, said, 13);
    out.line(format!("{}, for {inputs} and no other", found.entry));
    for one in &found.launches {
        out.fact("launch", launch(found, one));
        let rest = if found.accesses.iter().any(|one| one.why_not.is_some()) {
            ", without what is not counted below"
        } else {
            ""
        };
        out.fact(
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
    out.fact("longest warp", several(found.most_instructions_of_a_warp, "instruction"));
    for one in &found.loops {
        let passes = match one.visits {
            0 => "no warp comes to it".to_owned(),
            _ if one.least == one.most => format!("{} each time", several_passes(one.most)),
            _ => format!("{} to {}", one.least, several_passes(one.most)),
        };
        let why = one.undeclared.as_ref().map_or_else(String::new, |why| format!("; not declared: {why}"));
        out.fact("loop", format!("{} (line {}): {passes}{why}", one.label, one.line));
    }
    for one in &found.branches {
        let how = match one.diverged {
            0 => "no warp diverges".to_owned(),
            some => format!("diverges, or may, {some} of {} times", one.times),
        };
        out.fact("branch", format!("line {}: {how}", one.line));
    }
    for one in &found.unreached {
        out.fact("unreached", format!("line {}: {}", one.line, shortened(&one.instruction)));
    }
    if !found.accesses.is_empty() {
        let rows = Table::of(&found.accesses)
            .number("line", |one| one.line)
            .words("instruction", |one| shortened(&one.instruction))
            .words("memory", |one| one.space.map_or("", |space| space.name()))
            .number("times", |one| one.times)
            .number("lanes", |one| one.lanes)
            .number("transactions", |one| known(one.transactions))
            .number("sectors", |one| known(one.sectors))
            .number("lines", |one| known(one.touched_lines));
        out.gap();
        out.table(rows);
        out.gap();
    }
    let not_counted = found.accesses.iter().filter_map(|one| Some((one.line, one.why_not.as_ref()?)));
    out.facts("not counted", not_counted.map(|(line, why)| format!("line {line}: {why}")));
    out.facts("not covered", &found.not_covered);
    out.facts("declarations", found.declarations.as_ref().map(|file| format!("{file}, for {inputs} alone")));
    out
}

/// A number, or nothing where there is none.
fn known(number: Option<u64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
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
    format!("{count} iteration{}", if count == 1 { "" } else { "s" })
}
