//! Dominance: what every pass of a loop passes on its way.

use petgraph::algo::dominators::simple_fast;

use crate::flow::analysis::loops::Loops;
use crate::flow::graph::{Node, PerNode, Subgraph};

/// What the dominators of a subgraph say.
#[derive(Debug)]
pub(crate) struct Dominance {
    once_a_pass: PerNode<bool>,
}

impl Dominance {
    pub(crate) fn new(subgraph: &Subgraph<'_>, loops: &Loops) -> Self {
        let tree = simple_fast(subgraph.arcs(), Node::ENTRY.arc_index());
        let mut once_a_pass = subgraph.per_node(|_| false);
        for index in tree.strict_dominators(subgraph.next_pass()).into_iter().flatten() {
            if let Some(node) = subgraph.node_at(index) {
                once_a_pass[node] = loops.around(node).is_none();
            }
        }
        Self { once_a_pass }
    }

    /// Whether every pass that comes back to the header passes the node, and just once.
    pub(crate) fn once_a_pass(&self, node: Node) -> bool {
        self.once_a_pass[node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::graph::{BlockId, ControlFlowGraph};
    use std::collections::HashSet;

    #[test]
    fn what_a_pass_has_once() {
        // The header 0 goes to 1 or 2, both to 3, which is a loop of its own, and then to 4, which comes back
        // to 0.
        let graph = ControlFlowGraph::of_successors(&[&[1, 2], &[3], &[3], &[3, 4], &[0, 5], &[]]);
        let pass = Subgraph::pass(&graph, BlockId::ENTRY, &HashSet::from([graph.id(5)]));
        let dominance = Dominance::new(&pass, &Loops::new(&pass));
        let node = |block: usize| pass.node_of(graph.id(block)).unwrap();
        let once: Vec<bool> = (0..5).map(|block| dominance.once_a_pass(node(block))).collect();
        assert_eq!(once, [true, false, false, false, true]);
    }
}
