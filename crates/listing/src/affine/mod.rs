//! From addresses to transactions: how many sectors, lines and words of a bank one access of a warp touches at most.
//!
//! An abstract interpretation of the code, once for each warp of a block. What a register holds is a polynomial in unknown integers whose
//! coefficients are numbers for each lane (`form`, `atom`), or nothing is known of it.
//!
//! | file | is |
//! |---|---|
//! | `lanes`, `form`, `atom`, `value` | what is known of registers |
//! | `context` | what is asked of forms: their ranges, what divides them, where they change |
//! | `extend`, `bits`, `monotone`, `predicate` | what operations do to them |
//! | `division`, `quotient` | quotients that are made by a product with a reciprocal, and what they leave |
//! | `steps`, `words` | what the steps of an instruction that computes give; words, alone and as halves of pairs |
//! | `ptx` | the instructions of PTX |
//! | `sass` | the instructions of SASS |
//! | `launched` | the indexes of threads and blocks, sizes and parameters |
//! | `shape` | the control-flow graph, with the branches at which lanes diverge |
//! | `state`, `heads`, `passes` | where paths join, where passes of loops begin, and how many there are |
//! | `calls` | what a warp does in the functions that it calls |
//! | `run`, `analysis` | the code, gone through until nothing changes |
//! | `count`, `group` | from an address to what a warp touches |
//! | `footprint` | from all addresses to what a block and a launch touch |
//! | `traced` | the same count for addresses that are known, and the loops around instructions |
//!
//! The *invariant*: for each place in the code and each set of lanes that execute it together there is one value of each atom, and one for
//! each lane of each atom of lanes, with which every form is what the register holds. `docs/transactions.md` has the proofs, and what is
//! assumed: that lanes which reconverge are in the same pass of every loop around, unless lanes of the warp wait for one another in
//! a loop in which they diverge.

// Layers: a module uses only those of the groups above its own.
mod calls;
mod group;
mod lanes;
mod shape;

mod form;

mod atom;
mod quotient;
mod value;

mod context;

mod bits;
mod division;
mod extend;
mod launched;
mod passes;
mod state;
mod words;

mod heads;
mod monotone;
mod predicate;
mod steps;

mod run;

mod analysis;
mod count;
mod ptx;

pub(crate) mod footprint;
mod sass;
mod traced;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::flow::ControlFlowGraph;
use crate::params::Launch;
use crate::routine::{Listing, Routine};
use calls::{Calls, calls, diverging};
use context::Context;
pub(crate) use count::Counted;
use count::count;
use footprint::Places;
use launched::warps;
use ptx::names::Ptx;
use run::{Code, Instructions};
use sass::Sass;
use shape::Shape;
pub(crate) use traced::{Loop, loops, touched_at};
use warpspan_isa::exchange::waits;
use warpspan_isa::instruction::{Flow, Language};
use warpspan_isa::row::Space;

/// The most instructions that are gone through for a routine.
const STEPS: usize = 2_000_000;

/// What accesses of a routine touch, as far as the code shows it. They stand in the order of the code; an instruction has one for each
/// memory that it accesses.
pub(crate) type Inferred = BTreeMap<(usize, bool), Touches>;

/// What one access of a warp touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Touches {
    /// At most; none if nothing is known.
    pub(crate) most: Option<Counted>,
    /// At least, in some execution.
    pub(crate) least: Option<Counted>,
    /// Whether lanes of one address come one after the other.
    pub(crate) atomic: bool,
    /// The bytes of a lane; none where no warp executes the instruction.
    pub(crate) bytes: Option<u32>,
}

/// What the accesses of the entry with this number in a listing touch in a launch, and where they go; nothing where the sizes of the block are not known. `aligned` is the power of two that
/// divides each pointer among the parameters. `bounds` are the most passes of loops each time a warp comes to them, by the lines of
/// their headers. The key is the instruction and whether the memory is shared.
pub(crate) fn infer(
    place: (&Listing<'_>, usize),
    launch: &Launch,
    aligned: u32,
    bounds: &BTreeMap<u32, u64>,
) -> (Inferred, Option<Places>) {
    let (found, places) = of_warps(place, launch, aligned, bounds).unzip();
    // Where the analysis gives up, it is not known where any access goes.
    let gave_up = || warps(launch).map(|_| Places::default());
    (found.unwrap_or_default(), places.or_else(gave_up))
}

fn of_warps(
    (listing, number): (&Listing<'_>, usize),
    launch: &Launch,
    aligned: u32,
    bounds: &BTreeMap<u32, u64>,
) -> Option<(Inferred, Places)> {
    let (routine, language) = (&listing.routines[number], listing.language);
    if routine.fault.is_some() || routine.instructions.is_empty() {
        return None;
    }
    let graph = ControlFlowGraph::new(routine, language, 0, &HashSet::new(), false);
    let flows = |flow: &Flow<'_>| {
        graph
            .blocks()
            .any(|(_, block)| block.instructions.clone().any(|at| routine.instructions[at].flow == *flow))
    };
    if flows(&Flow::Unknown) {
        return None;
    }
    let (mut steps, calls) = (STEPS, calls(listing, number));
    let diverging = diverging(routine, &calls);
    let (mut found, mut places) = (Inferred::new(), Places::default());
    let mut reached = BTreeSet::new();
    for warp in warps(launch)? {
        let shape = Shape::of(&graph)?;
        let mask = warp.mask;
        let instructions: Box<dyn Instructions> = match language {
            Language::Ptx => Box::new(Ptx::new(routine, launch, warp)),
            Language::Sass => Box::new(Sass { launch, warp, calls: &calls }),
        };
        let syncs = syncs(routine, &graph, &shape, &calls);
        let known = last_passes(routine, &graph, &shape, bounds);
        let code = Code {
            routine,
            graph: &graph,
            shape,
            instructions: &*instructions,
            syncs,
            diverging: &diverging,
        };
        let settled = code.settle(Context::default(), mask, known, &mut steps)?;
        let mut context = settled.context;
        reached.extend(settled.reached);
        places.add(&mut context, &settled.accesses, aligned, launch);
        for access in &settled.accesses {
            let counted = count(&mut context, access, aligned);
            let most = if access.mask == 0 { Some(Counted::default()) } else { counted.map(|one| one.0) };
            let least = counted.and_then(|one| one.1);
            let new = Touches { most, least, atomic: access.atomic, bytes: Some(access.bytes) };
            let both = |one: Option<Counted>, two: Option<Counted>| Some(one?.max(two?));
            found
                .entry((access.at, access.space == Space::Shared))
                .and_modify(|known| {
                    known.most = both(known.most, new.most);
                    known.least = both(known.least, new.least).or(known.least).or(new.least);
                })
                .or_insert(new);
        }
    }
    // What no warp executes touches nothing, so that one of everything is a bound.
    let all = graph.blocks().flat_map(|(_, block)| block.instructions.clone());
    let one = Counted { sectors: 1, lines: 1, passes: 1, wavefronts: 1, conflict: 1 };
    let touches = Touches { most: Some(one), least: None, atomic: false, bytes: None };
    for at in all.filter(|at| !reached.contains(at)) {
        found.extend([false, true].map(|shared| ((at, shared), touches)));
    }
    // What a call may enter is executed in other states too.
    let starts: BTreeSet<usize> = routine
        .instructions
        .iter()
        .filter_map(|one| match one.flow {
            Flow::CallInside(start) => Some(start),
            _ => None,
        })
        .collect();
    let mut inside = HashSet::new();
    for start in starts {
        let called = ControlFlowGraph::new(routine, language, start, &HashSet::new(), true);
        inside.extend(called.blocks().flat_map(|(_, block)| block.instructions.clone()));
    }
    found.retain(|(at, _), _| !inside.contains(at));
    places.forget(|at| inside.contains(&at));
    Some((found, places))
}

/// The most passes of loops by their headers, counted from 0, where they have a bound. A bound counts the passes of a warp, so no
/// lane makes more, and what leaves a loop may come to its header once more. A line at which two loops begin says nothing.
fn last_passes(
    routine: &Routine<'_>,
    graph: &ControlFlowGraph,
    shape: &Shape,
    bounds: &BTreeMap<u32, u64>,
) -> BTreeMap<usize, i128> {
    let lines: BTreeMap<usize, u32> = graph
        .blocks()
        .filter(|(id, _)| shape.loops.contains_key(&id.index()))
        .map(|(id, block)| (id.index(), routine.line_of(block.first())))
        .collect();
    let alone = |line: u32| lines.values().filter(|&&other| other == line).count() == 1;
    let known = lines.iter().filter(|(_, line)| alone(**line));
    known.filter_map(|(&header, line)| Some((header, i128::from(*bounds.get(line)?)))).collect()
}

/// The loops in which lanes of the warp wait for one another, a bit for each.
fn syncs(routine: &Routine<'_>, graph: &ControlFlowGraph, shape: &Shape, calls: &Calls) -> u64 {
    let waits = |at: usize| calls.get(&at).is_some_and(|call| call.waits) || waits(&routine.instructions[at]);
    let blocks = graph.blocks().filter(|(_, block)| block.instructions.clone().any(waits));
    blocks.fold(0, |all, (id, _)| all | shape.around[id.index()])
}
