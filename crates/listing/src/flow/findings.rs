//! What is found on the way to a program.

use std::collections::{BTreeSet, HashSet};

use crate::flow::LoopBound;
use warpspan_model::assumption::Assumption;

/// What the lowering found on its way, also if there is no program.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The loops, each once, as far as the lowering came.
    pub(crate) loops: Vec<LoopBound>,
    pub(super) known: HashSet<LoopBound>,
    /// Labels and lines that the user gave and that were of use.
    pub(crate) used: HashSet<String>,
    /// The lines of loops for which the user says fewer passes than warps make for certain, with what is wrong.
    pub(crate) too_small: Vec<(u32, String)>,
    /// That no warp comes to a loop, which follows from what the user says of its passes, a sentence each.
    pub(crate) unreached: Vec<Assumption>,
    /// The lines of branches that are uniform only because a shuffle of all lanes is on one of their paths.
    pub(crate) shuffles: BTreeSet<u32>,
    /// What the searches for the trees took.
    pub(crate) work: Work,
}

/// What a search for a tree took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// The steps, one for each region and for each node of a pass that is reached.
    pub(crate) steps: usize,
    /// The passes that were found.
    pub(crate) passes: usize,
}

impl Work {
    pub(crate) fn add(&mut self, more: Self) {
        self.steps = self.steps.saturating_add(more.steps);
        self.passes = self.passes.saturating_add(more.passes);
    }
}
