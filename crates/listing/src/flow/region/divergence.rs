//! Groups of threads that diverge and do not reconverge where their paths join.
//!
//! What they issue is charged for each of them, up to the location where they wait or to the end. Where a pass of a
//! loop leaves groups apart that come back to its header, each thread of the warp is charged by itself.
//! `docs/extract-structure.md` has the proofs.

use std::ops::Range;

use crate::flow::Obstacle;
use crate::flow::analysis::Scope;
use crate::flow::analysis::convergence::{Reconvergence, behind_join, reconvergence, waits_at};
use crate::flow::analysis::groups::{groups, of_call, reconvergence_after_call};
use crate::flow::graph::{Edge, Node, PerNode};
use crate::flow::region::branches::{Builder, Nest};
use crate::flow::region::passes::Costs;
use crate::flow::region::{Branch, Divergent, Region, Threads};
use warpspan_model::program::Divergence;

/// Where more groups than this may come to the end apart, each thread is charged by itself, since code that
/// several paths share is copied into each.
const MOST_PATHS: u64 = 8;

impl<'g> Builder<'_, 'g> {
    /// Where the groups of each branch of a scope reconverge. The branches of a single thread cannot diverge.
    pub(super) fn reconvergences(&self, scope: &Scope<'_>) -> PerNode<Reconvergence> {
        let of = |node| {
            if self.threads { Reconvergence::Together } else { reconvergence(self.function, scope, node) }
        };
        scope.subgraph.per_node(of)
    }

    /// Whether the groups of a branch wait for each other nowhere before the end of the scope, although their
    /// paths may join.
    pub(super) fn diverges_for_good(&self, nest: Nest<'_, '_>, node: Node) -> bool {
        match nest.reconvergences[node] {
            Reconvergence::Never(_) => true,
            Reconvergence::End => !self.function.is_ptx() && nest.scope.joins.join(node).is_some(),
            _ => false,
        }
    }

    /// The join of a branch that cannot diverge, behind the locations where groups wait that diverge before it.
    pub(super) fn uniform_join(&self, nest: Nest<'_, '_>, node: Node) -> Option<Node> {
        let (scope, function) = (nest.scope, self.function);
        let mut join = scope.joins.join(node);
        if self.threads || function.is_ptx() {
            return join;
        }
        let targets: Vec<Node> = scope.subgraph.edges(node).iter().copied().filter_map(Edge::node).collect();
        while let Some(place) = join {
            let mut inside = scope.subgraph.per_node(|_| false);
            targets.iter().flat_map(|&to| scope.subgraph.reached(to, join)).for_each(|at| inside[at] = true);
            let within = |other: Node| inside[other] || other == place;
            let beyond = |at: Node| {
                let calls = scope.subgraph.block(at).instructions.clone();
                let mut calls = calls.filter(|&call| of_call(function, call, self.returns) > 1);
                calls.any(|call| !reconvergence_after_call(function, scope, (at, call)).is_some_and(within))
                    || match nest.reconvergences[at] {
                        Reconvergence::At(other) => !within(other) && other != Node::ENTRY,
                        Reconvergence::Never(_) => true,
                        Reconvergence::End => self.diverges_for_good(nest, at),
                        Reconvergence::Together | Reconvergence::Leaves => false,
                    }
            };
            if !scope.subgraph.nodes().any(|at| inside[at] && beyond(at)) {
                break;
            }
            join = scope.joins.join(place);
        }
        join
    }

    /// The groups of a branch, each on its way up to the end of the scope. In a pass they may come to the
    /// header apart.
    pub(super) fn up_to_the_end(
        &mut self,
        nest: Nest<'_, 'g>,
        node: Node,
        targets: &[Option<Node>],
        out: &mut Vec<Region>,
    ) {
        let scope = nest.scope;
        let block = scope.subgraph.block(node);
        let branch = block.last();
        let obstacle = match &nest.reconvergences[node] {
            Reconvergence::Never(obstacle) => obstacle.clone(),
            _ => Obstacle::NoPoint,
        };
        if scope.subgraph.is_pass() {
            self.apart = Some((branch, obstacle));
        } else if groups(self.function, scope, self.returns)[node] <= MOST_PATHS
            && !self.shares_too_much(nest, targets, None)
        {
            let arms = self.arms(nest, targets, None);
            let divergence = Divergence::Interleaved;
            out.push(Region::Branch(Branch { branch, arms, divergence, ends_threads: false }));
        } else {
            let behind = Some((node, Some(block.instructions.end)));
            let body = self.of_threads(nest, |builder, nest, body| {
                builder.sequence_from(nest, behind, None, None, body);
            });
            out.push(Region::Threads(Threads { branch, obstacle, body }));
        }
    }

    /// What single threads issue, built by a function that pushes it.
    pub(super) fn of_threads(
        &mut self,
        nest: Nest<'_, 'g>,
        build: impl FnOnce(&mut Self, Nest<'_, 'g>, &mut Vec<Region>),
    ) -> Vec<Region> {
        let before = std::mem::replace(&mut self.threads, true);
        let (mut body, reconvergences, costs) =
            (Vec::new(), self.reconvergences(nest.scope), Costs::default());
        let nest =
            Nest { reconvergences: &reconvergences, costs: &costs, alternatives: false, ..nest.deeper() };
        build(self, nest, &mut body);
        self.threads = before;
        body
    }

    /// The first call of some instructions whose groups return separately.
    pub(super) fn diverging_call(&self, mut instructions: Range<usize>) -> Option<usize> {
        let parts = |&at: &usize| of_call(self.function, at, self.returns) > 1;
        if self.threads { None } else { instructions.find(parts) }
    }

    /// A call whose groups return separately, and what each issues up to the location where they wait. The result
    /// is the node at which they reconverge.
    pub(super) fn behind_call(
        &mut self,
        nest: Nest<'_, 'g>,
        node: Node,
        first: usize,
        call: usize,
        out: &mut Vec<Region>,
    ) -> Option<Node> {
        let (scope, function) = (nest.scope, self.function);
        let place = reconvergence_after_call(function, scope, (node, call));
        if place.is_none() && scope.subgraph.is_pass() {
            self.apart = Some((call, Obstacle::ReturnApart));
            return None;
        }
        let to = behind_join(function, scope, place);
        self.pieces += call + 1 - first;
        let first = vec![Region::Block(scope.subgraph.block_id(node), first..call + 1)];
        let mut rest = Vec::new();
        self.sequence_from(nest.deeper(), Some((node, Some(call + 1))), to, None, &mut rest);
        let groups = of_call(function, call, self.returns);
        out.push(Region::Divergent(Divergent { branch: call, first, paths: vec![vec![]], rest, groups }));
        to
    }

    /// The instructions of a pass whose groups do not wait for each other in it.
    pub(super) fn diverging_in(
        &self,
        pass: &Scope<'_>,
        reconvergences: &PerNode<Reconvergence>,
    ) -> Vec<usize> {
        let subgraph = &pass.subgraph;
        let leaves =
            |node: Node| matches!(reconvergences[node], Reconvergence::Leaves | Reconvergence::Never(_));
        let branches = subgraph.nodes().filter(|&node| leaves(node)).map(|node| subgraph.block(node).last());
        let parted = |node: Node| {
            let calls = subgraph.block(node).instructions.clone();
            let parts = move |&at: &usize| {
                of_call(self.function, at, self.returns) > 1
                    && reconvergence_after_call(self.function, pass, (node, at)).is_none()
            };
            calls.filter(parts)
        };
        branches.chain(subgraph.nodes().flat_map(parted)).collect()
    }

    /// The first location behind a loop at which all groups wait for each other that diverge at some instructions in
    /// it. `after` is where the paths out of the loop join.
    pub(super) fn reconvergence_behind(
        &self,
        scope: &Scope<'_>,
        instructions: &[usize],
        after: Option<Node>,
    ) -> Option<Node> {
        let mut next = after;
        while let Some(place) = next {
            let waits = |&at: &usize| {
                let node = scope.subgraph.node_holding(at);
                node.is_some_and(|node| waits_at(self.function, scope, (node, at), place))
            };
            if instructions.iter().all(waits) {
                break;
            }
            next = scope.joins.join(place);
        }
        next
    }

    /// The paths by which groups leave a loop for good at some branches of its pass, with what they issue in
    /// the pass; none if two groups of a branch may come back to the header.
    pub(super) fn paths_out(&mut self, inner: Nest<'_, 'g>) -> Option<Vec<Vec<Region>>> {
        let pass = inner.scope;
        let mut paths: Vec<Vec<Region>> = vec![vec![]];
        for node in pass.subgraph.nodes().filter(|&node| inner.reconvergences[node] == Reconvergence::Leaves)
        {
            let edges = pass.subgraph.edges(node);
            if edges.iter().filter(|&&edge| pass.exits.comes_back(edge)).count() > 1 {
                return None;
            }
            for to in edges.iter().filter(|&&edge| pass.exits.leaves(edge) && !pass.exits.comes_back(edge)) {
                if let Some(to) = to.node() {
                    let mut path = Vec::new();
                    self.sequence(inner.deeper(), Some(to), None, None, &mut path);
                    paths.push(path);
                }
            }
        }
        Some(paths)
    }
}
