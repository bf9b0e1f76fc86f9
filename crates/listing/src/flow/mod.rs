//! From instructions with targets to a structured program.
//!
//! | pass | takes | gives |
//! |---|---|---|
//! | `graph` | a routine, or the part that a call enters | basic blocks and their edges |
//! | `analysis` | a graph, or one pass of a loop in it | loops, dominators, joins, exits |
//! | `analysis::uniformity` | instructions, joins | the branches that cannot diverge |
//! | `analysis::convergence` | joins, uniform branches, locations of SASS | whether threads wait at the joins |
//! | `analysis::split_passes` | exits, joins, uniform branches | the parts in which groups issue a pass |
//! | `analysis::counts` | dominators, exits, what instructions write | how often a loop is passed |
//! | `analysis::waits` | exits, what instructions read and write | the loops that wait for what other blocks write |
//! | `region` | all of these | a tree of blocks, branches and loops |
//! | `branches` | the analyses | the branches that may be declared uniform |
//! | `lower` | the tree, classes of opcodes, programs of callees | the structured program |
//!
//! Loops inside of a loop are found in the graph of its one pass, so that the analyses run once for each loop
//! while the tree is built. Barriers are checked while the tree is lowered, when it is known what the callees
//! hold.
//!
//! The paths of the program include those of the code; `docs/extract-structure.md` has the rules and the proof.

// Layers: a module uses only those of the groups above its own.
mod graph;
mod obstacle;
mod wait;

mod fixed_point;
mod loop_bound;

mod error;
mod findings;

mod analysis;

mod branches;
mod region;

mod lower;

use std::collections::HashSet;

use crate::LoopBounds;
use crate::params::Launch;

pub(super) use analysis::callees;
#[cfg(test)]
pub(crate) use analysis::testing;
pub(super) use analysis::{KnownFunctions, ListingWith};
pub(super) use branches::{BranchOf, branches};
pub use error::StructureError;
pub(super) use findings::{Findings, Work};
pub(crate) use graph::{BlockId, ControlFlowGraph};
pub use loop_bound::LoopBound;
pub(super) use lower::{Alphabet, barrier, program};
pub use obstacle::Obstacle;
pub use wait::{Wait, WaitKind};

/// What the user says of the branches and loops of a listing, and how the machine runs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowOptions<'o> {
    /// Bounds of loops by label or line.
    pub(super) loop_bounds: &'o LoopBounds,
    /// How often all warps of a launch pass loops together, by label or line.
    pub(super) loop_totals: &'o LoopBounds,
    /// Labels or lines of branches that are uniform.
    pub(super) uniform: &'o HashSet<String>,
    /// What the user says of the launch.
    pub(super) launch: &'o Launch,
    /// Whether the arms of a branch may alternate, as from capability 7.0 on.
    pub(super) independent_threads: bool,
}
