//! The passes of loops, each found once.
//!
//! Code that arms share is copied into each, and a loop in it is reached again with each copy; where groups of threads stay apart, a
//! loop is built several times before it is known how. What such a visit asks of a pass depends on the header and on where the loops
//! around end alone, so all visits share it: there are as many passes as such places, and not as many as visits.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::flow::analysis::convergence::Reconvergence;
use crate::flow::analysis::counts::CountedLoop;
use crate::flow::analysis::split_passes::SplitPasses;
use crate::flow::analysis::{Function, Scope};
use crate::flow::graph::{BlockId, Node, PerNode};
use crate::flow::region::branches::Builder;
use crate::flow::region::loops::bound;
use crate::flow::region::steps::Costs;
use crate::flow::{LoopBound, Obstacle, StructureError};

/// In how many steps a tree may be built. The search for one that needs more is given up where it is, as that for one of too many pieces is.
const MOST_STEPS_OF_A_TREE: usize = 4_000_000;

/// One pass of a loop, with what is known of it.
pub(super) struct Pass<'g> {
    pub(super) scope: Scope<'g>,
    /// Where the groups of each branch reconverge.
    pub(super) reconvergences: PerNode<Reconvergence>,
    pub(super) costs: Costs,
    /// What threads that diverge do to it.
    pub(super) split: OnceCell<Result<SplitPasses, StructureError>>,
    /// Where code on the way out begins that is worth to be taken out of it.
    pub(super) ways_out: OnceCell<Option<(usize, Vec<Node>)>>,
    /// The bound of the loop, unless groups may make passes of their own, and if they may.
    bounds: [OnceCell<Bound>; 2],
}

/// The bound of a loop, and what the user gave it by.
type Bound = (LoopBound, Vec<String>);

/// The passes that a tree was built from, by the header, the blocks at which it ends, and whether it is that of a single thread.
pub(super) type Passes<'g> = HashMap<(BlockId, Vec<BlockId>, bool), Rc<Pass<'g>>>;

impl Pass<'_> {
    /// The bound of the loop, and what the user gave it by.
    pub(super) fn bound(&self, function: &Function<'_, '_>, own_passes: bool) -> Bound {
        let find = || bound(&CountedLoop::new(function, &self.scope), own_passes);
        self.bounds[usize::from(own_passes)].get_or_init(find).clone()
    }
}

impl<'g> Builder<'_, 'g> {
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
                let pass = Rc::new(Pass {
                    scope,
                    reconvergences,
                    costs: Costs::default(),
                    split: OnceCell::new(),
                    ways_out: OnceCell::new(),
                    bounds: Default::default(),
                });
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
}
