//! The part of the record of `extract` that says what accesses of memory touch.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_listing::{self as listing, MemoryAccess, SourceLine};
use warpspan_model::words;

words! {
    /// Where a number of transactions is from.
    Evidence {
        /// It follows from the code.
        Inferred = "inferred",
        /// The user declares it.
        Declared = "declared",
        /// Nothing is known, and the worst case counts.
        Assumed = "assumed",
    }
}

/// A line of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The file as the listing names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// What one execution of an instruction by a warp touches at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// The line of the listing, from 1.
    pub line: u32,
    /// The line of the source; absent where the listing names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The memory: `global` or `shared`.
    pub space: listing::MemorySpace,
    /// Lines of 128 bytes; absent for shared memory. Of a declared number of transactions these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// Sectors of 32 bytes; absent for shared memory. Of a declared number of transactions these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sectors: Option<u64>,
    /// How often the warp passes because of the banks of shared memory and the width; absent for global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<u64>,
    /// Where the numbers are from.
    pub evidence: Evidence,
}

impl Memory {
    pub(crate) fn new(access: &MemoryAccess, source: &BTreeMap<u32, SourceLine>) -> Self {
        let source = source.get(&access.line);
        Self {
            line: access.line,
            source: source.map(|source| Source { file: source.file.clone(), line: source.line }),
            space: access.space,
            lines: access.lines,
            sectors: access.sectors,
            conflict: access.conflict,
            evidence: match access.evidence {
                listing::Evidence::SameAddress | listing::Evidence::Inferred => Evidence::Inferred,
                listing::Evidence::Declared => Evidence::Declared,
                listing::Evidence::Assumed => Evidence::Assumed,
            },
        }
    }
}

/// How many sectors of 32 bytes and lines of 128 bytes of memory something touches at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extent {
    /// Different sectors.
    pub sectors: u64,
    /// Different lines.
    pub lines: u64,
}

/// What accesses of an array of global memory touch at most of which the code shows where they go. Arrays are told apart by the parameters that
/// point to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Footprint {
    /// The parameter, in SASS a word of the constant bank.
    pub array: String,
    /// What a block touches; null where that is not known.
    pub block: Option<Extent>,
    /// What all blocks touch together; null where that is not known, such as without the sizes of the grid.
    pub launch: Option<Extent>,
}

impl Footprint {
    pub(crate) fn new(footprint: &listing::Footprint) -> Self {
        let extent = |one: listing::Extent| Extent { sectors: one.sectors, lines: one.lines };
        // What is known of some of the accesses only says nothing of all.
        let known = |one: &listing::machine::Touching, other: &listing::machine::Touching| {
            (!one.lines.is_empty() && other.lines.is_subset(&one.lines)).then(|| extent(one.touched))
        };
        Self {
            array: footprint.array.clone(),
            block: known(&footprint.block, &footprint.launch),
            launch: known(&footprint.launch, &footprint.block),
        }
    }
}
