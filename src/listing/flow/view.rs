//! A part of the control flow graph: all of it, or one pass through a loop.

use std::collections::{HashMap, HashSet};

use petgraph::Direction::Incoming;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::listing::flow::blocks::Blocks;

/// Where an edge of a view leads. Nodes of a view are numbered from 0, the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Way {
    /// To a node of the view.
    To(usize),
    /// To the header of the loop again.
    Back,
    /// Out of the loop.
    Out,
    /// To the end of the routine.
    Exit,
}

/// The blocks reached from an entry before any of some ends.
#[derive(Debug)]
pub(super) struct View {
    /// The block of each node.
    pub(super) nodes: Vec<usize>,
    pub(super) ways: Vec<Vec<Way>>,
    local: HashMap<usize, usize>,
    pub(super) is_loop: bool,
    /// Of each node: the nearest node that every path to the end of the view passes; none for the end itself.
    pub(super) merge: Vec<Option<usize>>,
    /// Of each node: its strongly connected component, where that is a loop.
    pub(super) cycle: Vec<Option<usize>>,
    /// Nodes from which no path ends.
    pub(super) endless: Vec<usize>,
    /// Of each loop: its nodes that are entered from outside of it.
    pub(super) headers: HashMap<usize, Vec<usize>>,
    /// Of each node: whether the header of this loop can be reached, and whether what is out of it, or a node from which all ways end.
    comes_back: Vec<bool>,
    leaves: Vec<bool>,
    /// Of each node: whether every pass that comes back to the header has it, just once.
    every_pass: Vec<bool>,
    dominators: Dominators<NodeIndex>,
}

fn index(node: usize) -> NodeIndex {
    NodeIndex::new(node)
}

impl View {
    pub(super) fn new(graph: &Blocks, entry: usize, is_loop: bool, ends: &HashSet<usize>) -> Self {
        let mut nodes = vec![entry];
        let mut local = HashMap::from([(entry, 0)]);
        let mut ways: Vec<Vec<Way>> = Vec::new();
        while let Some(&block) = nodes.get(ways.len()) {
            let block = &graph.blocks[block];
            let mut list: Vec<Way> = Vec::new();
            for &to in &block.next {
                let way = if is_loop && to == entry {
                    Way::Back
                } else if ends.contains(&to) {
                    Way::Out
                } else {
                    Way::To(*local.entry(to).or_insert_with(|| {
                        nodes.push(to);
                        nodes.len() - 1
                    }))
                };
                if !list.contains(&way) {
                    list.push(way);
                }
            }
            if block.ends {
                list.push(Way::Exit);
            }
            ways.push(list);
        }
        // One more node stands for the next pass.
        let mut forward = DiGraph::<(), ()>::new();
        (0..=nodes.len()).for_each(|_| _ = forward.add_node(()));
        for (from, list) in ways.iter().enumerate() {
            for way in list {
                match way {
                    Way::To(to) => _ = forward.add_edge(index(from), index(*to), ()),
                    Way::Back => _ = forward.add_edge(index(from), index(nodes.len()), ()),
                    Way::Out | Way::Exit => {}
                }
            }
        }
        let mut cycle = vec![None; nodes.len()];
        for (number, component) in kosaraju_scc(&forward).into_iter().enumerate() {
            let itself = |node: NodeIndex| forward.contains_edge(node, node);
            if component.len() > 1 || component.iter().any(|&node| itself(node)) {
                component.into_iter().for_each(|node| cycle[node.index()] = Some(number));
            }
        }
        let mut headers: HashMap<usize, Vec<usize>> = HashMap::new();
        for node in 0..nodes.len() {
            let Some(number) = cycle[node] else { continue };
            let mut before = forward.neighbors_directed(index(node), Incoming).map(NodeIndex::index);
            if node == 0 || before.any(|from| cycle[from] != Some(number)) {
                headers.entry(number).or_default().push(node);
            }
        }
        let dominators = simple_fast(&forward, index(0));
        let mut every_pass = vec![false; nodes.len()];
        for node in dominators.strict_dominators(index(nodes.len())).into_iter().flatten() {
            every_pass[node.index()] = cycle[node.index()].is_none();
        }
        let comes_back = leads(&forward, |node| ways[node].contains(&Way::Back));
        let goes_out = leads(&forward, |node| ways[node].contains(&Way::Out));
        // a node that can do neither only ends
        let leaves = leads(&forward, |node| goes_out[node] || !comes_back[node]);
        let meets_at_end = |node: usize| graph.blocks[nodes[node]].meets_at_end;
        let (merge, endless) = merges(&ways, meets_at_end);
        Self {
            nodes,
            ways,
            local,
            is_loop,
            merge,
            cycle,
            endless,
            headers,
            comes_back,
            leaves,
            every_pass,
            dominators,
        }
    }

    /// The nodes that can be reached from one in this view, itself included, without passing another.
    pub(super) fn reached(&self, from: usize, without: Option<usize>) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let (mut found, mut open) = (Vec::new(), vec![Way::To(from)]);
        while let Some(way) = open.pop() {
            if let Way::To(node) = way
                && Some(node) != without
                && !std::mem::replace(&mut seen[node], true)
            {
                found.push(node);
                open.extend(&self.ways[node]);
            }
        }
        found
    }

    /// The node of a block.
    pub(super) fn node(&self, block: usize) -> Option<usize> {
        self.local.get(&block).copied()
    }

    /// Whether every path from the entry to `to` passes `node`.
    pub(super) fn dominates(&self, node: usize, to: usize) -> bool {
        self.dominators.dominators(index(to)).is_some_and(|mut list| list.any(|one| one.index() == node))
    }

    /// Whether every pass that comes back to the header passes the node, and just once.
    pub(super) fn every_pass(&self, node: usize) -> bool {
        self.every_pass[node]
    }

    /// Whether a way may come to the header of this loop again.
    pub(super) fn comes_back(&self, way: Way) -> bool {
        match way {
            Way::To(node) => self.comes_back[node],
            Way::Back => true,
            Way::Out | Way::Exit => false,
        }
    }

    /// Whether threads that go this way may do something and not come to the header: they leave this loop, or go on to an end of
    /// the routine. To end at once, beside others that go on, is not meant.
    pub(super) fn leaves(&self, way: Way) -> bool {
        match way {
            Way::To(node) => self.leaves[node],
            Way::Out => true,
            Way::Back | Way::Exit => false,
        }
    }
}

/// The nodes from which such a node can be reached; the last one of the graph stands for the next pass.
fn leads(forward: &DiGraph<(), ()>, such: impl Fn(usize) -> bool) -> Vec<bool> {
    let nodes = forward.node_count() - 1;
    let mut found = vec![false; nodes];
    let mut open: Vec<usize> = (0..nodes).filter(|&node| such(node)).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut found[node], true) {
            open.extend(forward.neighbors_directed(index(node), Incoming).map(NodeIndex::index));
        }
    }
    found
}

/// Immediate postdominators, and the nodes without any. The end of the routine counts only for nodes that have no other
/// way, or where the ways meet there: threads that end do not keep the others from coming together.
fn merges(ways: &[Vec<Way>], meets_at_end: impl Fn(usize) -> bool) -> (Vec<Option<usize>>, Vec<usize>) {
    let end = ways.len();
    let mut back = DiGraph::<(), ()>::new();
    (0..=end).for_each(|_| _ = back.add_node(()));
    for (from, list) in ways.iter().enumerate() {
        for way in list {
            match way {
                Way::To(to) => _ = back.add_edge(index(*to), index(from), ()),
                Way::Back | Way::Out => _ = back.add_edge(index(end), index(from), ()),
                Way::Exit if list.len() == 1 || meets_at_end(from) => {
                    _ = back.add_edge(index(end), index(from), ())
                }
                Way::Exit => {}
            }
        }
    }
    let known = |tree: &Dominators<NodeIndex>, node: usize| tree.immediate_dominator(index(node)).is_some();
    let mut tree = simple_fast(&back, index(end));
    let stuck: Vec<usize> =
        (0..end).filter(|&node| !known(&tree, node) && ways[node].contains(&Way::Exit)).collect();
    if !stuck.is_empty() {
        stuck.iter().for_each(|&node| _ = back.add_edge(index(end), index(node), ()));
        tree = simple_fast(&back, index(end));
    }
    let merge =
        |node| tree.immediate_dominator(index(node)).map(NodeIndex::index).filter(|&node| node != end);
    ((0..end).map(merge).collect(), (0..end).filter(|&node| !known(&tree, node)).collect())
}
