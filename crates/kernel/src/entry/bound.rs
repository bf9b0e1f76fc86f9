//! The bound of an entry, and how much each line of its listing contributes to it.
//!
//! Each further warp adds a cycles, where a is given by [`ProgramBound::rates`]. On a best path each letter
//! has a label, which is the phase that it acts in. Where letter and label agree, the letter *adds* 1/sigma,
//! and each change of the label subtracts something. `docs/extract.md` says how to use this to lower a bound.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use warpspan_engines::phase::Rational;
use warpspan_engines::program::{self, ProgramBound};
use warpspan_listing::Entry;
use warpspan_model::source::Message;
use warpspan_model::{PerUnit, Unit, Workload};

/// The contribution of a line to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The phases that letters of the line act in on a best path; empty if the line is not on the path.
    pub phases: PerUnit<bool>,
    /// What the letters of the line add to a, in cycles.
    pub adds: Rational,
    /// The share in what all lines add, in thousandths, rounded down.
    pub thousandths: u32,
}

impl Share {
    /// The phases as letters: `L`, `C`, `LC`, or `-` off the path.
    pub fn phase(&self) -> String {
        let phases: String =
            Unit::ALL.into_iter().filter(|&unit| self.phases[unit]).map(Unit::letter).collect();
        if phases.is_empty() { "-".to_owned() } else { phases }
    }
}

/// The latest time at which warps of an entry finish, alone on a multiprocessor of its capability.
/// `warps_per_block` of them share barriers; all do if none is given.
///
/// # Errors
/// If the entry has no program, or the program no bound; the error says why.
pub fn bound(entry: &Entry, warps: u64, warps_per_block: Option<u64>) -> Result<ProgramBound, Message> {
    program::bound(&workload(entry, warps, warps_per_block)?).map_err(Message::text)
}

/// So many warps of an entry, alone on a multiprocessor of its capability.
pub(super) fn workload(entry: &Entry, warps: u64, warps_per_block: Option<u64>) -> Result<Workload, Message> {
    let program = entry.program.clone().map_err(|error| error.message())?;
    let multiprocessor = entry.capability.multiprocessor().map_err(Message::text)?;
    let workload = Workload::single(program, warps, multiprocessor);
    workload.and_then(|workload| workload.in_blocks_of(warps_per_block)).map_err(Message::text)
}

/// The shares of the lines that have letters, for the first group of a bound. Lines of called functions are
/// included.
pub fn shares(bound: &ProgramBound) -> BTreeMap<u32, Share> {
    let (labels, adds) = (bound.labels.first(), bound.adds.first());
    let all: Rational = adds.into_iter().flat_map(BTreeMap::values).sum();
    let mut shares = BTreeMap::new();
    for letter in labels.into_iter().flatten() {
        let added = adds.and_then(|adds| adds.get(&letter.line)).copied().unwrap_or_default();
        let part = added * Rational::from(1000);
        let thousandths = if all > Rational::default() { (part / all).to_integer() } else { 0 };
        let share = shares.entry(letter.line).or_insert(Share {
            phases: PerUnit::both(false),
            adds: added,
            thousandths: thousandths.to_u32().unwrap_or_default(),
        });
        share.phases = PerUnit::from_fn(|unit| share.phases[unit] || letter.labels[unit]);
    }
    shares
}
