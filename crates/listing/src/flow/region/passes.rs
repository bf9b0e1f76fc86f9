//! The passes of loops, each found once.
//!
//! Code that arms share is copied into each, and a loop in it is reached again with each copy; where groups of threads stay apart, a
//! loop is built several times before it is known how. What such a visit asks of a pass depends on the header and on where the loops
//! around end alone, so all visits share it: there are as many passes as such places, and not as many as visits.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use crate::flow::analysis::convergence::Reconvergence;
use crate::flow::analysis::counts::{CountedLoop, Tests};
use crate::flow::analysis::split_passes::SplitPasses;
use crate::flow::analysis::{Function, Scope, waits};
use crate::flow::graph::{BlockId, Node, PerNode};
use crate::flow::{LoopBound, StructureError};
use crate::formula::End;

/// How many pieces the code from a node up to another one, or to the end of the scope, would be.
#[derive(Debug, Default)]
pub(super) struct Costs(pub(super) RefCell<HashMap<(Node, Option<Node>), usize>>);

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

impl<'g> Pass<'g> {
    pub(super) fn new(scope: Scope<'g>, reconvergences: PerNode<Reconvergence>) -> Self {
        let (costs, bounds) = (Costs::default(), Default::default());
        Self { scope, reconvergences, costs, split: OnceCell::new(), ways_out: OnceCell::new(), bounds }
    }

    /// The bound of the loop, and what the user gave it by.
    pub(super) fn bound(&self, function: &Function<'_, '_>, own_passes: bool) -> Bound {
        let find = || bound(function, &self.scope, own_passes);
        self.bounds[usize::from(own_passes)].get_or_init(find).clone()
    }
}

/// The bound of a loop, which is the smaller one of what the code shows and what the user declares, and what the user gave it by.
/// Both count the passes of a warp each time it comes to the loop. `own_passes`: whether groups of threads may make passes of their
/// own, which no counter counts.
fn bound(function: &Function<'_, '_>, pass: &Scope<'_>, own_passes: bool) -> (LoopBound, Vec<String>) {
    let counted = CountedLoop::new(function.routine, pass);
    let header = counted.header();
    let (label, line) = (function.place(header), function.line(header));
    let given = function.program.options.loop_bounds.of(&label, line);
    let in_all = function.program.options.loop_totals.of(&label, line).filter(|_| given.is_none());
    let is_said = given.is_some() || in_all.is_some();
    let (tests, of_groups) = if own_passes { (None, false) } else { tests(function, &counted, is_said) };
    let wait = if tests.is_none() { waits::wait(function, pass) } else { None };
    let counted = tests.map(|tests| tests.most);
    let [declared, total] = [&given, &in_all].map(|said| said.as_ref().map(|said| said.least));
    let declared_too = given.as_ref().or(in_all.as_ref()).map(|said| said.most);
    let said = declared.or(total);
    let bound = LoopBound {
        label,
        line,
        most: [counted, said].into_iter().flatten().min(),
        inferred: counted.is_some_and(|counted| said.is_none_or(|said| counted <= said)),
        declared,
        counted,
        declared_too: declared_too.filter(|&most| Some(most) > said),
        least: tests.map_or(1, |tests| tests.least),
        total,
        of_groups,
        wait,
        formula: tests.and_then(|tests| tests.formula).and_then(End::formula),
        parameters: Vec::new(),
    };
    (bound, given.map(|said| said.by).unwrap_or_default())
}

/// How often a loop is passed, as its code shows, and whether that takes for granted that each group of threads reads in uniform
/// registers what it wrote there itself: only where nobody says a number and nothing else gives one.
fn tests<'a>(
    function: &Function<'a, '_>,
    counted: &CountedLoop<'a, '_>,
    is_said: bool,
) -> (Option<Tests>, bool) {
    let found = counted.trip_count(function.numbers());
    if found.is_some() || is_said {
        return (found, false);
    }
    let found = function.numbers_of_groups().and_then(|numbers| counted.trip_count(numbers));
    (found, found.is_some())
}
