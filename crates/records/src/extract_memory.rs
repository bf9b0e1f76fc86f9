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
