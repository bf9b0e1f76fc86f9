//! The record of `extract --format json`, which `report` reads too.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cli::flags::in_flags;
use crate::engines::program::ProgramBound;
use crate::listing::{Class, Entry, Letters, LoopBound, Share, shares};
use crate::model::Code;
use crate::model::Unit;

pub(super) const EXTRACT: &str = "warpspan/extract/1";

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ExtractRecord {
    pub(super) schema: String,
    pub(super) version: String,
    pub(super) file: String,
    pub(super) entries: Vec<EntryRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EntryRecord {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) language: String,
    pub(super) compute_capability: String,
    pub(super) instructions: usize,
    pub(super) kernel: Option<String>,
    pub(super) straight: bool,
    pub(super) branches: usize,
    pub(super) loops: usize,
    pub(super) barriers: usize,
    pub(super) load_store: usize,
    pub(super) compute: usize,
    pub(super) loop_bounds: Vec<LoopRecord>,
    /// As the text of a program, each instruction as often as it counts.
    pub(super) program: Option<String>,
    pub(super) structure_error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) bound: Option<BoundRecord>,
    /// Why there is none, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) bound_error: Option<String>,
    /// What should be known beside the bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) listing: Vec<LineRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LoopRecord {
    pub(super) label: String,
    pub(super) line: u32,
    pub(super) most: Option<u64>,
    pub(super) evident: bool,
}

/// The bound for so many warps of an entry.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BoundRecord {
    pub(super) warps: u64,
    pub(super) warps_per_block: Option<u64>,
    /// No schedule takes more cycles.
    pub(super) upper: u64,
    /// Whether some schedule of the letters takes as many.
    pub(super) exact: bool,
    /// a, in cycles.
    pub(super) rate: String,
    pub(super) assumes: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LineRecord {
    pub(super) line: u32,
    pub(super) label: Option<String>,
    pub(super) instruction: String,
    pub(super) letter: String,
    pub(super) count: Option<u64>,
    pub(super) why: String,
    /// The phases on a best path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) phase: Option<String>,
    /// What the line adds to a, in cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) adds: Option<String>,
    /// The same in percent of what all lines add.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) share: Option<f64>,
}

/// How many letters an instruction counts; none where no table says.
fn count(letters: &Letters) -> Option<u64> {
    match letters {
        Letters::Unit(_, count) => Some(*count),
        Letters::Barrier | Letters::None => Some(0),
        Letters::Unrated(_) | Letters::Refused(..) => None,
    }
}

impl LineRecord {
    fn new(line: u32, label: Option<String>, instruction: String, class: &Class) -> Self {
        let (letter, count, why) = (class.letters.to_string(), count(&class.letters), class.why.clone());
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
fn listing(entry: &Entry, bound: Option<&ProgramBound>) -> Vec<LineRecord> {
    let mut shares = bound.map_or(BTreeMap::new(), shares);
    let mut lines = Vec::with_capacity(entry.lines.len());
    for line in &entry.lines {
        let record = LineRecord::new(line.line, line.label.clone(), line.text.clone(), &line.class);
        lines.push(record.with(shares.remove(&line.line)));
    }
    for (line, share) in shares {
        let called = Class { letters: Letters::None, why: "called from this entry".to_owned() };
        lines.push(LineRecord::new(line, None, "(in a function)".to_owned(), &called).with(Some(share)));
    }
    lines
}

impl EntryRecord {
    /// The record of an entry, with the bound for so many warps, and so many a block.
    pub(super) fn new(entry: &Entry, launch: Option<(u64, Option<u64>)>) -> Self {
        let a_loop = |one: &LoopBound| LoopRecord {
            label: one.label.clone(),
            line: one.line,
            most: one.most,
            evident: one.evident,
        };
        let found = launch.map(|(warps, block)| (warps, block, entry.bound(warps, block)));
        let bound =
            found.as_ref().and_then(|(warps, block, bound)| Some((*warps, *block, bound.as_ref().ok()?)));
        let listing = listing(entry, bound.map(|(_, _, bound)| bound));
        let assumed = bound.and_then(|_| entry.capability.assumes(&Unit::ALL));
        Self {
            notes: assumed.into_iter().collect(),
            name: entry.name.clone(),
            line: entry.line,
            language: entry.language.name().to_owned(),
            compute_capability: entry.capability.version.to_owned(),
            instructions: entry.instructions,
            kernel: entry.kernel.clone(),
            straight: entry.kernel.is_some(),
            branches: entry.branches,
            loops: entry.loops.len(),
            barriers: entry.barriers,
            load_store: entry.letters[Unit::LoadStore],
            compute: entry.letters[Unit::CudaCore],
            loop_bounds: entry.loops.iter().map(a_loop).collect(),
            program: entry.program.as_ref().ok().map(|program| Code::Program(program.clone()).to_string()),
            structure_error: entry.program.as_ref().err().map(|error| in_flags(&error.message())),
            bound: bound.map(|(warps, warps_per_block, bound)| BoundRecord {
                warps,
                warps_per_block,
                upper: bound.makespan.cycles().0,
                exact: bound.exact,
                rate: bound.rates.first().map(ToString::to_string).unwrap_or_default(),
                assumes: bound.assumes.clone(),
            }),
            bound_error: found.and_then(|(_, _, bound)| bound.err()).map(|error| in_flags(&error)),
            listing,
        }
    }

    /// Its facts in words: what it is, its bound or why there is none.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![(
            "instructions",
            format!(
                "{}: {} L, {} C, barriers {}; branches {}, loops {}",
                self.instructions, self.load_store, self.compute, self.barriers, self.branches, self.loops
            ),
        )];
        for one in &self.loop_bounds {
            let most = match one.most {
                Some(most) if one.evident => format!("at most {most} passes, evident"),
                Some(most) => format!("at most {most} passes, given"),
                None => "no bound: want --loop-bound".to_owned(),
            };
            facts.push(("loop", format!("{} (line {}): {most}", one.label, one.line)));
        }
        match (&self.kernel, &self.program, &self.structure_error) {
            (Some(kernel), ..) => facts.push(("kernel", kernel.clone())),
            (None, Some(program), _) => facts.push(("program", program.clone())),
            (None, None, error) => facts.push(("no program", error.clone().unwrap_or_default())),
        }
        if let Some(bound) = &self.bound {
            let plural = if bound.warps == 1 { "" } else { "s" };
            let block = bound.warps_per_block.map_or(String::new(), |block| format!(" in blocks of {block}"));
            let exact = if bound.exact { "exact for these letters" } else { "upper bound" };
            let (upper, warps, rate) = (bound.upper, bound.warps, &bound.rate);
            facts.push((
                "bound",
                format!(
                    "{upper} cycles for {warps} warp{plural}{block}, {exact}; a further warp adds {rate}"
                ),
            ));
            facts.extend(bound.assumes.iter().map(|what| ("assumes", what.clone())));
        }
        facts.extend(self.notes.iter().map(|note| ("note", note.clone())));
        let no_program = self.structure_error.as_ref().map(|_| "it has no program".to_owned());
        facts.extend(self.bound_error.clone().map(|what| ("no bound", no_program.unwrap_or(what))));
        facts
    }
}
