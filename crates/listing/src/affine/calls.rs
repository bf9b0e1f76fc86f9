//! What a warp does in the functions that it calls, as far as the caller can see it.

use std::collections::{BTreeMap, BTreeSet};

use crate::affine::sass::number;
use crate::flow::callees::{callee, instructions, registers_written};
use crate::routine::{Flow, Instruction, Language, Listing, Routine};

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    /// The registers of SASS that it may write, by their numbers; none if it may write any.
    pub(super) writes: Option<Vec<usize>>,
    /// Whether lanes that come to it together may go on apart behind it.
    pub(super) parts: bool,
    /// Whether lanes may wait for one another in it.
    pub(super) waits: bool,
}

/// The calls of a routine, by their instructions.
pub(super) type Calls = BTreeMap<usize, Call>;

/// The calls of the routine with this number in a listing.
pub(super) fn calls(listing: &Listing<'_>, number: usize) -> Calls {
    let routine = &listing.routines[number];
    let calls = (0..routine.instructions.len())
        .filter(|&at| matches!(routine.instructions[at].flow, Flow::Call(_) | Flow::CallInside(_)));
    calls.map(|at| (at, call(listing, (number, routine), at))).collect()
}

fn call(listing: &Listing<'_>, place: (usize, &Routine<'_>), at: usize) -> Call {
    let is_conditional = place.1.instructions[at].conditional;
    let inside = callee(listing, place, at).and_then(|callee| Some((callee, instructions(listing, callee)?)));
    let Some((callee, inside)) = inside else { return Call { writes: None, parts: true, waits: true } };
    let of = |test: fn(&Instruction<'_>) -> bool| {
        inside.iter().any(|id| test(&listing.routines[id.routine].instructions[id.entry]))
    };
    let writes = match listing.language {
        // Registers of PTX belong to their function.
        Language::Ptx => Some(vec![]),
        Language::Sass => {
            registers_written(listing, callee).map(|all| all.into_iter().filter_map(self::number).collect())
        }
    };
    let apart = |one: &Instruction<'_>| match one.flow {
        Flow::Next => parts(one),
        Flow::Switch(_) => true,
        _ => one.conditional,
    };
    Call { writes, parts: is_conditional || of(apart), waits: of(waits) }
}

/// The instructions of a routine at which lanes that come to them together may go on apart, but for branches.
pub(super) fn parting(routine: &Routine<'_>, calls: &Calls) -> BTreeSet<usize> {
    let waits = routine.instructions.iter().enumerate().filter(|(_, one)| parts(one)).map(|(at, _)| at);
    waits.chain(calls.iter().filter(|(_, call)| call.parts).map(|(&at, _)| at)).collect()
}

/// Whether only some of the lanes that come to an instruction together may wait there.
fn parts(one: &Instruction<'_>) -> bool {
    one.conditional && (stops(one) || one.name() == "BSYNC")
}

/// Whether lanes of a warp wait for one another at an instruction, but for what it calls.
pub(super) fn waits(one: &Instruction<'_>) -> bool {
    stops(one) || matches!(one.name(), "SHFL" | "VOTE" | "VOTEU" | "MATCH" | "REDUX" | "CREDUX" | "ELECT")
}

/// Whether an instruction is there so that lanes wait. In SASS those that exchange something have such a one before them.
fn stops(one: &Instruction<'_>) -> bool {
    let name = one.name();
    let of_ptx = !matches!(name, "bar" | "barrier" | "cp") && one.has_modifier("sync")
        || name == "bar" && one.has_modifier("warp")
        || name == "barrier" && !one.has_modifier("aligned");
    of_ptx || one.is_warp_sync()
}
