//! The instructions that may run between a call and its return.

use std::collections::HashSet;

use crate::listing::flow::analysis::FunctionId;
use crate::listing::routine::{Flow, Listing};

/// The instructions that may run in a function that is called, each by its routine and its number there, with those of the
/// functions that it calls; none if some jump or call leads to where nobody knows.
pub(super) fn instructions(listing: &Listing<'_>, callee: FunctionId) -> Option<Vec<FunctionId>> {
    let mut found = Vec::new();
    let (mut seen, mut open) = (HashSet::new(), vec![callee]);
    while let Some(id) = open.pop() {
        let routine = &listing.routines[id.routine];
        let Some(instruction) = routine.instructions.get(id.entry).filter(|_| seen.insert(id)) else {
            continue;
        };
        found.push(id);
        let inside = |entry: usize| FunctionId { entry, ..id };
        let next = instruction.conditional.then(|| inside(id.entry + 1));
        match &instruction.flow {
            Flow::Next => open.push(inside(id.entry + 1)),
            Flow::Branch(to) => open.extend(next.into_iter().chain([inside(*to)])),
            Flow::Switch(list) => open.extend(next.into_iter().chain(list.iter().map(|&to| inside(to)))),
            Flow::CallInside(to) => open.extend([inside(id.entry + 1), inside(*to)]),
            Flow::Call(name) => {
                let called = listing.callee(routine, name)?;
                open.extend([inside(id.entry + 1), FunctionId { routine: called, entry: 0 }]);
            }
            Flow::Unknown => return None,
            Flow::End => open.extend(next),
        }
    }
    Some(found)
}
