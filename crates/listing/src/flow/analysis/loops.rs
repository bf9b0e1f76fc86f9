//! The outermost loops of a subgraph. Those inside of a loop are the loops of the subgraph of its one pass,
//! so that the loop tree is that of the subgraphs.

use std::collections::HashMap;

use petgraph::Direction::Incoming;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;

use crate::flow::graph::{Node, PerNode, Subgraph};

/// A loop of a subgraph: one of its strongly connected components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LoopId(usize);

/// The outermost loops of a subgraph.
#[derive(Debug)]
pub(crate) struct Loops {
    around: PerNode<Option<LoopId>>,
    entries: HashMap<LoopId, Vec<Node>>,
}

impl Loops {
    pub(crate) fn new(subgraph: &Subgraph<'_>) -> Self {
        let arcs = subgraph.arcs();
        let mut around = subgraph.per_node(|_| None);
        for (number, component) in kosaraju_scc(arcs).into_iter().enumerate() {
            let itself = |node: NodeIndex| arcs.contains_edge(node, node);
            if component.len() > 1 || component.iter().any(|&node| itself(node)) {
                for node in component.into_iter().filter_map(|index| subgraph.node_at(index)) {
                    around[node] = Some(LoopId(number));
                }
            }
        }
        let mut entries: HashMap<LoopId, Vec<Node>> = HashMap::new();
        for node in subgraph.nodes() {
            let Some(id) = around[node] else { continue };
            let before = arcs.neighbors_directed(node.arc_index(), Incoming);
            let mut before = before.filter_map(|index| subgraph.node_at(index));
            if node == Node::ENTRY || before.any(|from| around[from] != Some(id)) {
                entries.entry(id).or_default().push(node);
            }
        }
        Self { around, entries }
    }

    /// The loop that a node lies in.
    pub(crate) fn around(&self, node: Node) -> Option<LoopId> {
        self.around[node]
    }

    /// The nodes at which a loop is entered from outside. There is one if the loop is reducible.
    pub(crate) fn entries(&self, id: LoopId) -> &[Node] {
        self.entries.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Whether there is any loop.
    pub(crate) fn any(&self) -> bool {
        !self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::graph::ControlFlowGraph;
    use std::collections::HashSet;

    #[test]
    fn a_nest_is_one_loop_until_its_pass_is_looked_at() {
        // 1 is the header of a loop that holds the loop of 2 and 3.
        let graph = ControlFlowGraph::of_successors(&[&[1], &[2, 5], &[3], &[2, 4], &[1], &[]]);
        let whole = Subgraph::whole(&graph);
        let loops = Loops::new(&whole);
        let node = |block: usize| whole.node_of(graph.id(block)).unwrap();
        let id = loops.around(node(1)).unwrap();
        assert!([2, 3, 4].into_iter().all(|block| loops.around(node(block)) == Some(id)));
        assert_eq!((loops.around(node(0)), loops.around(node(5))), (None, None));
        assert_eq!(loops.entries(id), [node(1)]);

        let pass = Subgraph::pass(&graph, graph.id(1), &HashSet::from([graph.id(5)]));
        let inner = Loops::new(&pass);
        let node = |block: usize| pass.node_of(graph.id(block)).unwrap();
        let id = inner.around(node(2)).unwrap();
        assert_eq!((inner.around(node(1)), inner.around(node(3))), (None, Some(id)));
        assert_eq!(inner.entries(id), [node(2)]);
    }

    #[test]
    fn a_loop_of_two_entries_and_one_of_a_single_block() {
        let graph = ControlFlowGraph::of_successors(&[&[1, 2], &[2], &[1, 3], &[3, 4], &[]]);
        let whole = Subgraph::whole(&graph);
        let loops = Loops::new(&whole);
        let node = |block: usize| whole.node_of(graph.id(block)).unwrap();
        assert_eq!(loops.entries(loops.around(node(1)).unwrap()), [node(1), node(2)]);
        assert_eq!(loops.entries(loops.around(node(3)).unwrap()), [node(3)]);
        assert!(loops.any());
    }
}
