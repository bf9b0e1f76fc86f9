//! Registers that a loop with a count changes: from the second pass on they lie no further from their first value than so many
//! passes may add.
//!
//! An interval alone loses this: in `do { r += 32; } while (--k != 0)` the interval of r grows in each pass, and nothing stops it. So
//! the analysis runs a second time, with what the counts of the first one say. In each pass r gets a number of [s, s'] more, and
//! no thread passes the header more than n times each time it comes to the loop. So at the header r is its value outside of the
//! loop and the sum of no more than n - 1 such numbers, each time that a thread comes there.

use std::collections::HashSet;

use crate::closure::closure;
use crate::flow::analysis::Scope;
use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::ranges::State;
use crate::flow::graph::{BlockId, ControlFlowGraph};
use crate::interval::{Interval, Value};
use crate::routine::Routine;

/// Functions with more blocks than this are analysed once: to find their loops would take long.
const MOST_BLOCKS: usize = 400;

/// A loop with a count, and what its passes make of registers.
#[derive(Debug)]
pub(super) struct Counted<'a> {
    header: BlockId,
    inside: HashSet<BlockId>,
    /// The register, its bits, what all passes but the first may add to it, and what is known of it at the header without that.
    registers: Vec<(&'a str, u32, Interval, Option<Value>)>,
}

impl<'a> Counted<'a> {
    /// The loops of a routine that have a count and change registers by numbers that are known. `whole` is all of its graph.
    pub(super) fn all(routine: &Routine<'a>, whole: &Scope<'_>, numbers: &Numbers<'a>) -> Vec<Self> {
        let graph = whole.subgraph.graph();
        if graph.len() > MOST_BLOCKS {
            return vec![];
        }
        graph.ids().filter_map(|header| Self::of((routine, whole), numbers, header)).collect()
    }

    fn of(
        (routine, whole): (&Routine<'a>, &Scope<'_>),
        numbers: &Numbers<'a>,
        header: BlockId,
    ) -> Option<Self> {
        let graph = whole.subgraph.graph();
        let inside = natural(graph, header)?;
        let behind = inside.iter().flat_map(|&block| &graph[block].successors).copied();
        let exits: HashSet<BlockId> = behind.filter(|to| !inside.contains(to)).collect();
        let pass = Scope::pass(graph, header, &exits);
        // No path of the function comes to a block that is none of its nodes.
        whole.subgraph.node_of(header)?;
        let counted = CountedLoop::new(routine, &pass);
        let most = counted.tests(numbers)?.most;
        let passes = Interval::new(0, i128::from(most.saturating_sub(1)));
        let registers = counted.steps(numbers).into_iter().filter_map(|(register, bits, step)| {
            let more = step.with_ends([None; 2]).times(passes)?.with_ends([None; 2]);
            Some((register, bits, more, numbers.ranges.before.get(&header)?.register(register)))
        });
        let registers: Vec<_> = registers.collect();
        (!registers.is_empty()).then_some(Self { header, inside, registers })
    }

    /// The state that comes to a block: to the header from outside with all that the passes add, and from inside with no more than
    /// is known there.
    pub(super) fn limited(
        &self,
        mut state: State<'a>,
        [from, to]: [BlockId; 2],
        known: Option<&State<'a>>,
    ) -> State<'a> {
        if to != self.header {
            return state;
        }
        for &(register, bits, more, before) in &self.registers {
            let value = if self.inside.contains(&from) {
                known.and_then(|known| known.register(register))
            } else {
                let own = state.register(register).filter(|own| own.bits >= bits);
                let sum = own
                    .and_then(|own| Value::new(bits, Value::new(bits, own.modular())?.modular().plus(more)?));
                // A test that every pass makes may tell more than their number.
                match (sum, before) {
                    (Some(sum), Some(before)) => sum.narrowed(before).or(Some(sum)),
                    (sum, before) => sum.or(before),
                }
            };
            state.give(register, value);
        }
        state
    }
}

/// The blocks of the loop that a header dominates; none if it is no header of such a loop.
fn natural(graph: &ControlFlowGraph, header: BlockId) -> Option<HashSet<BlockId>> {
    let successors = |block: BlockId, open: &mut Vec<BlockId>| {
        open.extend(graph[block].successors.iter().filter(|&&to| to != header));
        Some(())
    };
    let around = if header == BlockId::ENTRY { vec![] } else { closure([BlockId::ENTRY], successors)? };
    let around: HashSet<BlockId> = around.into_iter().collect();
    let comes = |to: BlockId| graph.predecessors(to).iter().copied();
    let back: Vec<BlockId> = comes(header).filter(|from| !around.contains(from)).collect();
    if back.is_empty() {
        return None;
    }
    let found = closure(back, |block, open| {
        if block != header {
            open.extend(comes(block));
        }
        Some(())
    })?;
    // A block from which the header is reached only through blocks outside would make it no natural loop.
    let found: HashSet<BlockId> = found.into_iter().chain([header]).collect();
    found.iter().all(|block| !around.contains(block)).then_some(found)
}
