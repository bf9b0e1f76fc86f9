//! The control-flow graph as the analysis goes through it: an order in which every block comes after those before it, loops, and
//! which blocks and loops the branches at which lanes diverge concern.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::flow::{BlockId, ControlFlowGraph};

/// The most loops of a routine.
const LOOPS: usize = 64;

/// The shape of a control-flow graph. Blocks are numbers.
#[derive(Debug)]
pub(super) struct Shape {
    /// The blocks, each after those that dominate it, and after all that lead to it but for the ends of the loops of which it is the
    /// header.
    pub(super) order: Vec<usize>,
    /// The blocks that may follow each.
    pub(super) after: Vec<Vec<usize>>,
    /// The blocks that lead to each.
    pub(super) before: Vec<Vec<usize>>,
    /// The immediate dominator of each.
    dominator: Vec<usize>,
    /// The headers of loops, each with its number and the blocks of the loop.
    pub(super) loops: BTreeMap<usize, (u32, BTreeSet<usize>)>,
    /// The loops around each block, a bit for each.
    pub(super) around: Vec<u64>,
}

impl Shape {
    /// The shape of a graph; none if a loop has two entries, or there are very many loops.
    pub(super) fn of(graph: &ControlFlowGraph) -> Option<Self> {
        let size = graph.len();
        let after: Vec<Vec<usize>> = graph
            .blocks()
            .map(|(_, block)| block.successors.iter().map(|to: &BlockId| to.index()).collect())
            .collect();
        let mut before = vec![Vec::new(); size];
        let mut arcs = DiGraph::<(), ()>::new();
        (0..size).for_each(|_| _ = arcs.add_node(()));
        for (from, to) in
            after.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |&to| (from, to)))
        {
            before[to].push(from);
            arcs.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
        let tree = simple_fast(&arcs, NodeIndex::new(0));
        let dominator: Vec<usize> = (0..size)
            .map(|at| tree.immediate_dominator(NodeIndex::new(at)).map_or(0, NodeIndex::index))
            .collect();
        let order = reverse_postorder(&after);
        let mut place = vec![usize::MAX; size];
        order.iter().enumerate().for_each(|(at, &block)| place[block] = at);
        let mut shape =
            Self { order, after, before, dominator, loops: BTreeMap::new(), around: vec![0; size] };
        for from in 0..size {
            for to in shape.after[from].clone() {
                if place[to] <= place[from] {
                    if !shape.dominates(to, from) {
                        return None;
                    }
                    shape.add_loop(to, from);
                }
            }
        }
        if shape.loops.len() > LOOPS {
            return None;
        }
        for (number, (_, (own, body))) in (0..).zip(shape.loops.iter_mut()) {
            *own = number;
            body.iter().for_each(|&block| shape.around[block] |= 1 << number);
        }
        Some(shape)
    }

    fn add_loop(&mut self, header: usize, end: usize) {
        let (_, body) = self.loops.entry(header).or_insert_with(|| (0, BTreeSet::from([header])));
        let mut open = vec![end];
        while let Some(block) = open.pop() {
            if body.insert(block) {
                open.extend(&self.before[block]);
            }
        }
    }

    /// Whether each path to a block leads through another.
    pub(super) fn dominates(&self, one: usize, mut block: usize) -> bool {
        while block != one && block != 0 {
            block = self.dominator[block];
        }
        block == one
    }

    /// Whether an edge ends a pass of the loop of the block that it leads to.
    pub(super) fn is_back(&self, from: usize, to: usize) -> bool {
        self.loops.get(&to).is_some_and(|(_, body)| body.contains(&from))
    }

    /// The blocks that can be reached from one along edges that are followed.
    pub(super) fn reached(&self, from: usize, follows: impl Fn(usize, usize) -> bool) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(block) = open.pop() {
            for &to in self.after[block].iter().filter(|&&to| follows(block, to)) {
                if found.insert(to) {
                    open.push(to);
                }
            }
        }
        found
    }

    /// The blocks that lanes may reach apart from one another although the same of them take the paths of a branch at which
    /// lanes diverge: they are behind more than one of its paths.
    pub(super) fn apart(&self, parting: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for &block in parting {
            let mut seen: BTreeSet<usize> = BTreeSet::new();
            for &path in &self.after[block] {
                for reached in self.reached(path, |_, _| true) {
                    if !seen.insert(reached) {
                        found.insert(reached);
                    }
                }
            }
        }
        found
    }

    /// The loops that lanes which pass them together may leave in different passes, a bit for each: lanes diverge at a branch
    /// before an exit, and not all paths of the branch lead to that exit.
    pub(super) fn left_apart(&self, parting: &BTreeSet<usize>) -> u64 {
        let mut found = 0;
        for (header, (number, body)) in &self.loops {
            let in_pass = |to: usize| to != *header && body.contains(&to);
            let leaves = |block: usize| self.after[block].iter().any(|to| !body.contains(to));
            let exits: Vec<usize> = body.iter().copied().filter(|&block| leaves(block)).collect();
            let bad = parting.iter().filter(|block| body.contains(block)).any(|&block| {
                let behind = self.reached(block, |_, to| in_pass(to));
                exits.iter().filter(|exit| behind.contains(exit)).any(|&exit| {
                    exit == block || {
                        let around =
                            self.reached(block, |from, to| from != exit && to != exit && in_pass(to));
                        let ends = |from: usize| self.after[from].iter().any(|to| !in_pass(*to));
                        around.iter().any(|&from| ends(from))
                    }
                })
            });
            found |= u64::from(bad) << number;
        }
        found
    }

    /// Whether lanes that reconverge at a block may have come by different paths, since they diverge at a branch between its dominator and it; or, at the
    /// end of a pass of the loop of which it is the header, between it and the end.
    pub(super) fn meets_apart(&self, block: usize, parting: &BTreeSet<usize>, back: bool) -> bool {
        let from = if back { block } else { self.dominator[block] };
        let mut seen = BTreeSet::from([from]);
        let before = self.before[block].iter().copied();
        let mut open: Vec<usize> = before.filter(|&before| self.is_back(before, block) == back).collect();
        while let Some(one) = open.pop() {
            if seen.insert(one) {
                open.extend(&self.before[one]);
            }
        }
        seen.iter().any(|one| parting.contains(one))
    }
}

fn reverse_postorder(after: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; after.len()];
    let (mut order, mut open) = (Vec::new(), vec![(0, 0)]);
    if let Some(first) = seen.first_mut() {
        *first = true;
    }
    while let Some((block, next)) = open.pop() {
        let Some(&to) = after.get(block).and_then(|all| all.get(next)) else {
            order.push(block);
            continue;
        };
        open.push((block, next + 1));
        if !std::mem::replace(&mut seen[to], true) {
            open.push((to, 0));
        }
    }
    order.reverse();
    order
}
