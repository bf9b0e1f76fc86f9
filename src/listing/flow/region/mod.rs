//! The region tree of a function: its blocks, nested into branches and loops.
//!
//! The tree ends at the first place that has no structure, with the reason there. The lowering goes through the tree in
//! the same order and comes to that reason, unless something before it stands in the way.

mod branches;
mod loops;

pub(crate) use branches::{DEEPEST, build};

use crate::listing::flow::graph::BlockId;
use crate::listing::flow::{LoopBound, StructureError};
use crate::model::program::Divergence;

/// A part of a function that has one entry and goes on at one place. Branches are named by their instruction.
#[derive(Debug)]
pub(crate) enum Region {
    /// The instructions of a block.
    Block(BlockId),
    /// Threads may end, or begin the next pass of a loop, at this branch while others go on behind it.
    EarlyEnd { branch: usize },
    /// What is left of the pass of a loop behind a branch that may end the pass, if there may be barriers in it.
    RestOfPass { branch: usize, body: Vec<Region> },
    /// A branch with an arm for each path.
    Branch(Branch),
    /// A loop.
    Loop(Box<Loop>),
    /// A block at which the structure ends, and why.
    Refused(BlockId, StructureError),
}

/// A branch and what is executed on each of its paths up to their join.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) branch: usize,
    pub(crate) arms: Vec<Vec<Region>>,
    pub(crate) divergence: Divergence,
    /// Whether the paths do not join, so that each arm goes up to the end of the threads.
    pub(crate) ends_threads: bool,
}

/// A loop with a single entry, the header.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) header: BlockId,
    /// How often the header is passed, as the user says or as is evident.
    pub(crate) bound: LoopBound,
    /// The label or line by which the user gave the bound.
    pub(crate) given_as: Option<String>,
    /// One pass: everything from the header to where the loop is left or begins again.
    pub(crate) body: Vec<Region>,
    /// Where the body is left, by the number of regions before, if that is at a single place that every pass comes to.
    pub(crate) exit: Option<usize>,
    /// How many edges leave the loop, ends of the routine included.
    pub(crate) exit_edges: usize,
    /// How many parts of a pass may be issued later; see
    /// [`SplitPasses`](crate::listing::flow::analysis::split_passes::SplitPasses).
    pub(crate) later_parts: u64,
    /// The calls in the body.
    pub(crate) calls: Vec<usize>,
    /// A branch at which some threads of a warp may leave while others come to the header again.
    pub(crate) parting: Option<usize>,
    /// Whether some threads of a warp may leave before others.
    pub(crate) leaves_apart: bool,
    /// Whether there are loops in the body.
    pub(crate) nested: bool,
    /// The `BSYNC` behind the loop, which each group of threads that leaves issues.
    pub(crate) wait: Option<usize>,
}
