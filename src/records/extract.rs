//! The record of `extract`: the entries of a listing as kernel strings and programs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engines::program::ProgramBound;
use crate::listing::{self, Class, Letters, Share, shares};
use crate::model::{Code, Unit};
use crate::records::Body;
pub use crate::records::extract_cost::{
    Asked, Cost, FurtherCost, LineCost, LoopCost, MachineBound, SourceCost,
};
pub use crate::records::extract_machine::{MachineLine, OnMachine, UsedLetter};
use crate::records::words::words;
use crate::source::Message;

/// The entries of a listing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extract {
    /// The file of the listing.
    pub file: String,
    /// Its entries, in the order of the file.
    pub entries: Vec<Entry>,
}

impl Body for Extract {
    const SCHEMA: &'static str = "warpspan/extract/1";
}

/// An entry: a kernel that a host can launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The line where it starts, from 1.
    pub line: u32,
    /// What the listing is written in.
    pub language: Language,
    /// The compute capability that letters are counted for, such as `8.6`.
    pub compute_capability: String,
    /// Instructions of the entry.
    pub instructions: usize,
    /// The kernel string, a letter an instruction before any repetition; null where there are branches.
    pub kernel: Option<String>,
    /// Whether there is a kernel string.
    pub straight: bool,
    /// Branches of the entry.
    pub branches: usize,
    /// Loops of the entry.
    pub loops: usize,
    /// Barriers of the entry.
    pub barriers: usize,
    /// Instructions for the load/store units.
    pub load_store: usize,
    /// Instructions for the CUDA cores.
    pub compute: usize,
    /// The loops, and how often they run.
    pub loop_bounds: Vec<Loop>,
    /// The text of the program, each instruction as often as it counts; null where there is none.
    pub program: Option<String>,
    /// Why there is no program; null where there is one.
    pub structure_error: Option<String>,
    /// An upper bound for the warps that were asked for; absent where none were, or it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<EntryBound>,
    /// Why there is no bound although one was asked for; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound_error: Option<String>,
    /// What else should be known of the bound, a sentence each; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The instructions; absent unless they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listing: Vec<Line>,
    /// The opcodes that no class has, which count as the dearest instruction of each unit; absent where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_opcodes: Vec<UnknownOpcode>,
    /// The entry on a machine; absent unless one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<OnMachine>,
}

/// An opcode that no class has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownOpcode {
    /// Its name with modifiers.
    pub opcode: String,
    /// The first line that has it, from 1.
    pub line: u32,
}

words! {
    /// What a listing is written in.
    Language from listing::Language {
        /// NVIDIA's virtual instruction set.
        Ptx = "ptx",
        /// Machine code.
        Sass = "sass",
    }
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loop {
    /// The label of its header, or the line where that has none.
    pub label: String,
    /// The line of its header, from 1.
    pub line: u32,
    /// How often the header is passed at most; null where that is not known.
    pub most: Option<u64>,
    /// Whether the code shows it; else the user says it.
    pub evident: bool,
}

impl From<&listing::LoopBound> for Loop {
    fn from(one: &listing::LoopBound) -> Self {
        Self { label: one.label.clone(), line: one.line, most: one.most, evident: one.evident }
    }
}

/// The bound for so many warps of an entry, alone on a multiprocessor of its capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EntryBound {
    /// How many warps there are.
    pub warps: u64,
    /// How many of them share barriers; null for all.
    pub warps_per_block: Option<u64>,
    /// An upper bound: no schedule takes more cycles.
    pub upper: u64,
    /// Whether some schedule of the letters takes as many.
    pub exact: bool,
    /// a, the cycles that a further warp adds: a whole number or a ratio such as `7/2`.
    pub rate: String,
    /// What the bound takes for granted, a sentence each.
    pub assumes: Vec<String>,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The line of the listing, from 1.
    pub line: u32,
    /// The label before it; null where there is none.
    pub label: Option<String>,
    /// Its text.
    pub instruction: String,
    /// Its letter.
    pub letter: String,
    /// How many letters it counts; null where no table says.
    pub count: Option<u64>,
    /// Why it has this letter.
    pub why: String,
    /// The phases that it acts in on a path of the largest a: `L`, `C`, `LC`, or `-` off the path; absent
    /// without a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// What it adds to a, in cycles: a whole number or a ratio; absent without a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adds: Option<String>,
    /// The same in percent of what all lines add; absent without a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

impl Line {
    fn new(line: u32, label: Option<String>, instruction: String, class: &Class) -> Self {
        let (letter, count, why) = (class.letters.to_string(), class.letters.count(), class.why.clone());
        Self { line, label, instruction, letter, count, why, phase: None, adds: None, share: None }
    }

    fn with(mut self, share: Option<Share>) -> Self {
        self.phase = share.map(|share| share.phase());
        self.adds = share.map(|share| share.adds.to_string());
        self.share = share.map(|share| f64::from(share.thousandths) / 10.0);
        self
    }
}

/// The instructions with their shares; where several share a line, the first one has them.
fn lines(entry: &listing::Entry, bound: Option<&ProgramBound>) -> Vec<Line> {
    let mut shares = bound.map_or(BTreeMap::new(), shares);
    let mut lines = Vec::with_capacity(entry.lines.len());
    for line in &entry.lines {
        let record = Line::new(line.line, line.label.clone(), line.text.clone(), &line.class);
        lines.push(record.with(shares.remove(&line.line)));
    }
    for (line, share) in shares {
        let called = Class { letters: Letters::None, why: "called from this entry".to_owned() };
        lines.push(Line::new(line, None, "(in a function)".to_owned(), &called).with(Some(share)));
    }
    lines
}

impl Entry {
    /// The record of an entry, with the bound for so many warps, and so many a block, if one is asked for.
    /// `words` puts what is wrong, and what would do, into the words of the user's flags.
    pub fn new(
        entry: &listing::Entry,
        launch: Option<(u64, Option<u64>)>,
        words: impl Fn(&Message) -> String,
    ) -> Self {
        let found = launch.map(|(warps, block)| (warps, block, entry.bound(warps, block)));
        let bound =
            found.as_ref().and_then(|(warps, block, bound)| Some((*warps, *block, bound.as_ref().ok()?)));
        let listing = lines(entry, bound.map(|(_, _, bound)| bound));
        let assumed = bound.and_then(|_| entry.capability.assumes(&Unit::ALL));
        Self {
            notes: assumed.into_iter().collect(),
            name: entry.name.clone(),
            line: entry.line,
            language: entry.language.into(),
            compute_capability: entry.capability.version.to_owned(),
            instructions: entry.instructions,
            kernel: entry.kernel.clone(),
            straight: entry.kernel.is_some(),
            branches: entry.branches,
            loops: entry.loops.len(),
            barriers: entry.barriers,
            load_store: entry.letters[Unit::LoadStore],
            compute: entry.letters[Unit::CudaCore],
            loop_bounds: entry.loops.iter().map(Into::into).collect(),
            program: entry.program.as_ref().ok().map(|program| Code::Program(program.clone()).to_string()),
            structure_error: entry.program.as_ref().err().map(|error| words(&error.message())),
            bound: bound.map(|(warps, warps_per_block, bound)| EntryBound {
                warps,
                warps_per_block,
                upper: bound.makespan.cycles().0,
                exact: bound.exact,
                rate: bound.rates.first().map(ToString::to_string).unwrap_or_default(),
                assumes: bound.assumes.clone(),
            }),
            bound_error: found.and_then(|(_, _, bound)| bound.err()).map(|error| words(&error)),
            listing,
            unknown_opcodes: entry
                .unknown_opcodes
                .iter()
                .map(|(opcode, line)| UnknownOpcode { opcode: opcode.clone(), line: *line })
                .collect(),
            machine: None,
        }
    }
}
