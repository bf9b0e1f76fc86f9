//! Counters of a loop, and the tests that leave it.

pub(crate) mod comparisons;
pub(crate) mod held;
pub(crate) mod origins;
mod tested;
mod words;

use std::cell::{Cell, LazyCell};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use crate::flow::analysis::Scope;
use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::held::Held;
use crate::flow::analysis::counts::ranges::State;
use crate::flow::analysis::counts::recurrence::Tests;
use crate::flow::graph::{BlockId, ControlFlowGraph, Edge, Node};
use crate::interval::{Interval, Value};
use crate::routine::Routine;

/// A count from here on is right, but no code means it: a counter goes once around, or a number is not what
/// the user thinks. To ask for a bound is of more use.
pub(super) const MOST_PASSES: u64 = 1 << 30;

/// How many operands and conditions of a loop are followed to their origins. Each has several operands or conditions of its own,
/// so that there are exponentially many within the longest chain.
const MOST_SEARCHED: u32 = 100_000;

/// A loop whose passes are to be counted.
pub(crate) struct CountedLoop<'a, 's> {
    pub(crate) routine: &'s Routine<'a>,
    /// One pass of the loop.
    pub(crate) pass: &'s Scope<'s>,
    /// The operands and conditions whose origins were looked for.
    searched: Cell<u32>,
}

impl<'a, 's> CountedLoop<'a, 's> {
    pub(crate) fn new(routine: &'s Routine<'a>, pass: &'s Scope<'s>) -> Self {
        Self { routine, pass, searched: Cell::new(0) }
    }

    /// The routine, and its graph.
    pub(super) fn place(&self) -> (&'s Routine<'a>, &'s ControlFlowGraph) {
        (self.routine, self.pass.subgraph.graph())
    }

    /// Whether one more origin may be looked for. What is not looked for gives no count.
    pub(super) fn may_search(&self) -> bool {
        self.searched.set(self.searched.get().saturating_add(1));
        self.searched.get() <= MOST_SEARCHED
    }
}

impl<'a> CountedLoop<'a, '_> {
    /// How often the header is passed at most: the least count of all tests that have one, or else what following the passes one
    /// after the other, or each path of a pass by itself, shows. It follows from the numbers and the pass alone, so that it is looked
    /// for once, however often the loop is reached.
    pub(crate) fn trip_count(&self, numbers: &Numbers<'a>) -> Option<Tests> {
        if !numbers.ranges.complete {
            return None;
        }
        let pass = self.pass.subgraph.shape();
        if let Some(&known) = numbers.trip_counts.borrow().get(&pass) {
            return known;
        }
        let before = LazyCell::new(|| self.before_the_loop(numbers));
        let found = self.tests(numbers).or_else(|| {
            let before = before.as_ref()?;
            let words = self.of_words(numbers, before).filter(|tests| tests.most < MOST_PASSES);
            words.or_else(|| self.of_paths(numbers, before))
        });
        // Where passes change a counter by different numbers, it may reach its limit long before the smallest of these would bring it there.
        let varies = || self.steps(numbers).iter().any(|(_, _, by)| by.only().is_none());
        let is_close =
            found.is_some_and(|tests| tests.least == tests.most || tests.formula.is_some() || !varies());
        let followed =
            if is_close { None } else { before.as_ref().and_then(|before| self.successive(numbers, before)) };
        let found = found.into_iter().chain(followed).min();
        numbers.trip_counts.borrow_mut().insert(pass, found);
        found
    }

    /// The least count of all tests that have one. There are no fewer than it says if it is that of the only test that leaves the loop.
    pub(super) fn tests(&self, numbers: &Numbers<'a>) -> Option<Tests> {
        let Some(before) = self.before_the_loop(numbers) else {
            return Some(Tests::at_most(1)); // no thread reaches it
        };
        let of_test = |node: Node| self.passes_of_test(numbers, &before, node);
        let least = self.pass.subgraph.nodes().filter_map(of_test).min();
        least.filter(|tests| tests.most < MOST_PASSES || tests.formula.is_some())
    }

    /// The registers to which each pass adds a number, with their bits and the interval of the number.
    pub(super) fn steps(&self, numbers: &Numbers<'a>) -> Vec<(&'a str, u32, Interval)> {
        let writes = self.inside().flat_map(|at| &numbers.ranges.effects[at].writes);
        let of_header = self.read_of_header(numbers);
        let is_read = |name: &str| of_header.as_ref().is_none_or(|all| all.contains(name));
        let names: BTreeMap<&'a str, u32> =
            writes.map(|write| (write.register, write.bits)).filter(|(name, _)| is_read(name)).collect();
        let step = |(name, bits): (&'a str, u32)| {
            if numbers.untracked.contains(name) {
                return None;
            }
            match self.next(numbers, name, bits)? {
                Held::Linear { factor: 1, plus, .. } => {
                    // The number that is added is known modulo 2 to the number of bits: as one with a sign.
                    Some((name, bits, Value::new(bits, plus)?.modular()))
                }
                _ => None,
            }
        };
        names.into_iter().filter_map(step).collect()
    }

    /// The registers whose values at the header an instruction of an iteration may read: it reads them before anything in its block writes
    /// them. No other register gets a new value that depends on its own at the header. None if an instruction computes a part of a product,
    /// which does not name all that it depends on.
    fn read_of_header(&self, numbers: &Numbers<'a>) -> Option<HashSet<&'a str>> {
        let mut read = HashSet::new();
        for node in self.pass.subgraph.nodes() {
            let mut written = HashSet::new();
            for at in self.pass.subgraph.block(node).instructions.clone() {
                let effect = &numbers.ranges.effects[at];
                for write in &effect.writes {
                    read.extend(write.reads()?.into_iter().filter(|name| !written.contains(name)));
                }
                // An instruction that may write anything leaves no register as it was.
                if effect.everything {
                    break;
                }
                written.extend(effect.writes.iter().map(|write| write.register));
            }
        }
        Some(read)
    }

    /// The block at which a pass begins.
    pub(crate) fn header(&self) -> BlockId {
        self.pass.subgraph.block_id(Node::ENTRY)
    }

    /// What is known where control reaches the loop from outside; none if no thread does.
    pub(crate) fn before_the_loop(&self, numbers: &Numbers<'a>) -> Option<State<'a>> {
        let (place, header) = (self.place(), self.header());
        let mut known: Option<State<'a>> = (header == BlockId::ENTRY).then(State::default);
        for &from in place.1.predecessors(header).iter().filter(|&&from| !self.is_inside(from)) {
            let state = numbers.ranges.between(place, (from, Some(header)), &numbers.untracked);
            known = match (known, state) {
                (Some(known), Some(state)) => Some(numbers.ranges.joined(&known, &state, |_, new| Some(new))),
                (known, state) => known.or(state),
            };
        }
        known
    }

    /// Whether a block is one from which a pass may come back to the header.
    pub(crate) fn is_inside(&self, block: BlockId) -> bool {
        self.pass.subgraph.node_of(block).is_some_and(|node| self.pass.exits.comes_back(Edge::To(node)))
    }

    /// The state before an instruction of a pass.
    pub(crate) fn state(&self, numbers: &Numbers<'a>, at: usize) -> Option<Rc<State<'a>>> {
        let block = self.pass.subgraph.block_id(self.pass.subgraph.node_holding(at)?);
        numbers.ranges.at(self.place(), block, at, &numbers.untracked)
    }

    /// Whether the loop goes on if control goes to a block.
    pub(crate) fn goes_on(&self, block: Option<BlockId>) -> bool {
        let subgraph = &self.pass.subgraph;
        let edge = match block {
            Some(block) if block == subgraph.block_id(Node::ENTRY) => Edge::Back,
            Some(block) => subgraph.node_of(block).map_or(Edge::Out, Edge::To),
            None => Edge::End,
        };
        self.pass.exits.comes_back(edge)
    }

    /// The instructions of all blocks from which a pass may come back.
    pub(crate) fn inside(&self) -> impl Iterator<Item = usize> {
        let nodes = self.pass.subgraph.nodes();
        let inside = nodes.filter(|&node| self.pass.exits.comes_back(Edge::To(node)));
        self.pass.subgraph.instructions(inside)
    }
}

#[cfg(test)]
mod tests;
