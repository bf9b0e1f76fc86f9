//! Which edges of one pass of a loop come back to the header, and which leave.

use petgraph::Direction::Incoming;

use crate::flow::graph::{Edge, Node, PerNode, Subgraph};

/// What can be reached from each node of one pass.
#[derive(Debug)]
pub(crate) struct Exits {
    comes_back: PerNode<bool>,
    leaves: PerNode<bool>,
}

impl Exits {
    pub(crate) fn new(subgraph: &Subgraph<'_>) -> Self {
        let comes_back = reaching(subgraph, |node| subgraph.edges(node).contains(&Edge::Back));
        let goes_out = reaching(subgraph, |node| subgraph.edges(node).contains(&Edge::Out));
        // A node that can do neither only ends.
        let leaves = reaching(subgraph, |node| goes_out[node] || !comes_back[node]);
        Self { comes_back, leaves }
    }

    /// Whether threads that take this edge may come to the header of the loop again.
    pub(crate) fn comes_back(&self, edge: Edge) -> bool {
        match edge {
            Edge::To(node) => self.comes_back[node],
            Edge::Back => true,
            Edge::Out | Edge::End => false,
        }
    }

    /// Whether threads that take this edge may issue something and not come to the header again: they leave
    /// the loop, or go on to an end of the routine. An edge to the end itself is not meant.
    pub(crate) fn leaves(&self, edge: Edge) -> bool {
        match edge {
            Edge::To(node) => self.leaves[node],
            Edge::Out => true,
            Edge::Back | Edge::End => false,
        }
    }
}

/// The nodes from which one of some nodes can be reached.
fn reaching(subgraph: &Subgraph<'_>, such: impl Fn(Node) -> bool) -> PerNode<bool> {
    let mut found = subgraph.per_node(|_| false);
    let mut open: Vec<Node> = subgraph.nodes().filter(|&node| such(node)).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut found[node], true) {
            let before = subgraph.arcs().neighbors_directed(node.arc_index(), Incoming);
            open.extend(before.filter_map(|index| subgraph.node_at(index)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::graph::{BlockId, ControlFlowGraph};
    use std::collections::HashSet;

    #[test]
    fn back_out_and_to_an_end() {
        // From the header 0: 1 comes back, 2 leaves to 4, 3 only ends.
        let graph = ControlFlowGraph::of_successors(&[&[1, 2, 3], &[0], &[0, 4], &[], &[]]);
        let pass = Subgraph::pass(&graph, BlockId::ENTRY, &HashSet::from([graph.id(4)]));
        let exits = Exits::new(&pass);
        let edge = |block: usize| Edge::To(pass.node_of(graph.id(block)).unwrap());
        let of = |edge: Edge| (exits.comes_back(edge), exits.leaves(edge));
        assert_eq!(of(edge(1)), (true, false));
        assert_eq!(of(edge(2)), (true, true));
        assert_eq!(of(edge(3)), (false, true));
        assert_eq!(
            (of(Edge::Back), of(Edge::Out), of(Edge::End)),
            ((true, false), (false, true), (false, false))
        );
    }
}
