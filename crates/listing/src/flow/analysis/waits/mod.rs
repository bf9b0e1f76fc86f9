//! Which loops wait for memory that other blocks write.
//!
//! | file | is |
//! |---|---|
//! | `slice` | what a way out of a loop depends on |
//!
//! A loop waits if each way out of it that can change from pass to pass depends on what an atomic operation or a strong load
//! in the loop gives, or a load that reads the same address in each pass. `docs/extract-loops.md` has the rules.

mod slice;

use crate::flow::analysis::waits::slice::{Slice, Slicer};
use crate::flow::analysis::{Function, Scope};
use crate::flow::graph::Edge;
use crate::flow::{Wait, WaitKind};
use warpspan_isa::dataflow::Found;

/// What the loop waits for, if it does.
pub(crate) fn wait(function: &Function<'_, '_>, pass: &Scope<'_>) -> Option<Wait> {
    let goes_on = |edge: &Edge| pass.exits.comes_back(*edge);
    let is_exit = |edges: &[Edge]| edges.iter().any(goes_on) && !edges.iter().all(goes_on);
    let exits = pass.subgraph.nodes().filter(|&node| is_exit(pass.subgraph.edges(node)));
    let slicer = Slicer::new(function, pass)?;
    let mut kinds = Vec::new();
    for node in exits {
        let slice = slicer.of_exit(node)?;
        if let Some((kind, at)) = kind(&slicer, &slice) {
            kinds.push((kind?, at));
        }
    }
    // The loop ends as soon as one of its exits lets it, so the mildest of them counts.
    let (kind, at) = kinds.into_iter().min()?;
    let instruction = &function.routine.instructions[at];
    Some(Wait { kind, line: instruction.line, opcode: instruction.opcode().to_string() })
}

/// How an exit depends on memory, with the first access; `Some((None, _))` if something else decides about it, and
/// `None` if nothing that changes does, so that it is taken in the first pass or never.
fn kind(slicer: &Slicer<'_, '_>, slice: &Slice) -> Option<(Option<WaitKind>, usize)> {
    let adds = |&at: &usize| slicer.found(at) == Some(Found::Number);
    // Whether the same is read in each pass is asked of ordinary loads only.
    let ordinary = |&at: &usize| slicer.found(at) == Some(Found::Ordinary);
    let first = slice.sources.iter().min().copied();
    let Some(first) = first else {
        return slice.own.then_some((None, 0));
    };
    let retries = |&at: &usize| slicer.is_retry(at);
    let kind = match () {
        () if slice.sources.iter().all(adds) => WaitKind::Queue,
        () if slice.sources.iter().any(retries) => WaitKind::Retry,
        () if !slice.own => WaitKind::Spin,
        // What is compared with a counter may as well be the end of an array.
        () if slice.sources.iter().all(ordinary) => return Some((None, first)),
        () => WaitKind::Limit,
    };
    Some((Some(kind), first))
}
