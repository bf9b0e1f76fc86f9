//! The record of `extract`: the entries of a listing as kernel strings and programs.

use crate::Assumption;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Body;
use crate::assumption::listed;
pub use crate::extract_cost::{Asked, Cost, FurtherCost, LineCost, LoopCost, MachineBound, SourceCost};
pub use crate::extract_machine::{MachineLine, OnMachine, UsedLetter};
pub use crate::extract_memory::{Evidence, Extent, Footprint, Memory, Source};
pub use crate::extract_share::{FurtherShare, LineShare, LoopShare, SourceShare};
use crate::verify::Found;
use warpspan_engines::program::ProgramBound;
use warpspan_kernel::entry::{self, Share, shares};
pub use warpspan_listing::Language;
use warpspan_listing::{self as listing, Class, Letters};
use warpspan_model::source::Message;
use warpspan_model::{Code, Unit};

/// The entries of a listing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extract {
    /// The file of the listing.
    pub file: String,
    /// Its entries, in the order of the file.
    pub entries: Vec<Entry>,
}

impl Body for Extract {
    const SCHEMA: &'static str = "warpspan/extract/2";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.extract(self))
    }
}

/// An entry: a kernel that a host can launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The line where it starts, from 1.
    pub line: u32,
    /// The traces for whose inputs alone all of this holds, since declarations of them were used; absent if it holds for every input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_input: Vec<String>,
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
    /// The values of parameters and sizes of the launch that were given, by their names: a whole number, or
    /// `LEAST..MOST`. Everything else holds for these launches only. Absent where none were given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
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
    /// The bound as an expression in the bounds of loops that have none; absent unless it was asked for, or
    /// where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<Symbolic>,
    /// Why there is no expression although one was asked for; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbolic_error: Option<String>,
    /// What the reading of the entry and its bound rest on, as `docs/assumptions.md` explains; on a machine also what stands there.
    pub assumptions: Vec<Assumption>,
    /// What else should be known of the bound, a sentence each; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The instructions; absent unless they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listing: Vec<Line>,
    /// The opcodes that no class has, which count as the most expensive instruction of each unit; absent where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_opcodes: Vec<UnknownOpcode>,
    /// What one execution by a warp of each instruction that accesses global or shared memory touches at most; absent unless a machine
    /// was named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Memory>,
    /// What a block and a launch touch of each array of global memory at most; absent unless a machine was named and the sizes of a
    /// block are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub footprint: Vec<Footprint>,
    /// The lines of accesses of memory behind the multiprocessors of which it is not known where they go, so that they are in no footprint;
    /// absent where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unplaced: Vec<u32>,
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
    pub inferred: bool,
    /// What the user says, if that is more than the code shows; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<u64>,
}

impl From<&listing::LoopBound> for Loop {
    fn from(one: &listing::LoopBound) -> Self {
        let declared = one.declared.filter(|declared| one.counted.is_some_and(|counted| counted < *declared));
        Self { label: one.label.clone(), line: one.line, most: one.most, inferred: one.inferred, declared }
    }
}

/// A bound as an expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Symbolic {
    /// How many warps there are.
    pub warps: u64,
    /// An upper bound in cycles for any values of the symbols from 1 on, of whole numbers, `+`, `-`, `*`, `/`,
    /// `min`, `max` and `floor`.
    pub expression: String,
    /// What the symbols in it are.
    pub symbols: Vec<Symbol>,
}

/// A symbol: how often a loop is passed at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Symbol {
    /// Its name in the expression.
    pub name: String,
    /// The label of the header of the loop, or the line where that has none.
    pub label: String,
    /// The line of its header, from 1.
    pub line: u32,
    /// What it is for the parameters of a launch: an upper bound of how often the loop is passed, of whole numbers, names of
    /// parameters, `+`, `-`, `*`, `/`, `max` and `floor`. Absent where the code does not show one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The values of the parameters for which the definition holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
}

/// The bound for so many warps of an entry, alone on a multiprocessor of its capability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What each line of the listing adds, the largest first, without those that add nothing.
    #[serde(default)]
    pub lines: Vec<LineShare>,
    /// The lines that were left out of the list, together; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub further: Option<FurtherShare>,
    /// What each loop adds with the loops in it, the largest first; absent where no loop adds anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopShare>,
    /// What each line of the source adds, the largest first; absent where the listing names no source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<SourceShare>,
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
    /// without a bound, and where it has no letters.
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

    /// The same with its share in a bound; a line without letters adds nothing.
    fn with(mut self, share: Option<Share>) -> Self {
        self.phase = share.map(|share| share.phase());
        self.adds = Some(share.map_or("0".to_owned(), |share| share.adds.to_string()));
        self.share = Some(share.map_or(0.0, |share| f64::from(share.thousandths) / 10.0));
        self
    }
}

/// The instructions with their shares; where several share a line, the first one has them.
fn lines(entry: &listing::Entry, bound: Option<&ProgramBound>) -> Vec<Line> {
    let mut shares = bound.map_or(BTreeMap::new(), shares);
    let mut lines = Vec::with_capacity(entry.lines.len());
    for line in &entry.lines {
        let record = Line::new(line.line, line.label.clone(), line.text.clone(), &line.class);
        lines.push(match bound {
            Some(_) => record.with(shares.remove(&line.line)),
            None => record,
        });
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
        let found = launch.map(|(warps, block)| (warps, block, entry::bound(entry, warps, block)));
        let bound =
            found.as_ref().and_then(|(warps, block, bound)| Some((*warps, *block, bound.as_ref().ok()?)));
        let listing = lines(entry, bound.map(|(_, _, bound)| bound));
        let of_bound = bound.iter().flat_map(|(_, _, bound)| bound.assumes.iter().cloned());
        let of_units = bound.and_then(|_| entry.capability.assumes(&Unit::ALL));
        let all = entry.assumptions().into_iter().chain(of_bound).chain(of_units);
        Self {
            assumptions: listed(all, |remedy| words(&Message::of(remedy.clone()))),
            notes: entry.declared_larger(),
            params: entry.params.iter().map(|(name, range)| (name.clone(), range.to_string())).collect(),
            name: entry.name.clone(),
            line: entry.line,
            of_input: entry.of_input.iter().cloned().collect(),
            language: entry.language,
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
            bound: bound.map(|(warps, block, bound)| EntryBound::new(entry, warps, block, bound)),
            bound_error: found.and_then(|(_, _, bound)| bound.err()).map(|error| words(&error)),
            listing,
            unknown_opcodes: entry
                .unknown_opcodes
                .iter()
                .map(|(opcode, line)| UnknownOpcode { opcode: opcode.clone(), line: *line })
                .collect(),
            memory: vec![],
            footprint: vec![],
            unplaced: vec![],
            machine: None,
            symbolic: None,
            symbolic_error: None,
        }
    }

    /// Adds the bound of so many warps as an expression, or why there is none.
    pub fn set_symbolic(
        &mut self,
        warps: u64,
        found: &Result<entry::Symbolic, Message>,
        words: impl Fn(&Message) -> String,
    ) {
        match found {
            Ok(found) => {
                let symbol = |one: &listing::Symbol| Symbol {
                    name: one.name.clone(),
                    label: one.label.clone(),
                    line: one.line,
                    definition: one.definition.as_ref().map(|one| one.formula.to_string()),
                    holds: one.definition.as_ref().map(listing::Definition::ranges).unwrap_or_default(),
                };
                let symbols = found.symbols.iter().map(symbol).collect();
                self.symbolic = Some(Symbolic { warps, expression: found.expression.to_string(), symbols });
            }
            Err(error) => self.symbolic_error = Some(words(error)),
        }
    }

    /// The same with what each line of the source adds to the bound, and with so many lines as are asked for.
    #[must_use]
    pub fn with_source(self, asked: &Asked<'_>) -> Self {
        let bound = self.bound.map(|bound| bound.with_source(asked.source, asked.top));
        Self { bound, ..self }
    }
}
