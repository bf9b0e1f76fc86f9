//! The instructions that may run between a call and its return, and what they write.

use std::collections::HashSet;

use crate::closure::closure;
use crate::routine::{Listing, Routine};
use warpspan_isa::instruction::Flow;
use warpspan_isa::register::Register;
use warpspan_isa::written::written;

/// What is called: a routine by its number in the listing, and the instruction at which it is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FunctionId {
    pub(crate) routine: usize,
    pub(crate) entry: usize,
}

/// What an instruction calls: another routine, or a part of its own, which has this number in the listing.
pub(crate) fn callee(
    listing: &Listing<'_>,
    (number, routine): (usize, &Routine<'_>),
    at: usize,
) -> Option<FunctionId> {
    match &routine.instructions[at].flow {
        Flow::CallInside(to) => Some(FunctionId { routine: number, entry: *to }),
        Flow::Call(name) => Some(FunctionId { routine: listing.callee(routine, name)?, entry: 0 }),
        _ => None,
    }
}

/// Whether threads may end in what an instruction calls.
pub(super) fn may_end(listing: &Listing<'_>, (number, routine): (usize, &Routine<'_>), at: usize) -> bool {
    if !routine.instructions[at].flow.is_call() {
        return false;
    }
    let ends = |id: FunctionId| {
        let one = &listing.routines[id.routine].instructions[id.entry];
        one.flow == Flow::End && !one.is_return()
    };
    let inside = callee(listing, (number, routine), at).and_then(|callee| instructions(listing, callee));
    inside.is_none_or(|all| all.into_iter().any(ends))
}

/// The instructions that may run in a function that is called, each by its routine and its number there, with those of the
/// functions that it calls; none if some jump or call leads to where nobody knows.
pub(crate) fn instructions(listing: &Listing<'_>, callee: FunctionId) -> Option<Vec<FunctionId>> {
    let found = closure([callee], |id, open| {
        let routine = &listing.routines[id.routine];
        let Some(instruction) = routine.instructions.get(id.entry) else { return Some(()) };
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
        Some(())
    })?;
    let exists = |id: &FunctionId| id.entry < listing.routines[id.routine].instructions.len();
    Some(found.into_iter().filter(exists).collect())
}

/// The registers of SASS that these instructions of a function that is called may write; none if they may write any.
pub(crate) fn registers_written(listing: &Listing<'_>, all: &[FunctionId]) -> Option<HashSet<Register>> {
    let mut found = HashSet::new();
    for id in all {
        let one = &listing.routines[id.routine].instructions[id.entry];
        // What another call runs is among the instructions.
        if !one.flow.is_call() {
            found.extend(written(one)?.into_iter().flat_map(|block| block.first.run(block.most)));
        }
    }
    Some(found)
}
