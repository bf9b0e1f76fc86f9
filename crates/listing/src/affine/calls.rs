//! What a warp does in the functions that it calls, as far as the caller can see it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::flow::callees::{callee, instructions, registers_written};
use crate::routine::{Listing, Routine};
use warpspan_isa::exchange::{waits, waits_for_some};
use warpspan_isa::instruction::{Flow, Instruction, Language};
use warpspan_isa::register::Register;

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    /// The registers of SASS that it may write; none if it may write any.
    pub(super) writes: Option<HashSet<Register>>,
    /// Whether lanes that execute it together may be diverged behind it.
    diverges: bool,
    /// Whether lanes may wait for one another in it.
    pub(super) waits: bool,
}

/// The calls of a routine, by their instructions.
pub(super) type Calls = BTreeMap<usize, Call>;

/// The calls of the routine with this number in a listing.
pub(super) fn calls(listing: &Listing<'_>, number: usize) -> Calls {
    let routine = &listing.routines[number];
    let calls = (0..routine.instructions.len()).filter(|&at| routine.instructions[at].flow.is_call());
    calls.map(|at| (at, call(listing, (number, routine), at))).collect()
}

fn call(listing: &Listing<'_>, place: (usize, &Routine<'_>), at: usize) -> Call {
    let inside = callee(listing, place, at).and_then(|callee| instructions(listing, callee));
    let Some(inside) = inside else { return Call { writes: None, diverges: true, waits: true } };
    let any = |test: fn(&Instruction<'_>) -> bool| {
        inside.iter().any(|id| test(&listing.routines[id.routine].instructions[id.entry]))
    };
    let writes = match listing.language {
        // But for those of the module, registers of PTX belong to their function.
        Language::Ptx => Some(HashSet::new()),
        Language::Sass => registers_written(listing, &inside),
    };
    let diverges = place.1.instructions[at].conditional
        || any(|one| match one.flow {
            Flow::Next => waits_for_some(one),
            Flow::Switch(_) => true,
            _ => one.conditional,
        });
    Call { writes, diverges, waits: any(waits) }
}

/// The instructions of a routine that are no branches and at which lanes that execute them together may diverge.
pub(super) fn diverging(routine: &Routine<'_>, calls: &Calls) -> BTreeSet<usize> {
    let waits = (0..routine.instructions.len()).filter(|&at| waits_for_some(&routine.instructions[at]));
    waits.chain(calls.iter().filter(|(_, call)| call.diverges).map(|(&at, _)| at)).collect()
}
