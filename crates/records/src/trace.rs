//! The record of `trace`: what a kernel did in runs that were traced. All of it holds for the inputs of these runs alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Body;
use crate::verify::Found;
use warpspan_listing::MemorySpace;
use warpspan_listing::trace::{Traced, TracedAccess, TracedBranch, TracedLaunch, TracedLoop};

/// What traces of a kernel show, for their inputs alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// The file of the listing.
    pub file: String,
    /// The kernel.
    pub entry: String,
    /// The line of the listing where it begins.
    pub line: u32,
    /// The traces for whose inputs alone each number here holds.
    pub of_input: Vec<String>,
    /// The sizes of the grid.
    pub grid: [u64; 3],
    /// The sizes of a block.
    pub block: [u64; 3],
    /// The launches, in the order of the files.
    pub launches: Vec<Launch>,
    /// The most instructions that a warp issued.
    pub most_instructions_of_a_warp: u64,
    /// The loops.
    pub loops: Vec<Loop>,
    /// The conditional branches that were executed.
    pub branches: Vec<Branch>,
    /// Where control did not go on behind code that was executed.
    pub unreached: Vec<Place>,
    /// The instructions that accessed memory.
    pub accesses: Vec<Access>,
    /// The file of declarations that was written; null where none was asked for.
    pub declarations: Option<String>,
    /// What the traces do not say, a sentence each.
    pub not_covered: Vec<String>,
}

impl Body for Trace {
    const SCHEMA: &'static str = "warpspan/trace/1";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.trace(self))
    }
}

/// A launch that was traced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Launch {
    /// The trace.
    pub file: String,
    /// The number of the launch in its program.
    pub id: u64,
    /// The version of the tracer.
    pub tracer: u64,
    /// Its warps.
    pub warps: u64,
    /// The instructions that they issued.
    pub instructions: u64,
    /// Different sectors of 32 bytes of global memory, at most of a block.
    pub sectors_of_a_block: u64,
    /// Different lines of 128 bytes of global memory, at most of a block.
    pub lines_of_a_block: u64,
    /// Different sectors that all blocks touched together.
    pub sectors: u64,
    /// Different lines that all blocks touched together.
    pub lines: u64,
    /// The bytes of all sectors that accesses of global memory asked for, each as often as an access asked: what moves through L2 if no
    /// other cache keeps anything.
    pub asked_bytes: u64,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loop {
    /// The label of its header, or the line where that has none.
    pub label: String,
    /// The line of its header.
    pub line: u32,
    /// How often a warp came to it.
    pub visits: u64,
    /// How often a warp passed the header at most, each time it came.
    pub most: u64,
    /// The same at least.
    pub least: u64,
    /// Why no passes are declared; absent where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undeclared: Option<String>,
}

/// A conditional branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    /// Its line.
    pub line: u32,
    /// How often a warp executed it.
    pub times: u64,
    /// How often some but not all of the lanes that were there took it, or the trace does not show that they went one way.
    pub diverged: u64,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// Its line.
    pub line: u32,
    /// Its text.
    pub instruction: String,
}

/// An instruction that accessed memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// Its line.
    pub line: u32,
    /// Its text.
    pub instruction: String,
    /// The memory; null where the trace does not tell it.
    pub space: Option<MemorySpace>,
    /// How often a warp did it with at least a lane.
    pub times: u64,
    /// The most lanes that did it together.
    pub lanes: u64,
    /// The most transactions of a pass of one execution, as `--transactions` counts them; null where they are not counted.
    pub transactions: Option<u64>,
    /// The most sectors of one execution; of global memory.
    pub sectors: Option<u64>,
    /// The most lines of one execution; of global memory.
    pub touched_lines: Option<u64>,
    /// Why transactions are not counted; null where they are.
    pub why_not: Option<String>,
}

/// What no trace of this kind says.
const NOT_COVERED: [&str; 4] = [
    "any other input",
    "what caches keep, prefetch and write back, so that no declaration says how much moves through L2 and DRAM",
    "local memory, constant caches and the fetching of instructions",
    "what the tracer did not see: another order of the warps where they race",
];

impl Trace {
    /// Of what was found, with the listing's name and that of the declarations.
    pub fn new(file: &str, found: &Traced, declarations: Option<String>) -> Self {
        let header = found.launches.first().map(|one| &one.header);
        let mut not_covered = NOT_COVERED.map(str::to_owned).to_vec();
        if found.loops_unknown {
            not_covered.push(
                "iterations of loops, since one of them has two entries or there are more than 64".to_owned(),
            );
        }
        Self {
            file: file.to_owned(),
            entry: found.entry.clone(),
            line: found.line,
            of_input: found.launches.iter().map(|one| one.file.clone()).collect(),
            grid: header.map_or([0; 3], |one| one.grid),
            block: header.map_or([0; 3], |one| one.block),
            launches: found.launches.iter().map(Into::into).collect(),
            most_instructions_of_a_warp: found.most_of_a_warp,
            loops: found.loops.iter().map(Into::into).collect(),
            branches: found.branches.iter().map(Into::into).collect(),
            unreached: found
                .unreached
                .iter()
                .map(|(line, instruction)| Place { line: *line, instruction: instruction.clone() })
                .collect(),
            accesses: found.accesses.iter().map(Into::into).collect(),
            declarations,
            not_covered,
        }
    }
}

impl From<&TracedLaunch> for Launch {
    fn from(one: &TracedLaunch) -> Self {
        let ([sectors_of_a_block, lines_of_a_block], [sectors, lines]) = (one.block, one.all);
        Self {
            file: one.file.clone(),
            id: one.header.id,
            tracer: one.header.tracer,
            warps: one.warps,
            instructions: one.instructions,
            sectors_of_a_block,
            lines_of_a_block,
            sectors,
            lines,
            asked_bytes: one.asked.saturating_mul(32),
        }
    }
}

impl From<&TracedLoop> for Loop {
    fn from(one: &TracedLoop) -> Self {
        let passes = one.passes;
        Self {
            label: one.label.clone(),
            line: one.line,
            visits: passes.visits,
            most: passes.most,
            least: passes.least,
            undeclared: one.undeclared.map(str::to_owned),
        }
    }
}

impl From<&TracedBranch> for Branch {
    fn from(one: &TracedBranch) -> Self {
        Self { line: one.line, times: one.times, diverged: one.diverged }
    }
}

impl From<&TracedAccess> for Access {
    fn from(one: &TracedAccess) -> Self {
        Self {
            line: one.line,
            instruction: one.instruction.clone(),
            space: one.space,
            times: one.times,
            lanes: one.lanes,
            transactions: one.transactions,
            sectors: one.touched.map(|touched| touched[0]),
            touched_lines: one.touched.map(|touched| touched[1]),
            why_not: one.why_not.map(str::to_owned),
        }
    }
}
