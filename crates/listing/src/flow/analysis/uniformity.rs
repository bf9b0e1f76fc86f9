//! Uniformity in PTX: which branches all threads of a warp take the same path.
//!
//! A branch is uniform if the listing says so (`.uni`), if the user does, or if that is inferred of its predicate
//! not vary in a warp. The last is found for kernels by the divergence
//! analysis of Coutinho, Sampaio, Pereira and Meira (*Divergence analysis and optimizations*, PACT 2011),
//! without regard to flow. A register varies if it is written
//!
//! - from something that varies, or under a predicate that varies; or
//! - between a branch that varies and its join, also if that is its only write, since threads that take
//!   another path keep what an earlier pass of a loop wrote.
//!
//! Parameters of the kernel, constants, and the indexes and sizes of blocks and grids do not vary. Thread
//! indexes, everything loaded but parameters, sums with a carry, and what calls return do, and so does what
//! is read before it is written.

use std::collections::{HashMap, HashSet};

use crate::flow::analysis::Scope;
use crate::flow::analysis::convergent_branches::Together;
use crate::flow::analysis::definitions::{local_definitions, read_before_written, writers};
use crate::flow::analysis::variance::{Sources, decides};
use crate::flow::graph::BlockId;
use crate::routine::Routine;
use warpspan_isa::block_barrier::is_aligned;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::ptx_names::{every_name, read, written};
use warpspan_isa::row::Transfer;

/// Larger graphs are not analysed: all their branches count as divergent.
const MOST_BLOCKS: usize = 2000;

/// Whether the predicate of each instruction, or the index of its switch, is the same in a whole warp, as the
/// listing says or as is inferred. `ambiguous` are the names that may be those of several registers, and `may_end` says whether
/// threads may end in what an instruction calls.
pub(crate) fn inferred<'a>(
    routine: &Routine<'a>,
    whole: &Scope<'_>,
    ambiguous: &HashSet<&'a str>,
    barriers: &[bool],
    may_end: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let graph = whole.subgraph.graph();
    let mut found: Vec<bool> = routine.instructions.iter().map(|instruction| instruction.uniform).collect();
    let branches = graph.blocks().any(|(_, block)| block.successors.len() + usize::from(block.ends) > 1);
    let calls = routine.instructions.iter().any(|one| one.conditional && one.calls());
    if !routine.entry || graph.len() > MOST_BLOCKS || !(branches || calls) {
        return found;
    }
    let barriers = aligned(routine, barriers);
    // Threads may pass by a barrier under a predicate.
    let is_barrier =
        |at: usize| barriers.get(at).copied().unwrap_or(false) && !routine.instructions[at].conditional;
    let barriers = Together::new(routine, &whole.subgraph, is_barrier, may_end);
    let varying = Varying::new(routine, whole, ambiguous, &barriers);
    for (number, _) in varying.decides_barrier.iter().enumerate().filter(|(_, decides)| **decides) {
        found[graph.blocks().nth(number).map_or(0, |(_, block)| block.last())] = true;
    }
    for (at, instruction) in routine.instructions.iter().enumerate() {
        let guard = instruction.guard.is_none_or(|guard| !varying.at(at, guard.register));
        let index = !is_switch(instruction) || decides(instruction).all(|name| !varying.at(at, name));
        found[at] |= guard && index;
    }
    found
}

/// The barriers to which all threads of a warp must come together.
fn aligned(routine: &Routine<'_>, barriers: &[bool]) -> Vec<bool> {
    let list = routine.instructions.iter().zip(barriers);
    list.map(|(instruction, &barrier)| barrier && is_aligned(instruction)).collect()
}

fn is_switch(instruction: &Instruction<'_>) -> bool {
    instruction.transfer() == Transfer::Indirect
}

/// What varies among the threads of a warp.
struct Varying<'a> {
    sources: Sources<'a>,
    /// Registers that vary, wherever they are read.
    registers: HashSet<&'a str>,
    /// Of each instruction: whether what it writes varies among the threads that execute it together.
    values: Vec<bool>,
    /// By reader and register: the write that it sees, if that is in its block.
    local: HashMap<(usize, &'a str), usize>,
    /// The blocks whose branch decides about a barrier, so that it cannot diverge; see
    /// [`threads`](crate::flow::analysis::threads).
    decides_barrier: Vec<bool>,
}

impl<'a> Varying<'a> {
    /// Whether what an instruction reads varies among the threads that execute it together.
    fn at(&self, reader: usize, name: &'a str) -> bool {
        match self.local.get(&(reader, name)) {
            Some(&write) => self.values[write],
            None => self.registers.contains(name) || self.sources.unknown(name),
        }
    }

    /// Whether the threads that execute an instruction together may leave it on different paths.
    fn parts(&self, at: usize, instruction: &Instruction<'a>) -> bool {
        let guarded = instruction.guard.is_some_and(|guard| self.at(at, guard.register));
        guarded || is_switch(instruction) && decides(instruction).any(|name| self.at(at, name))
    }

    /// Whether what an instruction gives varies among the threads that execute it together.
    fn gives(&self, at: usize, instruction: &Instruction<'a>) -> bool {
        instruction.guard.is_some_and(|guard| self.at(at, guard.register))
            || self.sources.varies(instruction)
            || read(instruction).into_iter().any(|name| self.at(at, name))
    }

    /// The least set of what varies: whatever reads something that has just been found to vary is looked at
    /// again.
    fn new(
        routine: &Routine<'a>,
        whole: &Scope<'_>,
        ambiguous: &HashSet<&'a str>,
        barriers: &Together<'_, '_>,
    ) -> Self {
        let graph = whole.subgraph.graph();
        let mut local = local_definitions(routine, graph);
        local.retain(|(_, name), _| !ambiguous.contains(name));
        let writers = writers(routine);
        // What is read before it is written differs from thread to thread, and so may what has the name of
        // another register.
        let mut registers = read_before_written(routine, graph, &writers);
        registers.extend(writers.keys().filter(|name| ambiguous.contains(*name)));
        let sources = Sources::new(routine, &writers, ambiguous);
        let values = vec![false; routine.instructions.len()];
        let deciding = vec![false; graph.len()];
        let mut all = Self { sources, registers, values, local, decides_barrier: deciding };
        let readers = readers(routine);
        // By write: the readers in its block that see it.
        let mut seen_by: HashMap<usize, Vec<usize>> = HashMap::new();
        for (&(reader, _), &write) in &all.local {
            seen_by.entry(write).or_default().push(reader);
        }
        let block_of: HashMap<usize, BlockId> = graph
            .blocks()
            .flat_map(|(id, block)| block.instructions.clone().map(move |at| (at, id)))
            .collect();
        // Of each block: whether it lies between a branch that varies and its join, and whether it ends in
        // one.
        let (mut between, mut varies) = (vec![false; graph.len()], vec![false; graph.len()]);
        let mut open: Vec<usize> = block_of.keys().copied().collect();
        while let Some(at) = open.pop() {
            let Some(&block) = block_of.get(&at) else { continue };
            let instruction = &routine.instructions[at];
            let mut parts = at == graph[block].last() && all.parts(at, instruction);
            if parts && barriers.decides(block) {
                all.decides_barrier[block.index()] = true;
                parts = false;
            }
            if parts && !std::mem::replace(&mut varies[block.index()], true) {
                for inside in before_the_join(whole, block) {
                    if !std::mem::replace(&mut between[inside.index()], true) {
                        open.extend(graph[inside].instructions.clone());
                    }
                }
            }
            let gives = all.gives(at, instruction);
            if gives && !std::mem::replace(&mut all.values[at], true) {
                open.extend(seen_by.get(&at).into_iter().flatten());
            }
            for name in written(instruction) {
                if (gives || between[block.index()]) && all.registers.insert(name) {
                    open.extend(readers.get(name).into_iter().flatten());
                }
            }
        }
        all
    }
}

/// The instructions that read each register, as a guard or otherwise.
fn readers<'a>(routine: &Routine<'a>) -> HashMap<&'a str, Vec<usize>> {
    let mut readers: HashMap<&'a str, Vec<usize>> = HashMap::new();
    for (at, instruction) in routine.instructions.iter().enumerate() {
        let guard = instruction.guard.map(|guard| guard.register);
        for name in every_name(instruction).chain(guard) {
            readers.entry(name).or_default().push(at);
        }
    }
    readers
}

/// The blocks between a block and its join, neither of them included unless a path comes back to the block.
fn before_the_join(whole: &Scope<'_>, block: BlockId) -> Vec<BlockId> {
    let subgraph = &whole.subgraph;
    let Some(node) = subgraph.node_of(block) else { return vec![] };
    let join = whole.joins.join(node);
    let targets = subgraph.edges(node).iter().filter_map(|edge| edge.node());
    let inside = targets.flat_map(|to| subgraph.reached(to, join));
    inside.map(|node| subgraph.block_id(node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;
    use crate::flow::analysis::definitions::ambiguous;
    use crate::flow::graph::ControlFlowGraph;

    /// Whether each predicated instruction of a kernel is uniform, in their order.
    fn predicated(body: &str) -> Vec<bool> {
        let text = format!(
            ".version 7.0\n.target sm_61\n.visible .entry k(.param .u32 n)\n{{\n.reg .pred %p<9>; .reg .u32 %r<9>;\n{body}\nexit;\n}}\n"
        );
        let text = Text::new("k", text.into_bytes()).unwrap();
        let listing = text.listing().unwrap();
        let routine = &listing.routines[0];
        let graph = ControlFlowGraph::new(routine, listing.language, 0, &HashSet::new(), false);
        let whole = Scope::whole(&graph);
        let found = inferred(routine, &whole, &ambiguous(routine), &[], |_| false);
        let guarded = (0..found.len()).filter(|&at| routine.instructions[at].guard.is_some());
        guarded.map(|at| found[at]).collect()
    }

    #[test]
    fn parameters_are_uniform_and_thread_indexes_are_not() {
        assert_eq!(
            predicated("ld.param.u32 %r1, [n];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra A;\nmov.u32 %r1, 1;\nA:"),
            [true]
        );
        assert_eq!(
            predicated("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra A;\nmov.u32 %r1, 1;\nA:"),
            [false]
        );
    }

    #[test]
    fn a_constant_written_on_one_side_of_a_divergent_branch_varies_behind_its_join() {
        let body = |register: &str| {
            format!(
                "mov.u32 %r2, 0;\nmov.u32 %r1, {register};\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra A;\nmov.u32 %r2, 1;\nadd.u32 %r3, %r2, 1;\nA:\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra B;\nmov.u32 %r4, 1;\nB:"
            )
        };
        assert_eq!(predicated(&body("%tid.x")), [false, false]);
        assert_eq!(predicated(&body("%ctaid.x")), [true, true]);
    }

    #[test]
    fn what_is_read_before_it_is_written_varies() {
        assert_eq!(predicated("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra A;\nmov.u32 %r1, 1;\nA:"), [false]);
    }
}
