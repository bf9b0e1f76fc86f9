//! Branches whose arms share so much code that copies of it would be too many.
//!
//! Every path through such a branch passes the locations of its code in their topological order. So each location stands
//! there once, as a piece that a path may leave out. `docs/extract-structure.md` has the proof.

use std::collections::BTreeMap;

use petgraph::algo::toposort;
use petgraph::graph::DiGraph;

use crate::flow::analysis::Scope;
use crate::flow::analysis::convergence::Reconvergence;
use crate::flow::graph::Node;
use crate::flow::region::branches::{Builder, DEEPEST, Nest, targets};
use crate::flow::region::{Region, Steps, Threads};
use crate::flow::{Obstacle, StructureError};

impl<'g> Builder<'_, 'g> {
    /// Whether the arms of a branch share so much code that it is not copied into each. Code with barriers is.
    pub(super) fn shares_too_much(
        &self,
        nest: Nest<'_, 'g>,
        targets: &[Option<Node>],
        to: Option<Node>,
    ) -> bool {
        if self.most_copies == usize::MAX {
            return false;
        }
        let scope = nest.scope;
        let sum = |sum: usize, &target: &Option<Node>| sum.saturating_add(cost(nest, target, to, 0));
        let pieces = targets.iter().fold(0, sum);
        if pieces <= self.most_copies {
            return false;
        }
        let mut inside = scope.subgraph.per_node(|_| false);
        let reached = targets.iter().flatten().flat_map(|&target| scope.subgraph.reached(target, to));
        reached.for_each(|at| inside[at] = true);
        let once: Vec<Node> = scope.subgraph.nodes().filter(|&at| inside[at]).collect();
        let own = once.iter().map(|&at| size(scope, at)).sum();
        let barriers = self.function.barriers();
        pieces.saturating_sub(own) > self.most_copies
            && !scope.subgraph.instructions(once).any(|at| barriers[at])
    }

    /// A branch whose arms share too much code, up to the location where they join: steps, if it cannot diverge, and
    /// else what each thread issues by itself.
    pub(super) fn without_copies(
        &mut self,
        nest: Nest<'_, 'g>,
        node: Node,
        targets: &[Option<Node>],
        to: Option<Node>,
        out: &mut Vec<Region>,
    ) {
        let branch = nest.scope.subgraph.block(node).last();
        if nest.reconvergences[node] == Reconvergence::Together {
            out.push(self.steps(nest, branch, targets, to));
            return;
        }
        let body = self.of_threads(nest, |builder, nest, body| {
            body.push(builder.steps(nest, branch, targets, to));
        });
        out.push(Region::Threads(Threads { branch, obstacle: Obstacle::SharedCode, body }));
    }

    /// The locations between a branch and its join, in topological order.
    fn steps(
        &mut self,
        nest: Nest<'_, 'g>,
        branch: usize,
        from: &[Option<Node>],
        to: Option<Node>,
    ) -> Region {
        let (nest, scope) = (nest.deeper(), nest.scope);
        let mut found: BTreeMap<Node, Vec<Region>> = BTreeMap::new();
        let mut order = DiGraph::<(), ()>::new();
        scope.subgraph.nodes().for_each(|_| _ = order.add_node(()));
        let mut open: Vec<Node> = from.iter().copied().flatten().collect();
        while let Some(node) = open.pop() {
            if Some(node) == to || found.contains_key(&node) || self.stopped() {
                continue;
            }
            let mut step = Vec::new();
            let next = self
                .fork(nest, node, to, &mut step)
                .unwrap_or_else(|| self.step(nest, (node, None), to, None, &mut step).into_iter().collect());
            self.pieces += 3;
            found.insert(node, step);
            for next in next.into_iter().filter(|&next| Some(next) != to) {
                order.add_edge(node.arc_index(), next.arc_index(), ());
                open.push(next);
            }
        }
        let steps = match toposort(&order, None) {
            Ok(order) => {
                let nodes = order.into_iter().filter_map(|index| scope.subgraph.node_at(index));
                nodes.filter_map(|node| found.remove(&node)).collect()
            }
            // A loop is one step, so nothing comes back to a step.
            Err(_) => {
                let line = self.function.routine.line_of(branch);
                let (block, mut step) = (scope.subgraph.block_id(Node::ENTRY), Vec::new());
                self.refuse(block, StructureError::at(line, Obstacle::SharedCode), &mut step);
                vec![step]
            }
        };
        Region::Steps(Steps { branch, steps })
    }

    /// The locations to which control may go from a node, if it ends in a branch that cannot diverge and is no step
    /// together with its arms.
    fn fork(
        &mut self,
        nest: Nest<'_, 'g>,
        node: Node,
        to: Option<Node>,
        out: &mut Vec<Region>,
    ) -> Option<Vec<Node>> {
        let scope = nest.scope;
        let block = scope.subgraph.block(node);
        let whole = scope.loops.around(node).is_some()
            || nest.reconvergences[node] != Reconvergence::Together
            || nest.depth > DEEPEST
            || self.diverging_call(block.instructions.clone()).is_some();
        let targets = targets(scope, node);
        if whole || targets.len() < 2 {
            return None;
        }
        let ends_pass = targets.contains(&None) && scope.joins.join(node).is_none();
        let join = if ends_pass { None } else { self.uniform_join(nest, node) };
        if !ends_pass && join != to && !self.shares_too_much(nest, &targets, join) {
            return None;
        }
        self.pieces += block.instructions.len();
        out.push(Region::Block(scope.subgraph.block_id(node), block.instructions.clone()));
        Some(targets.into_iter().flatten().collect())
    }
}

/// How many pieces the instructions of a node are.
fn size(scope: &Scope<'_>, node: Node) -> usize {
    scope.subgraph.block(node).instructions.len() + 1
}

/// How many pieces the code from a node up to another one, or to the end of the scope, would be, if code that arms
/// share is copied into each. Loops count once.
fn cost(nest: Nest<'_, '_>, from: Option<Node>, to: Option<Node>, depth: u32) -> usize {
    let (scope, Some(start)) = (nest.scope, from) else { return 0 };
    if let Some(&known) = nest.costs.0.borrow().get(&(start, to)) {
        return known;
    }
    // What is nested deeper than that is refused.
    if depth > 3 * DEEPEST {
        return 0;
    }
    let (mut sum, mut at) = (0_usize, from);
    while let Some(node) = at.filter(|&node| Some(node) != to) {
        if let Some(around) = scope.loops.around(node) {
            let inside = scope.subgraph.nodes().filter(|&other| scope.loops.around(other) == Some(around));
            sum = inside.map(|node| size(scope, node)).fold(sum, usize::saturating_add);
            while let Some(next) = at.filter(|&next| scope.loops.around(next) == Some(around)) {
                at = scope.joins.join(next);
            }
            continue;
        }
        sum = sum.saturating_add(size(scope, node));
        let targets = targets(scope, node);
        at = match targets[..] {
            [] => None,
            [only] => only,
            _ => {
                let join = match nest.reconvergences[node] {
                    Reconvergence::At(Node::ENTRY) => None,
                    Reconvergence::At(join) => Some(join),
                    _ => scope.joins.join(node),
                };
                for target in targets {
                    sum = sum.saturating_add(cost(nest, target, join, depth + 1));
                }
                join
            }
        };
    }
    nest.costs.0.borrow_mut().insert((start, to), sum);
    sum
}
