//! What is known of the code of a routine. Each analysis takes the graph, or the results of those before it,
//! and gives a result that does not change any more.
//!
//! [`Scope`] holds the results that only depend on the shape of a subgraph; [`Function`] those for a routine.

// Layers: a module uses only those of the groups above its own.
pub(crate) mod callees;
mod convergence_queries;
mod definitions;
mod exits;
mod group_registers;
mod loops;
mod postdominance;
pub(crate) mod split_passes;
mod warp_uniform;

mod convergent_branches;
pub(crate) mod counts;
mod dominance;
mod entries;
mod variance;

mod known;
mod uniformity;

mod function;

pub(crate) mod convergence;
pub(crate) mod waits;

pub(crate) mod groups;
mod threads;

mod run;

use std::collections::HashSet;

pub(crate) use callees::FunctionId;
pub(crate) use entries::Entries;
#[cfg(test)]
pub(crate) use function::testing;
pub(crate) use function::{Function, Program, control_flow_graph};
pub(crate) use known::{KnownFunctions, ListingWith};
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
