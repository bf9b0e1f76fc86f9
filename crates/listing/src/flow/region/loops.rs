//! Loops: the header, one pass, how often it is made, and where the threads leave.

use std::collections::HashSet;

use crate::flow::analysis::convergence::Reconvergence;
use crate::flow::analysis::groups::{groups, leaving};
use crate::flow::analysis::split_passes::{MOST_GROUPS, SplitPasses};
use crate::flow::analysis::{Function, LoopId, Scope, convergence};
use crate::flow::graph::Node;
use crate::flow::region::branches::{Builder, Nest};
use crate::flow::region::passes::Pass;
use crate::flow::region::{Divergent, Loop, Region, Threads};
use crate::flow::{Obstacle, StructureError};

impl<'g> Builder<'_, 'g> {
    /// The loop that a node lies in, and the node at which control goes on behind it.
    pub(super) fn natural_loop(
        &mut self,
        nest: Nest<'_, 'g>,
        header: Node,
        id: LoopId,
        out: &mut Vec<Region>,
    ) -> Option<Node> {
        let (scope, function) = (nest.scope, self.function);
        let block = scope.subgraph.block_id(header);
        if let Err(error) = check_entry(function, scope, header, id) {
            self.refuse(block, error, out);
            return None;
        }
        let mut after = scope.joins.join(header);
        while let Some(next) = after
            && scope.loops.around(next) == Some(id)
        {
            after = scope.joins.join(next);
        }
        let mut exits: HashSet<_> = nest.exits.clone();
        if scope.subgraph.is_pass() {
            exits.insert(scope.subgraph.block_id(Node::ENTRY));
        }
        exits.extend(after.map(|after| scope.subgraph.block_id(after)));
        let known = match self.pass(block, &exits) {
            Ok(known) => known,
            Err(error) => {
                self.refuse(block, error, out);
                return None;
            }
        };
        let (pass, reconvergences) = (&known.scope, &known.reconvergences);
        let inner = Nest {
            scope: pass,
            reconvergences,
            costs: &known.costs,
            exits: &exits,
            depth: nest.depth + 1,
            alternatives: false,
        };
        let natural = Natural { nest, header, id, after, inner, known: &known };
        if self.threads {
            let split = SplitPasses { later_parts: 0, branch: None, own_passes: false };
            let region = self.one_loop(&natural, &split, false);
            out.push(Region::Loop(Box::new(region)));
            return after;
        }
        let split = match known.split.get_or_init(|| split_passes(function, pass)).clone() {
            Err(error) if function.is_ptx() => {
                self.refuse(block, error, out);
                return None;
            }
            split => split,
        };
        let parting = if function.is_ptx() { vec![] } else { self.diverging_in(pass, reconvergences) };
        // Those that leave the scope around as well are charged behind the loop that it is a pass of.
        let stays = |&at: &usize| {
            let node =
                scope.subgraph.node_holding(at).filter(|&node| scope.subgraph.block(node).last() == at);
            !node.is_some_and(|node| nest.reconvergences[node] == Reconvergence::Leaves)
        };
        let waiting: Vec<usize> = parting.iter().copied().filter(stays).collect();
        let reconvergence_behind = self.reconvergence_behind(scope, &waiting, after);
        let leaves = |&at: &usize| {
            let node = pass.subgraph.node_holding(at).filter(|&node| pass.subgraph.block(node).last() == at);
            node.is_some_and(|node| reconvergences[node] == Reconvergence::Leaves)
        };
        if parting.iter().all(leaves) {
            if let Ok(split) = split.as_ref()
                && reconvergence_behind == after
            {
                let region = self.one_loop(&natural, split, true);
                if self.apart.is_none() {
                    out.push(Region::Loop(Box::new(region)));
                    return after;
                }
            } else if reconvergence_behind.is_some() || !scope.subgraph.is_pass() {
                let inner = Nest { alternatives: true, ..inner };
                let natural = Natural { inner, ..natural };
                if let Some(next) = self.left_apart(&natural, &parting, reconvergence_behind, out) {
                    return next;
                }
            }
        }
        let apart = self.apart.take();
        let line_of_first = parting.first().map(|&at| (at, Obstacle::LeavesApart));
        let (branch, obstacle) =
            apart.or(line_of_first).unwrap_or((function.graph[block].last(), Obstacle::LeavesApart));
        if reconvergence_behind.is_none() && scope.subgraph.is_pass() && !waiting.is_empty() {
            self.apart = Some((branch, obstacle));
            return None;
        }
        let to = convergence::behind_join(function, scope, reconvergence_behind);
        let body = self.of_threads(nest, |builder, nest, body| {
            let next = builder.natural_loop(nest, header, id, body);
            builder.sequence(nest, next, to, None, body);
        });
        out.push(Region::Threads(Threads { branch, obstacle, body }));
        to
    }

    /// The loop by itself. `waits` says whether each group that leaves it issues the `BSYNC` behind it.
    fn one_loop(&mut self, natural: &Natural<'_, 'g>, split: &SplitPasses, waits: bool) -> Loop {
        let &Natural { nest, header, id, after, inner, known } = natural;
        let (scope, function, pass) = (nest.scope, self.function, inner.scope);
        let later_parts = split.later_parts;
        let (bound, given_as) = known.bound(function, split.own_passes);
        let exit_edges = exit_edges(scope, id, pass);
        let (mut body, mut exit) = (Vec::new(), None);
        let tracked = (exit_edges == 1 && later_parts == 0).then_some(&mut exit);
        let one_part = exit_edges > 1 && later_parts == 0;
        let way_out = if one_part { self.apart_from_ways_out(inner, known, &bound, &mut body) } else { None };
        if way_out.is_none() {
            self.sequence(inner, Some(Node::ENTRY), None, tracked, &mut body);
        }
        self.pieces += 2;
        let calls = pass.subgraph.instructions(pass.subgraph.nodes());
        let calls = calls.filter(|&at| function.callee(at).is_some()).collect();
        let wait = after.map(|after| scope.subgraph.block_id(after)).filter(|&after| function.is_wait(after));
        let wait = wait.map(|wait| function.graph[wait].last());
        let leaves_apart = waits && leaves_apart(function, pass);
        Loop {
            header: scope.subgraph.block_id(header),
            bound,
            given_as,
            body,
            way_out,
            exit,
            exit_edges,
            leaving: if leaves_apart { leaving(function, pass, self.returns) } else { 0 },
            later_parts,
            calls,
            parting: parting(function, pass),
            leaves_apart,
            nested: pass.loops.any(),
            wait,
        }
    }

    /// A loop that groups leave for good without reconverging, up to a location where they wait for each other or to
    /// the end. The result is the node behind that location; none if groups come back to the header separately.
    fn left_apart(
        &mut self,
        natural: &Natural<'_, 'g>,
        parting: &[usize],
        reconvergence_behind: Option<Node>,
        out: &mut Vec<Region>,
    ) -> Option<Option<Node>> {
        let &Natural { nest, after, inner, .. } = natural;
        let paths = self.paths_out(inner).filter(|_| self.apart.is_none())?;
        let split = SplitPasses { later_parts: 0, branch: None, own_passes: false };
        let region = self.one_loop(natural, &split, false);
        let to = convergence::behind_join(self.function, nest.scope, reconvergence_behind);
        let mut rest = Vec::new();
        self.sequence(nest.deeper(), after, to, None, &mut rest);
        if self.apart.is_some() {
            return None;
        }
        let branch = parting.first().copied().unwrap_or(self.function.graph[region.header].last());
        // Groups that are on their way out may diverge again there.
        let of_pass = groups(self.function, inner.scope, self.returns)[Node::ENTRY];
        let groups = region.bound.most.unwrap_or(1).saturating_mul(of_pass).min(MOST_GROUPS);
        let first = vec![Region::Loop(Box::new(region))];
        out.push(Region::Divergent(Divergent { branch, first, paths, rest, groups }));
        Some(to)
    }
}

impl Loop {
    /// How many groups of threads may leave the loop at most, if so many more edges leave it by calls in which
    /// threads end.
    pub(crate) fn groups(&self, more: usize) -> u64 {
        // One group leaves by each edge in each pass, and may diverge on its way out; more may come from a loop in this one.
        let edges = u64::try_from(self.exit_edges).unwrap_or(u64::MAX).max(self.leaving);
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        let of_pass = if self.nested { u64::MAX } else { edges.saturating_add(more) };
        self.bound.most.unwrap_or(1).saturating_mul(of_pass).min(MOST_GROUPS)
    }
}

/// A loop and what it lies in.
#[derive(Clone, Copy)]
struct Natural<'n, 'g> {
    nest: Nest<'n, 'g>,
    header: Node,
    id: LoopId,
    /// The node at which its paths out join.
    after: Option<Node>,
    /// One pass of it.
    inner: Nest<'n, 'g>,
    /// What is known of that.
    known: &'n Pass<'g>,
}

/// Checks that a loop has one entry, and a path out.
fn check_entry(
    function: &Function<'_, '_>,
    scope: &Scope<'_>,
    header: Node,
    id: LoopId,
) -> Result<(), StructureError> {
    let block = |node: Node| scope.subgraph.block_id(node);
    let place = |node: Node| function.place(block(node));
    if let [one, two, ..] = *scope.loops.entries(id) {
        let error = Obstacle::TwoEntries(place(one), place(two));
        return Err(StructureError::at(function.line(block(one)), error));
    }
    if !scope.joins.can_end(header) {
        return Err(StructureError::at(function.line(block(header)), Obstacle::Endless(place(header))));
    }
    Ok(())
}

/// What threads that diverge do to the passes of a loop.
fn split_passes(function: &Function<'_, '_>, pass: &Scope<'_>) -> Result<SplitPasses, StructureError> {
    convergence::check(function, pass)?;
    let error = |node: Node, obstacle: Obstacle| {
        StructureError::at(function.routine.line_of(pass.subgraph.block(node).last()), obstacle)
    };
    let split = SplitPasses::new(pass, |node| function.uniform(pass, node)).map_err(|node| {
        error(node, Obstacle::LeavesTwoLoops(function.place(pass.subgraph.block_id(node))))
    })?;
    let independent = function.program.options.independent_threads;
    if split.later_parts > 0 && (independent || convergence::has_reconvergence_point(function, pass)) {
        let obstacle = if independent { Obstacle::LeavesApart } else { Obstacle::LeavesBesideWaits };
        return Err(error(split.branch.unwrap_or(Node::ENTRY), obstacle));
    }
    Ok(split)
}

/// How many edges lead from a loop to what is not in it, ends of the routine included. `pass` is that of the
/// loop; it also holds what is executed only on the path out.
fn exit_edges(scope: &Scope<'_>, id: LoopId, pass: &Scope<'_>) -> usize {
    let graph = scope.subgraph.graph();
    let inside =
        |block| scope.subgraph.node_of(block).is_some_and(|node| scope.loops.around(node) == Some(id));
    let blocks =
        pass.subgraph.nodes().map(|node| pass.subgraph.block_id(node)).filter(|&block| inside(block));
    blocks
        .map(|block| &graph[block])
        .map(|block| block.successors.iter().filter(|&&to| !inside(to)).count() + usize::from(block.ends))
        .sum()
}

/// A branch at which some threads of a warp may leave the loop, or go on to an end, while others come to its
/// header again.
fn parting(function: &Function<'_, '_>, pass: &Scope<'_>) -> Option<usize> {
    let parts = |&node: &Node| {
        let edges = pass.subgraph.edges(node);
        let both = edges.iter().any(|&edge| pass.exits.leaves(edge))
            && edges.iter().any(|&edge| pass.exits.comes_back(edge));
        both && pass.joins.join(node).is_none() && !function.uniform(pass, node)
    };
    pass.subgraph.nodes().find(parts).map(|node| pass.subgraph.block(node).last())
}

/// Whether some threads of a warp may leave the loop at a branch before others.
fn leaves_apart(function: &Function<'_, '_>, pass: &Scope<'_>) -> bool {
    pass.subgraph.nodes().any(|node| {
        let edges = pass.subgraph.edges(node);
        let leaves = edges.len() > 1 && edges.iter().any(|&edge| pass.exits.leaves(edge));
        leaves && !function.uniform(pass, node)
    })
}
