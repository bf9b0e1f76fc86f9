//! The analysis is run until nothing changes any more.

use std::collections::{BTreeSet, HashMap};

use crate::flow::analysis::Function;
use crate::flow::analysis::convergence::reconvergence_block;
use crate::flow::analysis::convergent_branches::Together;
use crate::flow::analysis::threads::Threads;
use crate::flow::graph::{BlockId, Edge, Node};
use warpspan_isa::effects::Registers;
use warpspan_isa::instruction::Flow;
use warpspan_isa::row::Fact;

impl Threads<'_, '_> {
    /// Looks at the blocks until nothing changes any more.
    pub(super) fn solve(
        &mut self,
        barriers: &Together<'_, '_>,
        all_lanes: &Together<'_, '_>,
        shuffles: &[bool],
    ) {
        let graph = self.function.graph;
        let mut open = BTreeSet::from([BlockId::ENTRY]);
        while let Some(block) = open.pop_first() {
            let number = block.index();
            let Some(mut state) = self.before[number] else { continue };
            let contents = &graph[block];
            let last = contents.last();
            for at in contents.first()..last {
                self.step(&mut state, block, at);
            }
            let instruction = &self.function.routine.instructions[last];
            let uniform = self.function.uniform_at(last) || state.decides(instruction) || self.decides(block);
            let asks = instruction.asks_for_warp();
            let for_all =
                state.decides_for_all(instruction) && !asks && !self.group_registers.reads(instruction);
            let for_all = for_all || self.decides(block) || !self.apart[number];
            self.step(&mut state, block, last);
            if contents.successors.len() > 1 && !uniform && !self.parts[number] {
                if barriers.decides(block) {
                    self.decides_barrier[number] = true;
                } else if all_lanes.decides(block) && one_way_waits_for_none(self.function, block, shuffles) {
                    self.decides_shuffle[number] = true;
                } else {
                    self.parts[number] = true;
                    self.part(block, &mut open);
                }
            } else if contents.successors.len() > 1 && !for_all && !self.by_group[number] {
                self.by_group[number] = true;
                self.lose_on_ways(block, &mut open);
            }
            for &to in &contents.successors {
                let mut along = match instruction.flow {
                    Flow::Branch(target) if contents.successors.len() == 2 => {
                        state.along(instruction, graph[to].first() == target)
                    }
                    // Those that go on have not ended.
                    Flow::End => state.along(instruction, false),
                    _ => state,
                };
                along.lose(self.lost[to.index()]);
                along.together = along.same;
                let before = &mut self.before[to.index()];
                let joined = Some(before.map_or(along, |known| known.joined(&along)));
                if *before != joined {
                    *before = joined;
                    open.insert(to);
                }
            }
        }
    }

    /// Notes that threads may have diverged in a block; whether that was not known.
    pub(super) fn set_apart(&mut self, block: BlockId) -> bool {
        let is_new = !std::mem::replace(&mut self.apart[block.index()], true);
        for at in self.function.graph[block].instructions.clone().filter(|_| is_new) {
            self.group_registers.note(&self.function.routine.instructions[at]);
        }
        is_new
    }

    /// Notes that threads may have diverged behind an instruction, up to where they wait for each other. The result
    /// are the blocks of which that was not known.
    pub(super) fn go_apart(&mut self, node: Node, at: usize) -> Vec<BlockId> {
        let whole = &self.function.whole;
        let place = reconvergence_block(self.function, whole, (node, at), whole.joins.join(node)).ok();
        let targets = whole.subgraph.edges(node).iter().copied().filter_map(Edge::node);
        let inside = targets.flat_map(|to| whole.subgraph.reached(to, place));
        let mut found: Vec<BlockId> = inside.map(|node| whole.subgraph.block_id(node)).collect();
        found.retain(|&block| self.set_apart(block));
        found
    }

    /// Notes that a block may diverge.
    fn part(&mut self, block: BlockId, open: &mut BTreeSet<BlockId>) {
        let subgraph = &self.function.whole.subgraph;
        let Some(node) = subgraph.node_of(block) else { return };
        let extent = self.group_registers.extent();
        open.extend(self.go_apart(node, subgraph.block(node).last()));
        if self.group_registers.extent() != extent {
            // What was found where threads have diverged may hang on uniform registers that are now written there.
            let graph = self.function.graph;
            open.extend(graph.blocks().map(|(id, _)| id).filter(|id| self.apart[id.index()]));
        }
        self.lose_on_ways(block, open);
    }

    /// Makes vary what is written between a block, whose paths are not taken by all alike, and its join.
    fn lose_on_ways(&mut self, block: BlockId, open: &mut BTreeSet<BlockId>) {
        let subgraph = &self.function.whole.subgraph;
        let Some(node) = subgraph.node_of(block) else { return };
        let join = self.function.whole.joins.join(node);
        let targets: Vec<Node> = subgraph.edges(node).iter().copied().filter_map(Edge::node).collect();
        let paths: Vec<Vec<Node>> = targets.iter().map(|&to| subgraph.reached(to, join)).collect();
        let mut count: HashMap<Node, usize> = HashMap::new();
        for &inside in paths.iter().flatten() {
            *count.entry(inside).or_default() += 1;
        }
        let written = count.keys().map(|&inside| self.written[subgraph.block_id(inside).index()]);
        let written = written.fold(Registers::default(), Registers::with);
        let meets = count.iter().filter(|&(_, &paths)| paths > 1).map(|(&inside, _)| inside);
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

/// Whether some path from a block to its join has a shuffle of all lanes, and another has no instruction for which lanes wait for one
/// another. Where each path has one, they might be meant to serve each other.
fn one_way_waits_for_none(function: &Function<'_, '_>, block: BlockId, shuffles: &[bool]) -> bool {
    let subgraph = &function.whole.subgraph;
    let Some(node) = subgraph.node_of(block) else { return false };
    let Some(join) = function.whole.joins.join(node) else { return false };
    let targets = subgraph.edges(node).iter().copied().filter_map(Edge::node);
    let paths: Vec<Vec<Node>> = targets.map(|to| subgraph.reached(to, Some(join))).collect();
    let has =
        |path: &[Node], such: &dyn Fn(usize) -> bool| subgraph.instructions(path.iter().copied()).any(such);
    let waits = |at: usize| {
        let instruction = &function.routine.instructions[at];
        instruction.has(Fact::Lanes) || instruction.is_warp_sync() || function.callee(at).is_some()
    };
    paths.iter().any(|path| has(path, &|at| shuffles[at])) && paths.iter().any(|path| !has(path, &waits))
}
