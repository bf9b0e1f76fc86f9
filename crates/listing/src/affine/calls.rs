//! What a warp does in the functions that it calls, as far as the caller can see it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::flow::callees::{callee, instructions, registers_written};
use crate::routine::{Listing, Routine};
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

/// Whether only some of the lanes that execute an instruction together may wait there.
fn waits_for_some(one: &Instruction<'_>) -> bool {
    one.conditional && (stops(one) || one.name() == "BSYNC")
}

/// Whether lanes of a warp wait for one another at an instruction, but for what it calls.
pub(super) fn waits(one: &Instruction<'_>) -> bool {
    stops(one) || matches!(one.name(), "SHFL" | "VOTE" | "VOTEU" | "MATCH" | "REDUX" | "CREDUX" | "ELECT")
}

/// Whether lanes wait for one another at an instruction. In SASS those that exchange numbers there have waited at an instruction before.
fn stops(one: &Instruction<'_>) -> bool {
    let name = one.name();
    let of_ptx = !matches!(name, "bar" | "barrier" | "cp") && one.has_modifier("sync")
        || name == "bar" && one.has_modifier("warp")
        || name == "barrier" && !one.has_modifier("aligned");
    of_ptx || one.is_warp_sync()
}
