//! Code on the way out of a loop: what is issued once, behind the last pass, by those that leave.
//!
//! A pass that comes back to the header never enters it, so it need not stand in every pass. It is taken out of the pass
//! where that may be worth it. `docs/extract-structure.md` has the proof.

use crate::flow::LoopBound;
use crate::flow::analysis::{Function, Scope};
use crate::flow::fixed_point::backward;
use crate::flow::graph::{Edge, Node};
use crate::flow::region::Branch;
use crate::flow::region::branches::{Builder, Nest};
use crate::flow::region::passes::Pass;
use warpspan_model::program::Divergence;

impl<'g> Builder<'_, 'g> {
    /// One pass of a loop without the code on the way out, pushed to `body`, and that code: an arm for each way. None if all
    /// stays in the pass; then nothing is pushed.
    ///
    /// A pass must come in one part only: where some threads of a warp go on with an earlier pass later, it is not known
    /// whose pass is the last.
    pub(super) fn apart_from_ways_out(
        &mut self,
        inner: Nest<'_, 'g>,
        known: &Pass<'g>,
        bound: &LoopBound,
        body: &mut Vec<super::Region>,
    ) -> Option<Branch> {
        // One pass is the last one, and holds either the way out or what it would go on with, but not both.
        if bound.most == Some(1) {
            return None;
        }
        let (function, pass) = (self.function, inner.scope);
        let (branch, ways) = known.ways_out.get_or_init(|| ways_out(function, pass)).clone()?;
        let mut targets: Vec<Option<Node>> = ways.iter().copied().map(Some).collect();
        if self.shares_too_much(inner, &targets, None) {
            return None;
        }
        let mut exits = inner.exits.clone();
        exits.extend(ways.iter().map(|&way| pass.subgraph.block_id(way)));
        let staying = self.pass(pass.subgraph.block_id(Node::ENTRY), &exits).ok()?;
        let nest = Nest {
            scope: &staying.scope,
            reconvergences: &staying.reconvergences,
            costs: &staying.costs,
            exits: &exits,
            ..inner
        };
        self.sequence(nest, Some(Node::ENTRY), None, None, body);
        // There may be ways out with no code, and a program with a single arm would be a straight line.
        if ends_at_once(pass) || targets.len() == 1 {
            targets.push(None);
        }
        let arms = self.arms(inner, &targets, None);
        Some(Branch { branch, arms, divergence: Divergence::Uniform, ends_threads: false })
    }
}

/// Whether a node lies in the loop of a pass: whether control may come from it to the header again.
fn stays(pass: &Scope<'_>, node: Node) -> bool {
    pass.exits.comes_back(Edge::To(node))
}

/// Whether some node in the loop of a pass leaves it with no code behind.
fn ends_at_once(pass: &Scope<'_>) -> bool {
    let leaves = |edge: &Edge| matches!(edge, Edge::Out | Edge::End);
    pass.subgraph
        .nodes()
        .filter(|&node| stays(pass, node))
        .any(|node| pass.subgraph.edges(node).iter().any(leaves))
}

/// Where the code on the ways out of a loop begins, with a branch that leads there; none if each way out is short.
///
/// A way is short if no path of it has more instructions than a pass may still have that stays. Then it would add to a program
/// what a pass has anyway.
fn ways_out(function: &Function<'_, '_>, pass: &Scope<'_>) -> Option<(usize, Vec<Node>)> {
    let subgraph = &pass.subgraph;
    // How many instructions it takes to come to the header again.
    let back = backward(subgraph, usize::MAX, |node, found| {
        let of = |edge: &Edge| match *edge {
            Edge::To(to) => found[to],
            Edge::Back => 0,
            Edge::Out | Edge::End => usize::MAX,
        };
        let rest = subgraph.edges(node).iter().map(of).min().unwrap_or(usize::MAX);
        rest.saturating_add(subgraph.block(node).instructions.len())
    });
    let (mut ways, mut branch, mut worth) = (Vec::new(), None, false);
    for node in subgraph.nodes().filter(|&node| stays(pass, node)) {
        let rest = back[node].saturating_sub(subgraph.block(node).instructions.len());
        for way in subgraph.edges(node).iter().filter_map(|edge| edge.node()) {
            if stays(pass, way) {
                continue;
            }
            branch = branch.or(Some(subgraph.block(node).last()));
            if !ways.contains(&way) {
                ways.push(way);
            }
            let code = subgraph.reached(way, None);
            let again = |&at: &Node| pass.loops.around(at).is_some();
            let calls = |at: usize| function.callee(at).is_some();
            let length: usize = code.iter().map(|&at| subgraph.block(at).instructions.len()).sum();
            worth |= length > rest
                || code.iter().any(again)
                || subgraph.instructions(code.iter().copied()).any(calls);
        }
    }
    branch.filter(|_| worth).map(|branch| (branch, ways))
}
