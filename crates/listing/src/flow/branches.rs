//! The branches of the functions of an entry, and which of them certainly do not make a warp diverge.

use crate::classes::Classes;
use crate::flow::FlowOptions;
use crate::flow::analysis::ListingWith;
use crate::flow::analysis::{Entries, Function, FunctionId, Program, control_flow_graph};
use warpspan_isa::instruction::Flow;

/// A conditional branch, or a jump to one of several targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BranchOf {
    /// The number of its routine in the listing.
    pub(crate) routine: usize,
    /// Its number there.
    pub(crate) instruction: usize,
    /// Whether all threads of a warp go the same way, as the code shows or the user says.
    pub(crate) uniform: bool,
}

/// The branches of an entry and of all that it calls, by routine and place.
pub(crate) fn branches(
    (listing, functions): ListingWith<'_, '_>,
    entry: usize,
    classes: &mut Classes,
    options: FlowOptions<'_>,
) -> Vec<BranchOf> {
    let entries =
        Entries::new((listing, functions), options, FunctionId { routine: entry, entry: 0 }, classes);
    let program = Program { listing, known: functions, options, entries: &entries };
    let mut functions = vec![FunctionId { routine: entry, entry: 0 }];
    let (mut found, mut at) = (Vec::<BranchOf>::new(), 0);
    while let Some(&id) = functions.get(at) {
        let called = at > 0;
        at += 1;
        let routine = &listing.routines[id.routine];
        if id.entry >= routine.instructions.len() {
            continue;
        }
        let graph = control_flow_graph(listing, id, |_| true, called);
        let function = Function::new(program, id, &graph, classes, called);
        for (_, block) in graph.blocks() {
            for place in block.instructions.clone() {
                functions.extend(function.callee(place).filter(|callee| !functions.contains(callee)));
            }
            let instruction = block.last();
            let one = &routine.instructions[instruction];
            if !(one.conditional && one.flow != Flow::Next || matches!(one.flow, Flow::Switch(_))) {
                continue;
            }
            let uniform = function.uniform_at(instruction);
            let same =
                |known: &&mut BranchOf| known.routine == id.routine && known.instruction == instruction;
            match found.iter_mut().find(same) {
                // Code that several calls enter is uniform if it is so for each of them.
                Some(known) => known.uniform &= uniform,
                None => found.push(BranchOf { routine: id.routine, instruction, uniform }),
            }
        }
    }
    found.sort_unstable();
    found
}
