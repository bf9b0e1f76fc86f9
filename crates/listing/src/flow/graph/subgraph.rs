//! A part of a control-flow graph: all of it, or one pass of a loop.
//!
//! One pass begins at the header of the loop and ends where control comes to the header again or leaves the
//! loop. The blocks of the part are its *nodes*; node 0 is its entry.

use std::collections::{HashMap, HashSet};
use std::ops::{Index, IndexMut, Range};

use petgraph::graph::{DiGraph, NodeIndex};

use crate::flow::graph::{BasicBlock, BlockId, ControlFlowGraph};

/// A block of a subgraph, by its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(usize);

impl Node {
    /// Where control enters the subgraph: the header of the loop, if it is one pass of a loop.
    pub(crate) const ENTRY: Self = Self(0);

    /// The same node among the [`Subgraph::arcs`].
    pub(crate) fn arc_index(self) -> NodeIndex {
        NodeIndex::new(self.0)
    }
}

/// Where an edge of a subgraph leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Edge {
    /// To a node of the subgraph.
    To(Node),
    /// To the header of the loop, where the next pass begins.
    Back,
    /// Out of the loop.
    Out,
    /// To the end of the routine.
    End,
}

impl Edge {
    /// The node that it leads to, if that is in the subgraph.
    pub(crate) const fn node(self) -> Option<Node> {
        if let Self::To(node) = self { Some(node) } else { None }
    }
}

/// A value for each node of a subgraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PerNode<T>(Vec<T>);

impl<T> Index<Node> for PerNode<T> {
    type Output = T;

    fn index(&self, node: Node) -> &T {
        &self.0[node.0]
    }
}

impl<T> IndexMut<Node> for PerNode<T> {
    fn index_mut(&mut self, node: Node) -> &mut T {
        &mut self.0[node.0]
    }
}

/// The blocks of a part in their order, and the edges out of each.
pub(crate) type Shape = (Vec<BlockId>, Vec<Vec<Edge>>);

/// The blocks that are reached from an entry without passing the edges that end the part.
#[derive(Debug)]
pub(crate) struct Subgraph<'g> {
    graph: &'g ControlFlowGraph,
    blocks: Vec<BlockId>,
    edges: Vec<Vec<Edge>>,
    nodes: HashMap<BlockId, Node>,
    is_pass: bool,
    arcs: DiGraph<(), ()>,
}

impl<'g> Subgraph<'g> {
    /// All of a graph.
    pub(crate) fn whole(graph: &'g ControlFlowGraph) -> Self {
        Self::new(graph, BlockId::ENTRY, false, &HashSet::new())
    }

    /// One pass of the loop of a header. `exits` are the blocks at which it has left the loop or those around
    /// it.
    pub(crate) fn pass(graph: &'g ControlFlowGraph, header: BlockId, exits: &HashSet<BlockId>) -> Self {
        Self::new(graph, header, true, exits)
    }

    fn new(graph: &'g ControlFlowGraph, entry: BlockId, is_pass: bool, exits: &HashSet<BlockId>) -> Self {
        let mut blocks = vec![entry];
        let mut nodes = HashMap::from([(entry, Node::ENTRY)]);
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        while let Some(&block) = blocks.get(edges.len()) {
            let mut list: Vec<Edge> = Vec::new();
            for &to in &graph[block].successors {
                let edge = if is_pass && to == entry {
                    Edge::Back
                } else if exits.contains(&to) {
                    Edge::Out
                } else {
                    Edge::To(*nodes.entry(to).or_insert_with(|| {
                        blocks.push(to);
                        Node(blocks.len() - 1)
                    }))
                };
                if !list.contains(&edge) {
                    list.push(edge);
                }
            }
            if graph[block].ends {
                list.push(Edge::End);
            }
            edges.push(list);
        }
        let arcs = arcs(&edges);
        Self { graph, blocks, edges, nodes, is_pass, arcs }
    }

    /// All that the part is, but for the graph: parts of one graph that have the same shape are the same.
    pub(crate) fn shape(&self) -> Shape {
        (self.blocks.clone(), self.edges.clone())
    }

    /// The graph that this is a part of.
    pub(crate) const fn graph(&self) -> &'g ControlFlowGraph {
        self.graph
    }

    /// Whether it is one pass of a loop.
    pub(crate) const fn is_pass(&self) -> bool {
        self.is_pass
    }

    /// Its nodes; the entry is the first.
    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + use<> {
        (0..self.blocks.len()).map(Node)
    }

    /// A table with a value for each node.
    pub(crate) fn per_node<T>(&self, value: impl FnMut(Node) -> T) -> PerNode<T> {
        PerNode(self.nodes().map(value).collect())
    }

    /// The number of the block of a node.
    pub(crate) fn block_id(&self, node: Node) -> BlockId {
        self.blocks[node.0]
    }

    /// The block of a node.
    pub(crate) fn block(&self, node: Node) -> &'g BasicBlock {
        &self.graph[self.blocks[node.0]]
    }

    /// The edges out of a node, each once.
    pub(crate) fn edges(&self, node: Node) -> &[Edge] {
        &self.edges[node.0]
    }

    /// The node of a block.
    pub(crate) fn node_of(&self, block: BlockId) -> Option<Node> {
        self.nodes.get(&block).copied()
    }

    /// The node that holds an instruction.
    pub(crate) fn node_holding(&self, instruction: usize) -> Option<Node> {
        self.node_of(self.graph.holding(instruction)?)
    }

    /// The instructions of some nodes.
    pub(crate) fn instructions(&self, nodes: impl IntoIterator<Item = Node>) -> impl Iterator<Item = usize> {
        let ranges: Vec<Range<usize>> =
            nodes.into_iter().map(|node| self.block(node).instructions.clone()).collect();
        ranges.into_iter().flatten()
    }

    /// The nodes that can be reached from one, itself included, without passing another.
    pub(crate) fn reached(&self, from: Node, without: Option<Node>) -> Vec<Node> {
        let mut seen = self.per_node(|_| false);
        let (mut found, mut open) = (Vec::new(), vec![from]);
        while let Some(node) = open.pop() {
            if Some(node) != without && !std::mem::replace(&mut seen[node], true) {
                found.push(node);
                open.extend(self.edges(node).iter().filter_map(|edge| edge.node()));
            }
        }
        found
    }

    /// Its edges for algorithms on graphs. One more node, the last, stands for the next pass: edges back lead
    /// there.
    pub(crate) const fn arcs(&self) -> &DiGraph<(), ()> {
        &self.arcs
    }

    /// The node that stands for the next pass among the [`arcs`](Self::arcs).
    pub(crate) fn next_pass(&self) -> NodeIndex {
        NodeIndex::new(self.blocks.len())
    }

    /// The node of an index of the [`arcs`](Self::arcs); none for the next pass.
    pub(crate) fn node_at(&self, index: NodeIndex) -> Option<Node> {
        (index != self.next_pass()).then_some(Node(index.index()))
    }
}

fn arcs(edges: &[Vec<Edge>]) -> DiGraph<(), ()> {
    let next_pass = NodeIndex::new(edges.len());
    let mut arcs = DiGraph::<(), ()>::new();
    (0..=edges.len()).for_each(|_| _ = arcs.add_node(()));
    for (from, list) in edges.iter().enumerate() {
        for edge in list {
            match edge {
                Edge::To(to) => _ = arcs.add_edge(NodeIndex::new(from), to.arc_index(), ()),
                Edge::Back => _ = arcs.add_edge(NodeIndex::new(from), next_pass, ()),
                Edge::Out | Edge::End => {}
            }
        }
    }
    arcs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_ends_at_the_header_and_at_the_exits() {
        // 0 -> 1 (header) -> 2 -> 1 or 3; 1 -> 4, which ends or goes to 3; 3 ends.
        let graph = ControlFlowGraph::of_successors(&[&[1], &[2, 4], &[1, 3], &[], &[3, 9]]);
        let whole = Subgraph::whole(&graph);
        assert_eq!(whole.nodes().count(), 5);
        assert!(
            !whole.is_pass()
                && whole.arcs().edges_directed(whole.next_pass(), petgraph::Incoming).count() == 0
        );
        let pass = Subgraph::pass(&graph, graph.id(1), &HashSet::from([graph.id(3)]));
        let blocks: Vec<usize> = pass.nodes().map(|node| pass.block_id(node).index()).collect();
        assert_eq!(blocks, [1, 2, 4]);
        assert_eq!(pass.edges(Node(1)), [Edge::Back, Edge::Out]);
        assert_eq!(pass.edges(Node(2)), [Edge::Out, Edge::End]);
        assert_eq!(pass.reached(Node::ENTRY, Some(Node(1))), [Node(0), Node(2)]);
        assert_eq!(pass.node_holding(4), Some(Node(2)));
        assert_eq!(pass.node_of(graph.id(3)), None);
    }
}
