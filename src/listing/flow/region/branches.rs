//! Sequences of blocks, branches and loops, from a node to the place where the paths join.

use std::collections::HashSet;

use crate::listing::flow::analysis::{Function, Scope, convergence};
use crate::listing::flow::graph::{BlockId, Edge, Node};
use crate::listing::flow::region::{Branch, Region};
use crate::listing::flow::{Obstacle, StructureError};

/// How deep regions may lie in one another: a level is up to three pieces of a program, and whoever walks
/// through them needs a stack.
pub(crate) const DEEPEST: u32 = 60;

/// The region tree of a function. Code that arms share is copied into each, up to a number of pieces of the
/// program: the lowering needs as many or more, and gives up before it comes to where the tree does.
pub(crate) fn build(function: &Function<'_, '_>, most_pieces: usize) -> Vec<Region> {
    let mut builder = Builder { function, pieces: 0, most_pieces, refused: false };
    let exits = HashSet::new();
    let nest = Nest { scope: &function.whole, exits: &exits, depth: 0 };
    let mut regions = Vec::new();
    builder.sequence(nest, Some(Node::ENTRY), None, None, &mut regions);
    regions
}

/// Builds the tree of a function.
pub(super) struct Builder<'a, 'g> {
    pub(super) function: &'g Function<'a, 'g>,
    /// The least number of pieces that the lowering makes of the tree.
    pub(super) pieces: usize,
    most_pieces: usize,
    /// Whether the tree ends already, at what has no structure.
    refused: bool,
}

/// What a sequence lies in.
#[derive(Clone, Copy)]
pub(super) struct Nest<'n, 'g> {
    pub(super) scope: &'n Scope<'g>,
    /// The blocks at which passes of the loops around have ended.
    pub(super) exits: &'n HashSet<BlockId>,
    pub(super) depth: u32,
}

impl Nest<'_, '_> {
    const fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl Builder<'_, '_> {
    /// Ends the tree at a block.
    pub(super) fn refuse(&mut self, block: BlockId, error: StructureError, out: &mut Vec<Region>) {
        self.refused = true;
        out.push(Region::Refused(block, error));
    }

    /// The regions from a node up to another one, or to the end of the scope. `exit` takes the place where
    /// the loop of this pass is left.
    pub(super) fn sequence(
        &mut self,
        nest: Nest<'_, '_>,
        from: Option<Node>,
        to: Option<Node>,
        mut exit: Option<&mut Option<usize>>,
        out: &mut Vec<Region>,
    ) {
        let (scope, function) = (nest.scope, self.function);
        let mut at = from;
        while let Some(node) = at.filter(|_| at != to && !self.refused) {
            let id = scope.subgraph.block_id(node);
            if nest.depth > DEEPEST {
                let error = StructureError::at(function.line(id), Obstacle::Depth(DEEPEST));
                return self.refuse(id, error, out);
            }
            if let Some(around) = scope.loops.around(node) {
                at = self.natural_loop(nest, node, around, out);
                continue;
            }
            if self.pieces > self.most_pieces {
                return self.refuse(id, StructureError::at(function.line(id), Obstacle::SharedCode), out);
            }
            self.pieces += function.graph[id].instructions.len();
            out.push(Region::Block(id));
            let branch = function.graph[id].last();
            let edges = scope.subgraph.edges(node);
            if let Some(exit) = &mut exit
                && (edges.contains(&Edge::Out) || edges.contains(&Edge::End))
            {
                **exit = Some(out.len());
            }
            if edges.contains(&Edge::End) && edges.len() > 1 && !scope.subgraph.is_pass() {
                // A warp that ends here is covered by one that goes on, but the program is no straight line.
                out.push(Region::EarlyEnd { branch });
            }
            let mut targets: Vec<Option<Node>> =
                edges.iter().filter(|&&edge| edge != Edge::End).map(|edge| edge.node()).collect();
            targets.sort_unstable();
            targets.dedup();
            at = match targets[..] {
                [] => None,
                [only] => only,
                // A pass that ends early is covered by one that goes on, but the pass is no straight line.
                [None, Some(rest)] if scope.subgraph.is_pass() && scope.joins.join(node).is_none() => {
                    let ends_early = edges.contains(&Edge::Back);
                    if ends_early {
                        out.push(Region::EarlyEnd { branch });
                    }
                    let is_the_exit = exit.is_some() && !ends_early;
                    if !is_the_exit && self.may_have_barrier(scope, rest) {
                        let mut body = Vec::new();
                        self.sequence(nest.deeper(), Some(rest), to, None, &mut body);
                        out.push(Region::RestOfPass { branch, body });
                        return;
                    }
                    Some(rest)
                }
                _ => {
                    let join = convergence::behind_join(function, scope, scope.joins.join(node));
                    let arm = |target: &Option<Node>| {
                        let mut arm = Vec::new();
                        self.sequence(nest.deeper(), *target, join, None, &mut arm);
                        arm
                    };
                    let arms: Vec<_> = targets.iter().map(arm).collect();
                    self.pieces += arms.len() + 1;
                    let divergence = convergence::divergence(function, scope, node);
                    let joins = scope.joins.join(node).is_some();
                    let ends_threads = !joins && !scope.subgraph.is_pass() && !function.called;
                    out.push(Region::Branch(Branch { branch, arms, divergence, ends_threads }));
                    join
                }
            };
        }
    }

    /// Whether there may be a barrier from a node of a pass on.
    fn may_have_barrier(&self, scope: &Scope<'_>, from: Node) -> bool {
        let rest = scope.subgraph.reached(from, None);
        scope.subgraph.instructions(rest).any(|at| self.function.may_have_barrier(at))
    }
}
