//! Postdominance: where the paths from a node join.
//!
//! The *join* of a node is its immediate postdominator, the nearest node that every path from it to the end
//! of the subgraph passes. The end of the routine counts as an end of the subgraph only for nodes that have
//! no other edge, or where paths join at it: threads that end do not keep the others from coming together.

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::flow::graph::{Edge, Node, PerNode, Subgraph};

/// The joins of the nodes of a subgraph.
#[derive(Debug)]
pub(crate) struct PostDominance {
    join: PerNode<Option<Node>>,
    ends: PerNode<bool>,
}

impl PostDominance {
    pub(crate) fn new(subgraph: &Subgraph<'_>) -> Self {
        Self::with_ends(subgraph, |node| subgraph.block(node).joins_at_end)
    }

    /// The joins if the end of the routine also counts for such nodes, whatever other edges they have.
    pub(crate) fn with_ends(subgraph: &Subgraph<'_>, counts: impl Fn(Node) -> bool) -> Self {
        let end = subgraph.next_pass();
        let mut reversed = DiGraph::<(), ()>::new();
        (0..=end.index()).for_each(|_| _ = reversed.add_node(()));
        for from in subgraph.nodes() {
            let edges = subgraph.edges(from);
            let end_counts = edges.len() == 1 || counts(from);
            for edge in edges {
                match edge {
                    Edge::To(to) => _ = reversed.add_edge(to.arc_index(), from.arc_index(), ()),
                    Edge::End if !end_counts => {}
                    Edge::Back | Edge::Out | Edge::End => {
                        _ = reversed.add_edge(end, from.arc_index(), ());
                    }
                }
            }
        }
        let ends =
            |tree: &Dominators<NodeIndex>, node: Node| tree.immediate_dominator(node.arc_index()).is_some();
        let mut tree = simple_fast(&reversed, end);
        // From these nodes nothing but the end of the routine is left to go to.
        let only_end = |&node: &Node| !ends(&tree, node) && subgraph.edges(node).contains(&Edge::End);
        let only_end: Vec<Node> = subgraph.nodes().filter(only_end).collect();
        if !only_end.is_empty() {
            for node in only_end {
                reversed.add_edge(end, node.arc_index(), ());
            }
            tree = simple_fast(&reversed, end);
        }
        let join =
            |node: Node| tree.immediate_dominator(node.arc_index()).and_then(|at| subgraph.node_at(at));
        Self { join: subgraph.per_node(join), ends: subgraph.per_node(|node| ends(&tree, node)) }
    }

    /// The join of a node; none if that is the end of the subgraph.
    pub(crate) fn join(&self, node: Node) -> Option<Node> {
        self.join[node]
    }

    /// Whether any path from the node ends.
    pub(crate) fn can_end(&self, node: Node) -> bool {
        self.ends[node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::graph::ControlFlowGraph;

    /// The join of each block, in the order of the blocks; `None` at the end.
    fn joins(successors: &[&[usize]]) -> Vec<Option<usize>> {
        let graph = ControlFlowGraph::of_successors(successors);
        let whole = Subgraph::whole(&graph);
        let joins = PostDominance::new(&whole);
        let join = |block: usize| joins.join(whole.node_of(graph.id(block)).unwrap());
        let number = |node: Node| whole.block_id(node).index();
        (0..successors.len()).map(|block| join(block).map(number)).collect()
    }

    #[test]
    fn a_diamond_joins_although_threads_end_on_one_side() {
        assert_eq!(joins(&[&[1, 2], &[3], &[3], &[]]), [Some(3), Some(3), Some(3), None]);
        assert_eq!(joins(&[&[1, 2], &[3, 9], &[3], &[]]), [Some(3), Some(3), Some(3), None]);
        // A side that only ends does count.
        assert_eq!(joins(&[&[1, 2], &[], &[3], &[]]), [None, None, Some(3), None]);
    }

    #[test]
    fn a_loop_that_threads_leave_by_ending_only() {
        // Without the end of node 1 no path from the loop would end.
        assert_eq!(joins(&[&[1], &[0, 9]]), [Some(1), None]);
    }

    #[test]
    fn a_loop_without_a_way_out() {
        let graph = ControlFlowGraph::of_successors(&[&[1, 2], &[1], &[]]);
        let whole = Subgraph::whole(&graph);
        let joins = PostDominance::new(&whole);
        let can_end = |block: usize| joins.can_end(whole.node_of(graph.id(block)).unwrap());
        assert_eq!([can_end(0), can_end(1), can_end(2)], [true, false, true]);
    }
}
