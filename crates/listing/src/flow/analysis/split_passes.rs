//! Threads of a warp that diverge in a pass of a loop and do not reconverge in it.
//!
//! If the paths of a branch may leave the loop, or end the routine, without a join before, the threads of one
//! path wait until the others have left the loop, and only then go on with the rest of their pass. So a pass
//! is issued in as many parts as groups of threads may end it, and each part but one adds a pass to the bound
//! of the loop (`docs/extract-structure.md`).

use crate::flow::analysis::Scope;
use crate::flow::fixed_point::backward;
use crate::flow::graph::{Edge, Node};

/// The threads of a warp, and so the most groups of threads that there are.
pub(crate) const MOST_GROUPS: u64 = 32;

/// What threads that diverge do to the passes of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SplitPasses {
    /// How many parts of a pass may be issued later than the first one.
    pub(crate) later_parts: u64,
    /// The first branch whose threads wait for others that go on with later passes.
    pub(crate) branch: Option<Node>,
    /// Whether several groups of threads may make passes of their own.
    pub(crate) own_passes: bool,
}

impl SplitPasses {
    /// Looks at every branch of a pass that is not uniform.
    ///
    /// # Errors
    /// A branch inside of a loop of the pass, whose paths leave both loops.
    pub(crate) fn new(pass: &Scope<'_>, uniform: impl Fn(Node) -> bool) -> Result<Self, Node> {
        let (mut own_passes, mut branch) = (false, None);
        for node in pass.subgraph.nodes() {
            let edges: Vec<Edge> =
                pass.subgraph.edges(node).iter().copied().filter(|&edge| edge != Edge::End).collect();
            if edges.len() < 2 || pass.joins.join(node).is_some() || uniform(node) {
                continue;
            }
            let comes_back = |edge: Edge| pass.exits.comes_back(edge);
            if !edges.iter().any(|&edge| pass.exits.leaves(edge)) {
                continue; // The paths join at the header.
            }
            let has_rest = |edge: Edge| matches!(edge, Edge::To(_));
            let waits = |number: usize, edge: Edge| {
                let mut others = edges.iter().enumerate().filter(|&(other, _)| other != number);
                has_rest(edge) && others.any(|(_, &other)| has_rest(other) || comes_back(other))
            };
            if edges.iter().enumerate().any(|(number, &edge)| waits(number, edge)) {
                if pass.loops.around(node).is_some() {
                    return Err(node);
                }
                branch = branch.or(Some(node));
            }
            own_passes |= edges.iter().filter(|&&edge| comes_back(edge)).count() > 1;
        }
        let later_parts = if branch.is_some() { parts(pass, uniform) - 1 } else { 0 };
        Ok(Self { later_parts, branch, own_passes })
    }
}

/// In how many parts a pass may be issued: how many groups of threads end it, by leaving after an instruction
/// of their own or by going back to the header. In the loops of the pass no threads diverge that do not reconverge
/// there.
fn parts(pass: &Scope<'_>, uniform: impl Fn(Node) -> bool) -> u64 {
    let parts = backward(&pass.subgraph, 1_u64, |node, parts| {
        let of = |edge: &Edge| match *edge {
            Edge::To(to) => parts[to],
            Edge::Back => 1,
            Edge::Out | Edge::End => 0,
        };
        let edges = pass.subgraph.edges(node).iter().map(of);
        let found = match pass.joins.join(node) {
            Some(join) => parts[join],
            None if uniform(node) || pass.loops.around(node).is_some() => edges.max().unwrap_or(1),
            None => edges.fold(0, u64::saturating_add),
        };
        found.clamp(1, MOST_GROUPS)
    });
    parts[Node::ENTRY]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::graph::ControlFlowGraph;
    use std::collections::HashSet;

    /// What the branches of the loop with the header 0 do; blocks from `out` on are not in it.
    fn split(successors: &[&[usize]], out: usize, uniform: bool) -> Result<SplitPasses, Node> {
        let graph = ControlFlowGraph::of_successors(successors);
        let exits: HashSet<_> = (out..successors.len()).map(|block| graph.id(block)).collect();
        SplitPasses::new(&Scope::pass(&graph, graph.id(0), &exits), |_| uniform)
    }

    #[test]
    fn threads_that_wait_for_those_that_leave() {
        // 0 goes to 1 or 2; each comes back or leaves to 3.
        let both: &[&[usize]] = &[&[1, 2], &[0, 3], &[0, 3], &[]];
        let found = split(both, 3, false).unwrap();
        assert_eq!((found.later_parts, found.branch, found.own_passes), (1, Some(Node::ENTRY), true));
        let found = split(both, 3, true).unwrap();
        assert_eq!((found.later_parts, found.branch, found.own_passes), (0, None, false));
    }

    #[test]
    fn threads_that_leave_at_once_or_join_wait_for_nobody() {
        assert_eq!(split(&[&[0, 1], &[]], 1, false).unwrap().branch, None);
        assert_eq!(split(&[&[1, 2], &[3], &[3], &[0, 4], &[]], 4, false).unwrap().branch, None);
    }

    #[test]
    fn paths_that_leave_two_loops() {
        // The loop of 1 lies in that of 0; from 1 the paths go on in it, out of it, and out of both.
        assert!(split(&[&[1], &[1, 2, 3], &[0, 4], &[0, 4], &[]], 4, false).is_err());
    }
}
