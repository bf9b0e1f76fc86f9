//! From instructions with targets to a structured program.
//!
//! | pass | takes | gives |
//! |---|---|---|
//! | [`graph`] | a routine, or the part of it that a call enters | basic blocks and their edges |
//! | [`analysis`] | the graph, all of it or one pass of a loop | loops, dominators, joins (postdominators), exits |
//! | | and the instructions | which branches are uniform, what calls may lead to, where registers are written |
//! | [`analysis::convergence`] | joins, uniform branches, the reconvergence points of SASS | whether the threads that a branch parts wait where its paths join |
//! | [`analysis::split_passes`] | exits, joins, uniform branches | in how many parts groups of threads issue a pass of a loop |
//! | [`analysis::trip_count`] | dominators, exits, writes of registers | how often a loop of PTX is passed |
//! | [`region`] | all of these | a tree of blocks, branches and loops |
//! | [`lower`] | the tree, the classes of the opcodes, the programs of the callees | the structured program |
//!
//! Loops inside of a loop are found in the graph of its one pass, so that the analyses run once for each loop while the
//! tree is built. Barriers are checked while the tree is lowered, when it is known what the callees hold.
//!
//! The paths of the program include those of the code; `docs/extract.md` has the rules and the proof.

mod analysis;
mod error;
mod graph;
mod loop_bound;
mod lower;
mod obstacle;
mod region;

use std::collections::{HashMap, HashSet};

pub use error::StructureError;
pub use loop_bound::LoopBound;
pub(super) use lower::program;
pub use obstacle::Obstacle;

/// What the user says of the branches and loops of a listing, and how the machine runs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowOptions<'o> {
    /// Bounds of loops by label or line.
    pub(super) loop_bounds: &'o HashMap<String, u64>,
    /// Labels or lines of branches that are uniform.
    pub(super) uniform: &'o HashSet<String>,
    /// Whether the arms of a branch may alternate, as from capability 7.0 on.
    pub(super) independent_threads: bool,
}
