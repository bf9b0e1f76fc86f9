//! Uniformity in SASS: which predicates are the same for all threads of a warp that stand together.
//!
//! Compilers use a register for many values, so the analysis follows the flow of control. At each place a
//! register either certainly holds the same value in all threads that are there together, or it *varies*. What
//! a block finds is what all blocks before it leave. A branch that may part the threads makes every register
//! vary that is written between it and its join,
//!
//! - at the join, where threads come together that took other paths, or left a loop in other passes; and
//! - inside, at the blocks that two of its ways lead to.
//!
//! A branch that decides whether, or how often, a barrier of the block is passed parts no threads: CUDA demands
//! that all threads of a block decide it alike, and compilers rely on it. (The barriers for which they need not,
//! `barrier.sync` without `.aligned`, are compiled to code that asks whether the warp is together, `BRA.CONV`
//! or `BRA.DIV`.) The bound of a program names this assumption.
//!
//! `docs/extract.md` has the proof.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::listing::flow::analysis::effects::{Registers, deciding, effects};
use crate::listing::flow::analysis::{FunctionId, Scope};
use crate::listing::flow::graph::{BlockId, Edge, Node};
use crate::listing::routine::{Flow, Instruction, Listing};

/// Larger graphs are not analysed: their branches count as divergent.
const MOST_BLOCKS: usize = 5000;

/// Whether each instruction of a function is uniform: all threads of a warp that are there together have the
/// same predicate, and go the same way.
/// `barriers` says of each instruction whether it is a barrier of the block.
pub(crate) fn evident(
    listing: &Listing<'_>,
    id: FunctionId,
    whole: &Scope<'_>,
    barriers: &[bool],
) -> Vec<bool> {
    let routine = &listing.routines[id.routine];
    let mut found: Vec<bool> = routine.instructions.iter().map(|instruction| instruction.uniform).collect();
    let graph = whole.subgraph.graph();
    if graph.len() > MOST_BLOCKS || graph.len() < 2 {
        return found;
    }
    let mut threads = Threads::new(listing, id, whole);
    let asks =
        |one: &Instruction<'_>| one.opcode.starts_with("BRA.CONV") || one.opcode.starts_with("BRA.DIV");
    let barriers = if routine.instructions.iter().any(asks) { &[] } else { barriers };
    threads.solve(barriers);
    for (block, contents) in graph.blocks() {
        let Some(mut state) = threads.before[block.index()] else { continue };
        for at in contents.instructions.clone() {
            found[at] |= state.same(&routine.instructions[at]);
            threads.step(&mut state, at);
        }
        found[contents.last()] |= threads.decides_barrier[block.index()];
    }
    found
}

/// The registers that do not vary at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    /// Those that hold the same in all threads that have come here on paths that no branch parted.
    same: Registers,
    /// Those that hold the same in the threads that stand here together, until others may join them.
    together: Registers,
}

impl State {
    /// Whether all threads that are here together have the same predicate and go the same way.
    fn same(&self, instruction: &Instruction<'_>) -> bool {
        let guard = instruction.guard.map_or(Registers::default(), |guard| Registers::of(guard.register));
        deciding(instruction).with(guard).within(self.together)
    }

    fn lose(&mut self, lost: Registers) {
        (self.same, self.together) = (self.same.without(lost), self.together.without(lost));
    }
}

/// The analysis of a function.
struct Threads<'a, 'l, 'g> {
    listing: &'l Listing<'a>,
    id: FunctionId,
    whole: &'l Scope<'g>,
    /// What is known before each block; none if it was not looked at yet.
    before: Vec<Option<State>>,
    /// What varies at the beginning of each block, whatever the blocks before it leave.
    lost: Vec<Registers>,
    /// The blocks whose last instruction may part threads.
    parts: Vec<bool>,
    /// The blocks whose last instruction decides about a barrier.
    decides_barrier: Vec<bool>,
    /// What the blocks may write, calls included.
    written: Vec<Registers>,
    /// What calls may write, by what they call.
    clobbers: HashMap<FunctionId, Registers>,
}

impl<'a, 'l, 'g> Threads<'a, 'l, 'g> {
    fn new(listing: &'l Listing<'a>, id: FunctionId, whole: &'l Scope<'g>) -> Self {
        let graph = whole.subgraph.graph();
        let length = graph.len();
        let mut all = Self {
            listing,
            id,
            whole,
            before: vec![None; length],
            lost: vec![Registers::default(); length],
            parts: vec![false; length],
            decides_barrier: vec![false; length],
            written: vec![Registers::default(); length],
            clobbers: HashMap::new(),
        };
        for (block, contents) in graph.blocks() {
            let written = contents.instructions.clone().map(|at| all.written_at(at));
            all.written[block.index()] = written.fold(Registers::default(), Registers::with);
        }
        // The condition code is that of the compiler's additions. Where none writes it, none reads it.
        let any = all.written.iter().copied().fold(Registers::default(), Registers::with);
        let known = Registers::condition().without(any);
        all.before[BlockId::ENTRY.index()] = Some(State { same: known, together: known });
        all
    }

    /// What an instruction may write, with what it calls.
    fn written_at(&mut self, at: usize) -> Registers {
        let routine = &self.listing.routines[self.id.routine];
        let instruction = &routine.instructions[at];
        let own = effects(instruction);
        let own = own.touches.with(own.writes).with(carry(instruction));
        let callee = match &instruction.flow {
            Flow::CallInside(to) => Some(FunctionId { routine: self.id.routine, entry: *to }),
            Flow::Call(name) => match self.listing.callee(routine, name) {
                Some(routine) => Some(FunctionId { routine, entry: 0 }),
                None => return Registers::ALL,
            },
            Flow::Unknown => return Registers::ALL,
            _ => None,
        };
        own.with(callee.map_or(Registers::default(), |callee| self.clobbered_by(callee)))
    }

    /// What a function that is called may write.
    fn clobbered_by(&mut self, callee: FunctionId) -> Registers {
        if let Some(known) = self.clobbers.get(&callee) {
            return *known;
        }
        let mut found = Registers::default();
        let (mut seen, mut open) = (HashSet::new(), vec![callee]);
        while let Some(id) = open.pop() {
            let routine = &self.listing.routines[id.routine];
            let Some(instruction) = routine.instructions.get(id.entry).filter(|_| seen.insert(id)) else {
                continue;
            };
            let own = effects(instruction);
            found = found.with(own.touches).with(own.writes).with(carry(instruction));
            let inside = |entry: usize| FunctionId { entry, ..id };
            let next = instruction.conditional.then(|| inside(id.entry + 1));
            match &instruction.flow {
                Flow::Next => open.push(inside(id.entry + 1)),
                Flow::Branch(to) => open.extend(next.into_iter().chain([inside(*to)])),
                Flow::Switch(list) => open.extend(next.into_iter().chain(list.iter().map(|&to| inside(to)))),
                Flow::CallInside(to) => open.extend([inside(id.entry + 1), inside(*to)]),
                Flow::Call(name) => match self.listing.callee(routine, name) {
                    Some(called) => {
                        open.extend([inside(id.entry + 1), FunctionId { routine: called, entry: 0 }]);
                    }
                    None => found = Registers::ALL,
                },
                Flow::Unknown => found = Registers::ALL,
                Flow::End => open.extend(next),
            }
        }
        self.clobbers.insert(callee, found);
        found
    }

    /// What is known behind an instruction.
    fn step(&mut self, state: &mut State, at: usize) {
        let instruction = &self.listing.routines[self.id.routine].instructions[at];
        if !matches!(instruction.flow, Flow::Next) {
            state.lose(self.written_at(at));
            // Threads may come back from a call at other times than they left.
            state.together = state.same;
            return;
        }
        let effects = effects(instruction);
        let carry = carry(instruction);
        let guard = instruction.guard.map_or(Registers::default(), |guard| Registers::of(guard.register));
        let reads = effects.reads.with(guard);
        let writes = effects.writes.with(carry);
        let one = |known: &mut Registers, result: Registers| {
            let gives = !effects.varies && reads.within(*known);
            if !gives {
                *known = known.without(effects.touches.with(writes));
            }
            if instruction.guard.is_none() {
                *known = known.with(if gives { writes } else { result });
            }
        };
        one(&mut state.same, Registers::default());
        one(&mut state.together, effects.together);
        let waits = matches!(instruction.name(), "WARPSYNC" | "YIELD" | "BAR" | "NANOSLEEP");
        state.together = if waits { state.same } else { state.together.with(state.same) };
    }

    /// Looks at the blocks until nothing changes any more.
    fn solve(&mut self, barriers: &[bool]) {
        let graph = self.whole.subgraph.graph();
        let mut open = BTreeSet::from([BlockId::ENTRY]);
        while let Some(block) = open.pop_first() {
            let number = block.index();
            let Some(mut state) = self.before[number] else { continue };
            let contents = &graph[block];
            let last = contents.last();
            for at in contents.first()..last {
                self.step(&mut state, at);
            }
            let instruction = &self.listing.routines[self.id.routine].instructions[last];
            let uniform = instruction.uniform || state.same(instruction) || self.decides_barrier[number];
            self.step(&mut state, last);
            if contents.successors.len() > 1 && !uniform && !self.parts[number] {
                if decides_barrier(self.whole, block, barriers) {
                    self.decides_barrier[number] = true;
                } else {
                    self.parts[number] = true;
                    self.part(block, &mut open);
                }
            }
            for &to in &contents.successors {
                let same = state.same.without(self.lost[to.index()]);
                let before = &mut self.before[to.index()];
                let joined = match *before {
                    Some(known) => known.same.both(same),
                    None => same,
                };
                let joined = Some(State { same: joined, together: joined });
                if *before != joined {
                    *before = joined;
                    open.insert(to);
                }
            }
        }
    }

    /// Makes vary what is written between a block that may part threads and its join.
    fn part(&mut self, block: BlockId, open: &mut BTreeSet<BlockId>) {
        let subgraph = &self.whole.subgraph;
        let Some(node) = subgraph.node_of(block) else { return };
        let join = self.whole.joins.join(node);
        let targets: Vec<Node> = subgraph.edges(node).iter().copied().filter_map(Edge::node).collect();
        let ways: Vec<Vec<Node>> = targets.iter().map(|&to| subgraph.reached(to, join)).collect();
        let mut count: HashMap<Node, usize> = HashMap::new();
        for &inside in ways.iter().flatten() {
            *count.entry(inside).or_default() += 1;
        }
        let written = count.keys().map(|&inside| self.written[subgraph.block_id(inside).index()]);
        let written = written.fold(Registers::default(), Registers::with);
        let meets = count.iter().filter(|&(_, &ways)| ways > 1).map(|(&inside, _)| inside);
        for at in meets.chain(join) {
            let id = subgraph.block_id(at);
            let lost = &mut self.lost[id.index()];
            *lost = lost.with(written);
            if let Some(before) = &mut self.before[id.index()] {
                before.lose(written);
                open.insert(id);
            }
        }
    }
}

/// Whether a barrier stands between a block and its join, so that its branch decides about it. Where the ways
/// only meet because the threads end, it is not said to: threads that end need not come to a barrier.
pub(super) fn decides_barrier(whole: &Scope<'_>, block: BlockId, barriers: &[bool]) -> bool {
    let subgraph = &whole.subgraph;
    let Some(node) = subgraph.node_of(block) else { return false };
    let Some(join) = whole.joins.join(node) else { return false };
    let targets = subgraph.edges(node).iter().copied().filter_map(Edge::node);
    let inside = targets.flat_map(|to| subgraph.reached(to, Some(join)));
    subgraph.instructions(inside).any(|at| barriers.get(at).copied().unwrap_or(false))
}

/// The condition code, if the instruction writes it.
fn carry(instruction: &Instruction<'_>) -> Registers {
    let writes = instruction.operands.contains(".CC") || instruction.opcode.contains(".CC");
    if writes { Registers::condition() } else { Registers::default() }
}
