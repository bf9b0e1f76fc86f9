//! What is known of the code of a routine. Each analysis takes the graph, or the results of those before it,
//! and gives a result that does not change any more.
//!
//! [`Scope`] holds the results that only depend on the shape of a subgraph; [`Function`] those for a routine.

pub(crate) mod callees;
pub(crate) mod convergence;
mod convergence_queries;
mod convergent_branches;
pub(crate) mod counts;
mod definitions;
mod dominance;
mod entries;
mod exits;
mod function;
mod group_registers;
pub(crate) mod groups;
mod known;
mod loops;
mod postdominance;
mod run;
pub(crate) mod split_passes;
mod threads;
mod uniformity;
mod variance;
pub(crate) mod waits;
mod warp_uniform;

use std::collections::HashSet;

pub(crate) use callees::FunctionId;
pub(crate) use entries::Entries;
#[cfg(test)]
pub(crate) use function::testing;
pub(crate) use function::{Function, Program, control_flow_graph};
pub(crate) use known::KnownFunctions;
pub(crate) use loops::LoopId;

use crate::flow::graph::{BlockId, ControlFlowGraph, Subgraph};
use dominance::Dominance;
use exits::Exits;
use loops::Loops;
use postdominance::PostDominance;

/// A part of a control-flow graph, with the analyses of its shape.
#[derive(Debug)]
pub(crate) struct Scope<'g> {
    pub(crate) subgraph: Subgraph<'g>,
    pub(crate) loops: Loops,
    pub(crate) dominance: Dominance,
    pub(crate) joins: PostDominance,
    pub(crate) exits: Exits,
}

impl<'g> Scope<'g> {
    /// All of a graph.
    pub(crate) fn whole(graph: &'g ControlFlowGraph) -> Self {
        Self::new(Subgraph::whole(graph))
    }

    /// One pass of a loop; see [`Subgraph::pass`].
    pub(crate) fn pass(graph: &'g ControlFlowGraph, header: BlockId, exits: &HashSet<BlockId>) -> Self {
        Self::new(Subgraph::pass(graph, header, exits))
    }

    fn new(subgraph: Subgraph<'g>) -> Self {
        let loops = Loops::new(&subgraph);
        let dominance = Dominance::new(&subgraph, &loops);
        let joins = PostDominance::new(&subgraph);
        let exits = Exits::new(&subgraph);
        Self { subgraph, loops, dominance, joins, exits }
    }
}
