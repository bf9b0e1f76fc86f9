//! Branches that cannot diverge, because one of their paths holds an instruction that all threads must execute together: a barrier of the
//! block, or a shuffle of all lanes.
//!
//! CUDA demands that such an instruction is executed by all threads that have not ended, or by none. So a branch cannot
//! diverge if threads that diverge could not keep to that. They could if two of its paths lead to one block with no such
//! instruction before it, or if one of them may end the threads so, before the paths join. `docs/extract-divergence.md` has the rule.

use crate::closure::closure;
use crate::flow::analysis::postdominance::PostDominance;
use crate::flow::graph::{BlockId, Node, Subgraph};
use crate::routine::Routine;
use warpspan_isa::instruction::Flow;

/// The instructions that all threads must come to together.
#[derive(Debug)]
pub(super) struct Together<'w, 'g> {
    subgraph: &'w Subgraph<'g>,
    /// Whether a block holds one; by the number of the block.
    holds: Vec<bool>,
    /// Whether threads may end in a block, in what it calls before such an instruction.
    ends: Vec<bool>,
    any: bool,
    /// Where paths join, if a branch to an end of threads is a path like any other.
    joins: PostDominance,
}

impl<'w, 'g> Together<'w, 'g> {
    /// `such` says of an instruction whether all threads must come to it together, and `may_end` whether threads may end in what it
    /// calls.
    pub(super) fn new(
        routine: &Routine<'_>,
        subgraph: &'w Subgraph<'g>,
        such: impl Fn(usize) -> bool,
        may_end: impl Fn(usize) -> bool,
    ) -> Self {
        let blocks = || subgraph.graph().blocks().map(|(_, block)| block.instructions.clone());
        let holds: Vec<bool> = blocks().map(|mut block| block.any(&such)).collect();
        let ends = blocks().map(|mut block| block.find(|&at| such(at) || may_end(at)).is_some_and(&may_end));
        let ends = ends.collect();
        let goes_to_end = |node: Node| {
            let block = subgraph.block(node);
            block.ends && routine.instructions[block.last()].flow != Flow::End
        };
        let joins = PostDominance::with_ends(subgraph, goes_to_end);
        Self { subgraph, any: holds.contains(&true), holds, ends, joins }
    }

    fn holds(&self, node: Node) -> bool {
        self.holds[self.subgraph.block_id(node).index()]
    }

    /// Whether threads that come to the end of a block together take one path there, since they could not diverge
    /// without breaking the rule. It is not said where the paths only join because the threads end.
    pub(super) fn decides(&self, block: BlockId) -> bool {
        let Some(node) = self.subgraph.node_of(block).filter(|_| self.any) else { return false };
        let Some(join) = self.joins.join(node) else { return false };
        let targets: Vec<Node> = self.subgraph.edges(node).iter().filter_map(|edge| edge.node()).collect();
        let between = |to: &Node| self.subgraph.reached(*to, Some(join)).into_iter().any(|at| self.holds(at));
        if !targets.iter().any(between) {
            return false;
        }
        let mut reached = self.subgraph.per_node(|_| false);
        targets.into_iter().all(|to| {
            self.without(to, join).is_some_and(|path| {
                let parts = path.iter().any(|&at| reached[at]);
                path.into_iter().for_each(|at| reached[at] = true);
                !parts
            })
        })
    }

    /// The nodes to which a thread that goes to a node may come with no such instruction before; none if it may end so before the
    /// join.
    fn without(&self, to: Node, join: Node) -> Option<Vec<Node>> {
        // Whether it has come to the join is a part of where it is.
        let found = closure([(to, to == join)], |(node, joined), open| {
            if self.ends[self.subgraph.block_id(node).index()] && !joined {
                return None;
            }
            for edge in self.subgraph.edges(node).iter().filter(|_| !self.holds(node)) {
                match edge.node() {
                    Some(next) => open.push((next, joined || next == join)),
                    None if joined => {}
                    None => return None,
                }
            }
            Some(())
        })?;
        Some(found.into_iter().map(|(node, _)| node).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::flow::analysis::testing::{sass, with_function};
    use warpspan_isa::instruction::Flow;

    /// Of each branch of a kernel of PTX, in their order, whether it cannot diverge. Nothing is known of the predicates.
    fn ptx(body: &str) -> Vec<bool> {
        let text = format!(".version 7.0\n.target sm_75\n.visible .entry k()\n{{\n{body}\n}}\n{ENDS}");
        branches(&text)
    }

    fn branches(text: &str) -> Vec<bool> {
        with_function(text, "7.5", |function, _| {
            let all = 0..function.routine.instructions.len();
            let branch = |&at: &usize| {
                let one = &function.routine.instructions[at];
                one.conditional && one.flow != Flow::End || matches!(one.flow, Flow::Switch(_))
            };
            all.filter(branch).map(|at| function.uniform_at(at)).collect()
        })
    }

    const ENDS: &str = ".func ends()\n{\nexit;\n}\n";

    #[test]
    fn a_barrier_on_one_way_and_in_a_loop() {
        assert_eq!(ptx("@%p1 bra A;\nbar.sync 0;\nA:\nadd.u32 %r1, %r1, 1;\nexit;"), [true]);
        assert_eq!(ptx("L:\nbar.sync 0;\n@%p1 bra L;\nadd.u32 %r1, %r1, 1;\nexit;"), [true]);
        // Two barriers are not one.
        assert_eq!(
            ptx("@%p1 bra A;\nbar.sync 0;\nbra B;\nA:\nbar.sync 0;\nB:\nadd.u32 %r1, %r1, 1;\nexit;"),
            [true]
        );
    }

    /// Both paths may come to the barrier of the next pass.
    #[test]
    fn the_barrier_of_the_next_pass() {
        let end = "@!%p1 exit;\nbra B;";
        let body = |end: &str, out: &str| {
            ptx(&format!("L:\nbar.sync 0;\n@%p2 bra A;\n{end}\nA:\nadd.u32 %r1, %r1, 1;\nB:\nbra L;\n{out}"))
        };
        assert_eq!(body(end, ""), [false]);
        // The branch that leaves the loop decides whether there is a next pass.
        assert_eq!(body("@%p1 bra O;\nbra B;", "O:\nadd.u32 %r1, %r1, 1;\nexit;"), [false, true]);
    }

    /// If the inner branch goes past the barrier, the threads that came there need not be all.
    #[test]
    fn a_barrier_that_a_way_need_not_pass() {
        let body = "@%p1 bra A;\n@%p2 bra B;\nbar.sync 0;\nB:\nadd.u32 %r1, %r1, 1;\nA:\nadd.u32 %r1, %r1, 1;\nexit;";
        assert_eq!(ptx(body), [false, true]);
        // Two of the three paths of a jump pass none.
        let paths = "A:\nbar.sync 0;\nbra D;\nB:\nadd.u32 %r1, %r1, 1;\nbra D;\nC:\nadd.u32 %r1, %r1, 2;\nD:\nadd.u32 %r1, %r1, 3;\nexit;";
        assert_eq!(ptx(&format!("T: .branchtargets A, B, C;\nbrx.idx %r1, T;\n{paths}")), [false]);
    }

    /// Threads that end need not come to a barrier, wherever they do so before the paths join.
    #[test]
    fn ends_before_the_barrier() {
        let with = |before: &str| {
            ptx(&format!(
                "@%p1 bra A;\n{before}\nbar.sync 0;\nA:\nadd.u32 %r1, %r1, 1;\nexit;\nE:\nadd.u32 %r1, %r1, 2;\nexit;"
            ))
        };
        assert_eq!(with("add.u32 %r1, %r1, 1;"), [true]);
        assert_eq!(with("@%p2 exit;"), [false]);
        assert_eq!(with("call ends;"), [false]);
        assert_eq!(with("@%p2 bra E;"), [false, false]);
        let lines =
            ["@P0 BRA 0x30", "@P1 BRA 0x20", "BAR.SYNC 0x0", "EXIT", "BAR.SYNC 0x0", "FADD R1, R1, R1"];
        let lines = [&lines[..], &["FADD R1, R1, R1", "EXIT"]].concat();
        assert_eq!(branches(&sass("75", &lines)), [false, false]);
    }
}
