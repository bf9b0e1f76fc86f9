//! Writing what traces of a kernel show as a file of declarations, which holds for the inputs of these traces alone.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::SourceLine;
use crate::declarations::inputs;
use crate::declare::writer::{Writer, plain};
use crate::declared::{is_alone, is_branch, may_be_header};
use crate::machine::MemorySpace;
use crate::reached::code_of;
use crate::routine::{Listing, Routine};
use crate::trace::{Traced, TracedLoop};
use warpspan_model::source::quoted;

/// The file of what was traced of an entry, by its number in the listing of a place.
pub(crate) fn of_traced(
    (place, listing, entry): (&str, &Listing<'_>, usize),
    source: &BTreeMap<u32, SourceLine>,
    found: &Traced,
) -> String {
    let files: Vec<String> = found.launches.iter().map(|one| one.file.clone()).collect();
    let writer = Writer { place, listing, entry, source };
    let routine = &listing.routines[entry];
    let names: Vec<String> = files.iter().map(|file| quoted(file)).collect();
    let mut out = format!(
        "# What {} did, as warpspan trace found it. It holds for {}, and for no other.\n\n\
         [[entry]]\nname = {}\nof_input = [{}]\n# The fingerprint of its instructions and of these inputs.\ncode = {}\n",
        plain(routine.name),
        plain(&inputs(&files)),
        quoted(routine.name),
        names.join(", "),
        quoted(&code_of(listing, entry, &files)),
    );
    out.push_str("\n[entry.params]\n");
    if let Some(header) = found.launches.first().map(|one| &one.header) {
        for (what, sizes) in [("blockDim", header.block), ("gridDim", header.grid)] {
            for (axis, size) in ["x", "y", "z"].into_iter().zip(sizes) {
                let _ = writeln!(out, "{} = {size}", quoted(&format!("{what}.{axis}")));
            }
        }
    }
    let declared = |one: &&TracedLoop| {
        one.passes.visits > 0 && one.undeclared.is_none() && may_be_header(routine, one.header)
    };
    for one in found.loops.iter().filter(declared) {
        let _ =
            write!(out, "\n# Loop {}, line {}{}.\n", plain(&one.label), one.line, writer.source(one.line));
        let key = format!("most = {}", one.passes.most);
        writer.table("loop", (entry, one.header), true, &key, may_be_header, &mut out);
    }
    for one in found.branches.iter().filter(|one| one.diverged == 0 && is_branch(routine, one.at)) {
        let _ = write!(out, "\n# Branch in line {}{}.\n", one.line, writer.source(one.line));
        writer.table("branch", (entry, one.at), false, "uniform = true", is_branch, &mut out);
    }
    for (line, instruction) in &found.unreached {
        let at = (0..routine.instructions.len()).find(|&at| routine.line_of(at) == *line);
        let Some(at) = at.filter(|&at| is_alone(routine, at, |_, _| true)) else { continue };
        let _ = write!(out, "\n# Line {line}{}: {}.\n", writer.source(*line), plain(instruction));
        writer.table("place", (entry, at), false, "unreachable = true", |_, _| true, &mut out);
    }
    let memory =
        |routine: &Routine<'_>, at: usize| found.accesses.iter().any(|one| one.line == routine.line_of(at));
    for one in &found.accesses {
        let Some(transactions) = one.transactions else { continue };
        let text = plain(&one.instruction);
        let _ = write!(out, "\n# Memory in line {}: {text}{}.\n", one.line, writer.source(one.line));
        let mut key = format!("transactions = {transactions}");
        if let Some([sectors, lines]) = one.touched.filter(|_| one.space == Some(MemorySpace::Global)) {
            let _ = write!(key, "\nsectors = {sectors}\nlines = {lines}");
        }
        writer.table("memory", (entry, one.at), false, &key, memory, &mut out);
    }
    out
}
