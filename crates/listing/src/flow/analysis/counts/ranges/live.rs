//! Which registers of PTX may still be read from a block on.
//!
//! A routine has as many registers as it likes, most of which mean something to a few instructions. States that kept all of them would
//! grow with the routine, and the time of the analysis with its square.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::flow::analysis::counts::effect::Source;
use crate::flow::analysis::counts::ranges::state::State;
use crate::flow::analysis::definitions::writes_all;
use crate::flow::graph::{BlockId, ControlFlowGraph};
use crate::routine::Routine;
use warpspan_isa::ptx_names::{read, written};

/// By block: the registers that some instruction from its beginning on reads before anything writes all of them.
#[derive(Debug)]
pub(crate) struct Live<'a>(HashMap<BlockId, HashSet<&'a str>>);

impl<'a> Live<'a> {
    pub(crate) fn new(routine: &Routine<'a>, graph: &ControlFlowGraph) -> Self {
        let mut all: HashMap<BlockId, HashSet<&'a str>> = HashMap::new();
        let mut open: BTreeSet<BlockId> = graph.ids().collect();
        while let Some(block) = open.pop_last() {
            let mut live = HashSet::new();
            graph[block].successors.iter().for_each(|to| live.extend(all.get(to).into_iter().flatten()));
            for at in graph[block].instructions.clone().rev() {
                let instruction = &routine.instructions[at];
                if writes_all(instruction) {
                    written(instruction).into_iter().for_each(|name| _ = live.remove(name));
                }
                live.extend(read(instruction).chain(instruction.guard.map(|guard| guard.register)));
            }
            if all.get(&block) != Some(&live) {
                all.insert(block, live);
                open.extend(graph.predecessors(block));
            }
        }
        Self(all)
    }

    /// What is known before a block, of what may be asked for from there on.
    pub(super) fn keep(&self, block: BlockId, state: &mut State<'a>) {
        let Some(live) = self.0.get(&block) else { return };
        let mut open: Vec<&'a str> = live.iter().copied().collect();
        let mut kept = HashSet::new();
        while let Some(name) = open.pop() {
            if kept.insert(name) {
                state.related(name, &mut open);
            }
        }
        state.keep(&kept);
    }
}

impl<'a> State<'a> {
    /// Adds the registers of which something is said by what is known of one.
    fn related(&self, name: &str, found: &mut Vec<&'a str>) {
        let factors = self.halves.get(name).and_then(|(part, _)| part.factors());
        found.extend(factors.into_iter().flatten().filter_map(|term| term.register()));
        if let Some(follows) = self.predicates.get(name) {
            for one in follows.truth.iter().chain(&follows.falsity) {
                found.extend([one.left, one.right].into_iter().filter_map(|term| match term.source {
                    Source::Register(name) => Some(name),
                    _ => None,
                }));
            }
        }
    }

    /// Forgets all registers but these.
    fn keep(&mut self, kept: &HashSet<&'a str>) {
        self.registers.retain(|name, _| kept.contains(name));
        self.predicates.retain(|name, _| kept.contains(name));
        self.remainders.retain(|name| kept.contains(name));
        self.halves.retain(|name, _| kept.contains(name));
        self.sums.retain(|name| kept.contains(name));
    }
}
