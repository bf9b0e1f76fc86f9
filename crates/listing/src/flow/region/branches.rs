//! Sequences of blocks, branches and loops, from a node to the location where the paths join.

use std::collections::HashSet;
use std::rc::Rc;

use crate::flow::Work;
use crate::flow::analysis::convergence::{Reconvergence, behind_join, divergence};
use crate::flow::analysis::groups::Returns;
use crate::flow::analysis::{Function, Scope};
use crate::flow::graph::{BlockId, Edge, Node, PerNode};
use crate::flow::region::passes::{Costs, Pass, Passes};
use crate::flow::region::{Branch, Region};
use crate::flow::{Obstacle, StructureError};
use warpspan_model::program::Divergence;

/// How deep regions may lie in one another: a level is up to three pieces of a program, and whoever walks
/// through them needs a stack.
pub(crate) const DEEPEST: u32 = 60;

/// In how many steps a tree may be built. The search for one that needs more is given up where it is, as that for one of too many pieces is.
const MOST_STEPS_OF_A_TREE: usize = 4_000_000;

/// How large a tree may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Most {
    /// The pieces of the program.
    pub(crate) pieces: usize,
    /// Of those the copies of code that the arms of one branch share. Where there would be more, none is made.
    pub(crate) copies: usize,
}

/// The region tree of a function. Code that arms share is copied into each, up to a number of pieces of the
/// program: the lowering needs as many or more, and gives up before it comes to where the tree does.
/// `returns` says how many groups come back from calls; `threads` asks for the tree of a single thread, in
/// which a branch has an arm for each path. The steps that it took are added to `work`. Without a limit they would be exponential in
/// the number of branches; they end with the pieces and with the nodes of [passes](super::passes).
pub(crate) fn build(
    function: &Function<'_, '_>,
    returns: &Returns,
    most: Most,
    threads: bool,
    work: &mut Work,
) -> Vec<Region> {
    let Most { pieces: most_pieces, copies: most_copies } = most;
    let mut builder = Builder {
        function,
        returns,
        pieces: 0,
        most_pieces,
        most_copies,
        refused: false,
        apart: None,
        threads,
        passes: Passes::new(),
        steps: 0,
    };
    let (exits, reconvergences) = (HashSet::new(), builder.reconvergences(&function.whole));
    let costs = Costs::default();
    let nest = Nest {
        scope: &function.whole,
        reconvergences: &reconvergences,
        costs: &costs,
        exits: &exits,
        depth: 0,
        alternatives: false,
    };
    let mut regions = Vec::new();
    builder.sequence(nest, Some(Node::ENTRY), None, None, &mut regions);
    work.add(Work { steps: builder.steps, passes: builder.passes.len() });
    regions
}

/// Builds the tree of a function.
pub(super) struct Builder<'a, 'g> {
    pub(super) function: &'g Function<'a, 'g>,
    pub(super) returns: &'g Returns,
    /// The least number of pieces that the lowering makes of the tree.
    pub(super) pieces: usize,
    most_pieces: usize,
    /// How many copies of shared code a branch may have.
    pub(super) most_copies: usize,
    /// Whether the tree ends already, at what has no structure.
    refused: bool,
    /// An instruction of the pass that is being built whose groups overlap with later passes, and why. The
    /// tree of the pass is of no use then.
    pub(super) apart: Option<(usize, Obstacle)>,
    /// Whether the tree is that of a single thread.
    pub(super) threads: bool,
    /// The passes of loops that were looked at.
    pub(super) passes: Passes<'g>,
    /// The steps of the search, which has no more than pieces and nodes of passes allow.
    pub(super) steps: usize,
}

/// What a sequence lies in.
#[derive(Clone, Copy)]
pub(super) struct Nest<'n, 'g> {
    pub(super) scope: &'n Scope<'g>,
    /// Where the groups of each branch reconverge.
    pub(super) reconvergences: &'n PerNode<Reconvergence>,
    /// How many pieces the code up to a join would be with copies of shared code.
    pub(super) costs: &'n Costs,
    /// The blocks at which passes of the loops around have ended.
    pub(super) exits: &'n HashSet<BlockId>,
    pub(super) depth: u32,
    /// Whether a group goes on along one path only at the branches that leave this pass, since the others of its
    /// threads do not come back.
    pub(super) alternatives: bool,
}

impl Nest<'_, '_> {
    pub(super) const fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl<'g> Builder<'_, 'g> {
    /// Ends the tree at a block.
    pub(super) fn refuse(&mut self, block: BlockId, error: StructureError, out: &mut Vec<Region>) {
        self.refused = true;
        out.push(Region::Refused(block, error));
    }

    /// Whether there is no use in going on.
    pub(super) const fn stopped(&self) -> bool {
        self.refused || self.apart.is_some()
    }

    /// The pass of a loop that ends at some blocks.
    ///
    /// # Errors
    /// If the tree needs too many of them.
    pub(super) fn pass(
        &mut self,
        header: BlockId,
        exits: &HashSet<BlockId>,
    ) -> Result<Rc<Pass<'g>>, StructureError> {
        let mut ends: Vec<BlockId> = exits.iter().copied().collect();
        ends.sort_unstable();
        let of = (header, ends, self.threads);
        let pass = match self.passes.get(&of) {
            Some(known) => Rc::clone(known),
            None => {
                let scope = Scope::pass(self.function.graph, header, exits);
                let reconvergences = self.reconvergences(&scope);
                let pass = Rc::new(Pass::new(scope, reconvergences));
                self.passes.insert(of, Rc::clone(&pass));
                pass
            }
        };
        self.steps = self.steps.saturating_add(pass.scope.subgraph.nodes().count());
        if self.steps > MOST_STEPS_OF_A_TREE {
            return Err(StructureError::at(self.function.line(header), Obstacle::SharedCode));
        }
        Ok(pass)
    }

    /// The regions from a node up to another one, or to the end of the scope. `exit` takes the location where
    /// the loop of this pass is left.
    pub(super) fn sequence(
        &mut self,
        nest: Nest<'_, 'g>,
        from: Option<Node>,
        to: Option<Node>,
        exit: Option<&mut Option<usize>>,
        out: &mut Vec<Region>,
    ) {
        self.sequence_from(nest, from.map(|node| (node, None)), to, exit, out);
    }

    /// The same, from an instruction of a node on.
    pub(super) fn sequence_from(
        &mut self,
        nest: Nest<'_, 'g>,
        from: Option<(Node, Option<usize>)>,
        to: Option<Node>,
        mut exit: Option<&mut Option<usize>>,
        out: &mut Vec<Region>,
    ) {
        let mut at = from;
        while let Some((node, first)) =
            at.filter(|&(node, first)| (first.is_some() || Some(node) != to) && !self.stopped())
        {
            let next = self.step(nest, (node, first), to, exit.as_deref_mut(), out);
            at = next.map(|next| (next, None));
        }
    }

    /// What is issued from a node, or an instruction of it, up to where all that came there reconverge. The
    /// result is that location; none if it is behind the end of the scope.
    pub(super) fn step(
        &mut self,
        nest: Nest<'_, 'g>,
        (node, first): (Node, Option<usize>),
        to: Option<Node>,
        exit: Option<&mut Option<usize>>,
        out: &mut Vec<Region>,
    ) -> Option<Node> {
        let (scope, function) = (nest.scope, self.function);
        let id = scope.subgraph.block_id(node);
        self.steps = self.steps.saturating_add(1);
        if nest.depth > DEEPEST {
            let error = StructureError::at(function.line(id), Obstacle::Depth(DEEPEST));
            self.refuse(id, error, out);
            return None;
        }
        if let Some(around) = scope.loops.around(node).filter(|_| first.is_none()) {
            return self.natural_loop(nest, node, around, out);
        }
        if self.pieces > self.most_pieces {
            self.refuse(id, StructureError::at(function.line(id), Obstacle::SharedCode), out);
            return None;
        }
        let first = first.unwrap_or(function.graph[id].first());
        let end = function.graph[id].instructions.end;
        if let Some(call) = self.diverging_call(first..end) {
            return self.behind_call(nest, node, first, call, out);
        }
        self.pieces += end - first;
        out.push(Region::Block(id, first..end));
        let branch = function.graph[id].last();
        let edges = scope.subgraph.edges(node);
        let is_exit = exit.is_some();
        if let Some(exit) = exit
            && (edges.contains(&Edge::Out) || edges.contains(&Edge::End))
        {
            *exit = Some(out.len());
        }
        if edges.contains(&Edge::End) && edges.len() > 1 && !scope.subgraph.is_pass() {
            // A warp that ends here is covered by one that goes on, but the program is no straight line.
            out.push(Region::EarlyEnd { branch });
        }
        let targets = targets(scope, node);
        let reconvergence = &nest.reconvergences[node];
        let leaves_early = scope.subgraph.is_pass() && scope.joins.join(node).is_none();
        match targets[..] {
            [] => None,
            [only] => only,
            _ if self.diverges_for_good(nest, node) => {
                self.up_to_the_end(nest, node, &targets, out);
                None
            }
            // A pass that ends early is covered by one that goes on, but the pass is no straight line.
            [None, Some(rest)] if leaves_early => {
                let ends_early = edges.contains(&Edge::Back);
                if ends_early {
                    out.push(Region::EarlyEnd { branch });
                }
                let is_the_exit = is_exit && !ends_early;
                if !is_the_exit && self.may_have_barrier(scope, rest) {
                    let mut body = Vec::new();
                    self.sequence(nest.deeper(), Some(rest), to, None, &mut body);
                    out.push(Region::RestOfPass { branch, body });
                    return None;
                }
                Some(rest)
            }
            _ => {
                let join = match *reconvergence {
                    Reconvergence::At(Node::ENTRY) if scope.subgraph.is_pass() => None,
                    Reconvergence::At(join) => Some(join),
                    Reconvergence::Together => self.uniform_join(nest, node),
                    _ => scope.joins.join(node),
                };
                let leaves = nest.alternatives && *reconvergence == Reconvergence::Leaves;
                let divergence = if self.threads || leaves {
                    Divergence::Uniform
                } else {
                    divergence(function, scope, node)
                };
                let joins = scope.joins.join(node).is_some();
                let join = behind_join(function, scope, join);
                if *reconvergence != Reconvergence::Leaves && self.shares_too_much(nest, &targets, join) {
                    self.without_copies(nest, node, &targets, join, out);
                    return join;
                }
                let arms = self.arms(nest, &targets, join);
                let ends_threads = !joins && !scope.subgraph.is_pass() && !function.called;
                out.push(Region::Branch(Branch { branch, arms, divergence, ends_threads }));
                join
            }
        }
    }

    /// The arms of a branch, each up to a location.
    pub(super) fn arms(
        &mut self,
        nest: Nest<'_, 'g>,
        targets: &[Option<Node>],
        to: Option<Node>,
    ) -> Vec<Vec<Region>> {
        self.pieces += targets.len() + 1;
        let arm = |target: &Option<Node>| {
            let mut arm = Vec::new();
            self.sequence(nest.deeper(), *target, to, None, &mut arm);
            arm
        };
        targets.iter().map(arm).collect()
    }

    /// Whether there may be a barrier from a node of a pass on.
    fn may_have_barrier(&self, scope: &Scope<'_>, from: Node) -> bool {
        let rest = scope.subgraph.reached(from, None);
        scope.subgraph.instructions(rest).any(|at| self.function.may_have_barrier(at))
    }
}

/// Where control goes on behind a node in its scope, each location once; none is the end of a pass.
pub(super) fn targets(scope: &Scope<'_>, node: Node) -> Vec<Option<Node>> {
    let edges = scope.subgraph.edges(node).iter().filter(|&&edge| edge != Edge::End);
    let mut targets: Vec<Option<Node>> = edges.map(|edge| edge.node()).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}
