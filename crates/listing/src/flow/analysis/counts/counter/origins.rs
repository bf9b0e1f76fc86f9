//! Where the values of registers come from in a pass.

use crate::closure::closure;
use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::graph::{Edge, Node};

impl<'a> CountedLoop<'a, '_> {
    /// Where what a register holds at an instruction of a pass comes from.
    pub(crate) fn origin(&self, numbers: &Numbers<'a>, name: &str, at: usize) -> Option<Origin> {
        self.origin_at_end(numbers, name, self.pass.subgraph.node_holding(at)?, at)
    }

    /// The same before an instruction of a node, or at its end. There is no answer if it may come from
    /// several locations, or from an instruction that is not always executed or may write other registers too.
    pub(crate) fn origin_at_end(
        &self,
        numbers: &Numbers<'a>,
        name: &str,
        node: Node,
        end: usize,
    ) -> Option<Origin> {
        let (subgraph, routine) = (&self.pass.subgraph, self.routine);
        let mut found = None;
        closure([(node, end)], |(node, end), open| {
            if !self.pass.exits.comes_back(Edge::To(node)) {
                return None;
            }
            let first = subgraph.block(node).first();
            let write = (first..end).rev().find(|&at| numbers.ranges.effects[at].may_write(name));
            let origin = match write {
                Some(at) => {
                    let certain = routine.instructions[at].guard.is_none()
                        && !routine.instructions[at].conditional
                        && !numbers.ranges.effects[at].everything;
                    certain.then_some(Origin::Write(at))?
                }
                None if node == Node::ENTRY => Origin::Header,
                None => {
                    let before =
                        subgraph.nodes().filter(|&from| subgraph.edges(from).contains(&Edge::To(node)));
                    open.extend(before.map(|from| (from, subgraph.block(from).instructions.end)));
                    return Some(());
                }
            };
            if found.is_some_and(|known| known != origin) {
                return None;
            }
            found = Some(origin);
            Some(())
        })?;
        found
    }
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// From before this pass.
    Header,
    /// From an instruction of this pass.
    Write(usize),
}
