//! What runs of a kernel showed.

use crate::trace::access::TracedAccess;
use crate::trace::follow::Passes;
use crate::trace::header::Header;

/// What some runs of a kernel showed.
#[derive(Debug, Clone)]
pub struct Traced {
    /// The kernel.
    pub entry: String,
    /// The line of the listing where it begins.
    pub line: u32,
    /// The launches that were traced, in the order of the files.
    pub launches: Vec<TracedLaunch>,
    /// The most instructions that a warp issued.
    pub most_of_a_warp: u64,
    /// The loops, in the order of the listing.
    pub loops: Vec<TracedLoop>,
    /// Whether there are loops whose passes cannot be told, since one is entered at two places.
    pub loops_unknown: bool,
    /// The conditional branches that were executed, in the order of the listing.
    pub branches: Vec<TracedBranch>,
    /// The lines behind executed code to which control never came, each with its instruction.
    pub unreached: Vec<(u32, String)>,
    /// The instructions that accessed memory.
    pub accesses: Vec<TracedAccess>,
    /// The file of declarations that all of this is, for these inputs alone.
    pub declarations: String,
}

/// A launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedLaunch {
    /// The file.
    pub file: String,
    /// What its header says.
    pub header: Header,
    /// The warps of all blocks.
    pub warps: u64,
    /// The instructions that they issued.
    pub instructions: u64,
    /// The most different sectors and lines of global memory that a block touched.
    pub block: [u64; 2],
    /// Those that all blocks touched together.
    pub all: [u64; 2],
    /// The sectors of all accesses of global memory, each as often as an access touched it.
    pub asked: u64,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedLoop {
    /// The label of its header, or the line.
    pub label: String,
    /// The line of its header.
    pub line: u32,
    /// How often warps passed it.
    pub passes: Passes,
    /// Why no passes are declared; none where they are.
    pub undeclared: Option<&'static str>,
    pub(crate) header: usize,
}

/// A conditional branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedBranch {
    /// Its line.
    pub line: u32,
    /// How often a warp executed it.
    pub times: u64,
    /// How often its lanes may have diverged: some of them took it, or the file does not show how many.
    pub diverged: u64,
    pub(crate) at: usize,
}
