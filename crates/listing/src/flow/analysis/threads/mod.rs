//! Uniformity in SASS: which predicates are the same for all threads of a warp that stand together.
//!
//! Compilers use a register for many values, so the analysis follows the flow of control. At each location a
//! register either certainly holds the same value in all threads that are there together, or it *varies*. What
//! a block finds is what all blocks before it leave. A branch that may diverge makes every register
//! vary that is written between it and its join,
//!
//! - at the join, where threads come together that took other paths, or left a loop in other passes; and
//! - inside, at the blocks that two of its paths lead to.
//!
//! Threads that load from one address in one instruction get the same. That is used where all threads of the warp
//! are together, since memory may change in between where they are not.
//!
//! A branch that decides whether, or how often, a barrier of the block is passed cannot diverge: CUDA demands
//! that all threads of a block decide it alike, and compilers rely on it. (The barriers for which they need not,
//! `barrier.sync` without `.aligned`, are compiled to code that asks whether the warp is together, `BRA.CONV`
//! or `BRA.DIV`.) The bound of a program names this assumption. In the same way CUDA demands that all threads of a warp
//! come to a shuffle, vote, match or reduction of all lanes, or none does.
//!
//! `docs/extract.md` has the proof.

mod solution;

use std::collections::HashMap;

use crate::flow::analysis::callees;
use crate::flow::analysis::convergence_queries::{Asked, asked_for};
use crate::flow::analysis::convergent_branches::Together;
use crate::flow::analysis::group_registers::GroupRegisters;
use crate::flow::analysis::known::Inferred;
use crate::flow::analysis::warp_uniform::State;
use crate::flow::analysis::{Function, FunctionId};
use crate::flow::graph::BlockId;
use warpspan_isa::effects::{Registers, effects};
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::operand;
use warpspan_isa::row::Fact;

/// Larger graphs are not analysed: their branches count as divergent.
const MOST_BLOCKS: usize = 5000;

/// Looks at a function.
pub(super) fn inferred(function: &Function<'_, '_>) -> Inferred {
    let routine = function.routine;
    let uniform = (0..routine.instructions.len()).map(|at| function.uniform_at(at)).collect();
    let mut found = Inferred { uniform, ..Inferred::default() };
    let graph = function.graph;
    if graph.len() > MOST_BLOCKS || graph.len() < 2 {
        let callees = graph.blocks().flat_map(|(_, block)| block.instructions.clone());
        let callees = callees.filter_map(|at| function.callee(at));
        found.calls.extend(callees.map(|callee| (callee, Registers::default())));
        return found;
    }
    let mut threads = Threads::new(function);
    // Compilers ask whether the warp is together before a barrier to which its threads may come apart.
    let mut shuffles = vec![false; routine.instructions.len()];
    let mut asks_at_barrier = false;
    for (_, block) in graph.blocks() {
        match asked_for(routine, block.instructions.clone()) {
            Some(Asked::AllLanes) => shuffles[block.last()] = true,
            Some(Asked::Other) => asks_at_barrier = true,
            Some(Asked::SomeLanes) | None => {}
        }
    }
    let barriers = if asks_at_barrier { &[] } else { function.barriers() };
    let (whole, may_end) = (&function.whole.subgraph, |at| function.may_end_in_call(at));
    // Threads may pass by a barrier under a predicate.
    let is_barrier =
        |at: usize| barriers.get(at).copied().unwrap_or(false) && !routine.instructions[at].conditional;
    let barriers = Together::new(routine, whole, is_barrier, may_end);
    let all_lanes = Together::new(routine, whole, |at| shuffles[at], may_end);
    threads.solve(&barriers, &all_lanes, &shuffles);
    for (block, contents) in graph.blocks() {
        let Some(mut state) = threads.before[block.index()] else { continue };
        for at in contents.instructions.clone() {
            let instruction = &routine.instructions[at];
            found.uniform[at] |= state.decides(instruction);
            if let Some(callee) = function.callee(at) {
                // The call may write the register of the return address.
                let own = effects(instruction);
                found.calls.push((callee, state.same.without(own.touches.with(own.writes))));
            }
            threads.step(&mut state, block, at);
        }
        if threads.decides_shuffle[block.index()] && !found.uniform[contents.last()] {
            found.of_shuffles.push(contents.last());
        }
        found.uniform[contents.last()] |= threads.decides(block);
    }
    found
}

/// The analysis of a function.
struct Threads<'a, 'f> {
    function: &'f Function<'a, 'f>,
    /// What is known before each block; none if it was not looked at yet.
    before: Vec<Option<State>>,
    /// What varies at the beginning of each block, whatever the blocks before it leave.
    lost: Vec<Registers>,
    /// The blocks whose last instruction may diverge.
    parts: Vec<bool>,
    /// The blocks in which some threads of the warp may be elsewhere.
    apart: Vec<bool>,
    /// The blocks whose last instruction decides about a barrier.
    decides_barrier: Vec<bool>,
    /// Those whose last instruction decides about a shuffle of all lanes.
    decides_shuffle: Vec<bool>,
    /// What the blocks may write, calls included.
    written: Vec<Registers>,
    /// What calls may write, by what they call.
    clobbers: HashMap<FunctionId, Registers>,
    /// Whether instructions may wait for the warp, of those that were looked at.
    waits: HashMap<usize, bool>,
    /// The uniform registers that are written where threads may have diverged.
    group_registers: GroupRegisters,
    /// The blocks whose last instruction sends each group along one path, but perhaps not all groups the same.
    by_group: Vec<bool>,
}

impl<'a, 'f> Threads<'a, 'f> {
    fn new(function: &'f Function<'a, 'f>) -> Self {
        let graph = function.graph;
        let length = graph.len();
        let mut all = Self {
            function,
            apart: vec![false; length],
            before: vec![None; length],
            lost: vec![Registers::default(); length],
            parts: vec![false; length],
            decides_barrier: vec![false; length],
            decides_shuffle: vec![false; length],
            written: vec![Registers::default(); length],
            clobbers: HashMap::new(),
            waits: HashMap::new(),
            group_registers: GroupRegisters::new(function.called),
            by_group: vec![false; length],
        };
        for (block, contents) in graph.blocks() {
            let written = contents.instructions.clone().map(|at| all.written_at(at));
            all.written[block.index()] = written.fold(Registers::default(), Registers::with);
        }
        for node in function.whole.subgraph.nodes() {
            for at in function.whole.subgraph.block(node).instructions.clone() {
                if function.comes_back_apart(at) {
                    all.set_apart(function.whole.subgraph.block_id(node));
                    _ = all.go_apart(node, at);
                }
            }
        }
        // The condition code is that of the compiler's additions. Where none writes it, none reads it.
        let any = all.written.iter().copied().fold(Registers::default(), Registers::with);
        let own = Registers::condition().without(any);
        let known = if function.called { function.same_at_entry() } else { own };
        all.before[BlockId::ENTRY.index()] = Some(State::new(known));
        all
    }

    /// Whether the last instruction of a block decides about a barrier or a shuffle.
    fn decides(&self, block: BlockId) -> bool {
        self.decides_barrier[block.index()] || self.decides_shuffle[block.index()]
    }

    /// What an instruction may write, with what it calls.
    fn written_at(&mut self, at: usize) -> Registers {
        let instruction = &self.function.routine.instructions[at];
        let own = effects(instruction);
        let own = own.touches.with(own.writes).with(carry(instruction));
        let callee = self.function.callee(at);
        let unknown = match &instruction.flow {
            Flow::Call(_) => callee.is_none(),
            flow => *flow == Flow::Unknown,
        };
        if unknown {
            return Registers::ALL;
        }
        own.with(callee.map_or(Registers::default(), |callee| self.clobbered_by(callee)))
    }

    /// What a function that is called may write.
    fn clobbered_by(&mut self, callee: FunctionId) -> Registers {
        if let Some(known) = self.clobbers.get(&callee) {
            return *known;
        }
        let listing = self.function.program.listing;
        let found = callees::instructions(listing, callee).map_or(Registers::ALL, |all| {
            all.into_iter().fold(Registers::default(), |found, id| {
                let instruction = &listing.routines[id.routine].instructions[id.entry];
                let own = effects(instruction);
                found.with(own.touches).with(own.writes).with(carry(instruction))
            })
        });
        self.clobbers.insert(callee, found);
        found
    }

    /// Whether an instruction, or what it calls, may wait for all threads of the warp.
    fn waits_for_warp(&mut self, at: usize) -> bool {
        let function = self.function;
        *self.waits.entry(at).or_insert_with(|| function.may_wait_for_warp(at))
    }

    /// What is known behind an instruction.
    fn step(&mut self, state: &mut State, block: BlockId, at: usize) {
        let instruction = &self.function.routine.instructions[at];
        // What waits for the warp may bring threads together that have come here on any paths.
        let mixes = (self.apart[block.index()] || self.function.called) && self.waits_for_warp(at);
        if mixes {
            *state = State::new(state.same.both(Registers::condition()));
        }
        if !matches!(instruction.flow, Flow::Next) {
            state.lose(self.written_at(at));
            // Threads may come back from a call at other times than they left.
            state.together = state.same;
            return;
        }
        let mut effects = effects(instruction);
        let apart = self.apart[block.index()];
        effects.writes = effects.writes.with(carry(instruction));
        effects.varies |= effects.varies_apart && apart;
        // A vote of the whole warp gives all of its threads the same.
        let votes = effects.varies && effects.together != Registers::default();
        if votes && !apart && instruction.guard.is_none() {
            effects.varies = false;
            effects.writes = effects.writes.with(effects.together);
        }
        state.execute(instruction, &effects, apart && self.group_registers.reads(instruction));
        if instruction.has(Fact::Regroups) {
            state.together = state.same;
        }
    }
}

/// The condition code, if the instruction writes it.
fn carry(instruction: &Instruction<'_>) -> Registers {
    let writes = instruction.operands().iter().any(|one| one.names_code && one.kind != operand::Kind::Code)
        || instruction.writes_code();
    if writes { Registers::condition() } else { Registers::default() }
}

#[cfg(test)]
mod tests;
