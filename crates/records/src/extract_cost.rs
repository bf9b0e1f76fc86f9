//! The bound of an entry on a machine, and what each line adds to it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_engines::latency::{Account, LatencyError, MachineBounds, Parts};
use warpspan_engines::phase::Rational;
use warpspan_kernel::entry;
use warpspan_listing::{self as listing, SourceLine};
use warpspan_model::machine::{Machine, Server};
use warpspan_model::source::Message;

/// The bound for so many warps of an entry, alone on a multiprocessor, and where the time of the critical path
/// goes. The lines, with the further ones, and what belongs to no line add up to the critical path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MachineBound {
    /// How many warps there are.
    pub warps: u64,
    /// How many of them share barriers; null for all.
    pub warps_per_block: Option<u64>,
    /// An upper bound on the last cycle in which a warp issues: the smallest that applies.
    pub upper: u64,
    /// The name of the theorem that it follows from.
    pub theorem: String,
    /// An upper bound on the cycle at whose end every result is there.
    pub completion_upper: u64,
    /// The critical path, in cycles, which is the bound that the lines add up to.
    pub critical_path: u64,
    /// The cycles of it that a warp takes by itself.
    pub own: String,
    /// What each line adds, the largest first.
    pub lines: Vec<LineCost>,
    /// The lines that were left out of the list, together; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub further: Option<FurtherCost>,
    /// What the cycles of a warp by itself are above the sum of its lines: negative where latencies overlap.
    pub overlap: String,
    /// What other warps take beyond the lines, where the bound takes a path for each segment between barriers.
    pub several_paths: String,
    /// What rounding adds, more than -1 and at most 0 where the memory is without limit.
    pub rounding: String,
    /// What each server of the memory adds, in cycles; absent where the memory is without limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<ServerCost>,
    /// What each loop adds with the loops in it, the largest first; absent where there is no loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopCost>,
    /// What each line of the source adds, the largest first; absent where the listing names no source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<SourceCost>,
}

/// What a server of the memory adds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServerCost {
    /// Its name.
    pub server: String,
    /// For how many cycles it may keep results waiting.
    pub cycles: u64,
}

impl ServerCost {
    /// What the servers of a machine add, by their numbers.
    pub(crate) fn all(machine: &Machine, cycles: &[i128]) -> Vec<Self> {
        let of = |(server, &cycles): (&Server, &i128)| Self {
            server: server.name.clone(),
            cycles: u64::try_from(cycles).unwrap_or(u64::MAX),
        };
        machine.servers().iter().zip(cycles).map(of).collect()
    }
}

fn nothing() -> String {
    "0".to_owned()
}

fn is_nothing(cycles: &str) -> bool {
    cycles == "0"
}

/// Cycles that are added to the critical path, by the reasons: whole numbers, or ratios such as `7/2`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// The followed warp issues.
    pub own_issue: String,
    /// The followed warp waits for a result, for its own use of a unit, or for a stall.
    pub own_latency: String,
    /// Other warps hold the unit.
    pub others_unit: String,
    /// Other warps take the issue slots.
    pub others_slots: String,
    /// The servers of the memory keep results waiting; absent where that is 0.
    #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
    pub memory: String,
    /// The sum of these.
    pub adds: String,
    /// The same in percent of what all lines add.
    pub share: f64,
}

/// What a line of the listing adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LineCost {
    /// The line of the listing, from 1.
    pub line: u32,
    /// The text of the instruction; null in a function that is called.
    pub instruction: Option<String>,
    /// What it adds by the units of the machine and the servers of the memory, in cycles; absent where that is not told
    /// apart.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_unit: BTreeMap<String, String>,
    /// What it adds.
    pub cost: Cost,
}

/// What several lines add.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FurtherCost {
    /// How many lines these are.
    pub lines: usize,
    /// What they add together.
    pub cost: Cost,
}

/// What a loop adds in the passes that the program repeats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoopCost {
    /// The label of its header, or the line where that has none.
    pub label: String,
    /// The line of its header, from 1.
    pub line: u32,
    /// What it adds.
    pub cost: Cost,
}

/// What a line of the source adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceCost {
    /// The file as the listing names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What it adds by the units of the machine and the servers of the memory, in cycles; absent where that is not told
    /// apart.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_unit: BTreeMap<String, String>,
    /// What it adds.
    pub cost: Cost,
}

/// How many warps of an entry a bound is for, and what to tell of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked<'a> {
    /// How many warps there are.
    pub warps: u64,
    /// How many of them share barriers; all if none is given.
    pub warps_per_block: Option<u64>,
    /// How many lines, and lines of the source, to list; all if none is given.
    pub top: Option<usize>,
    /// The source of each line of the listing.
    pub source: &'a BTreeMap<u32, SourceLine>,
}

impl MachineBound {
    pub(super) fn new(
        entry: &listing::Entry,
        on: &listing::OnMachine,
        asked: &Asked<'_>,
    ) -> Result<Self, Message> {
        let (bounds, account) = entry::account(on, asked.warps, asked.warps_per_block)?;
        Self::of(entry, asked, &bounds, (&account, &on.machine)).map_err(Message::text)
    }

    fn of(
        entry: &listing::Entry,
        asked: &Asked<'_>,
        bounds: &MachineBounds,
        (account, machine): (&Account, &Machine),
    ) -> Result<Self, LatencyError> {
        let (mut lines, mut loops, mut sources) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut all = Parts::default();
        for (place, parts) in &account.places {
            all.add(parts)?;
            lines.entry(place.line).or_insert_with(Parts::default).add(parts)?;
            // Loops in the program that are none of the listing stand for what a pass may leave out.
            for one in entry.loops.iter().filter(|one| place.loops.contains(&one.line)) {
                let key = (one.line, one.label.clone());
                loops.entry(key).or_insert_with(Parts::default).add(parts)?;
            }
            if let Some(source) = asked.source.get(&place.line) {
                sources.entry(source.clone()).or_insert_with(Parts::default).add(parts)?;
            }
        }
        let all = all.sum()?;
        let texts: HashMap<u32, &str> =
            entry.lines.iter().map(|line| (line.line, line.text.as_str())).collect();
        let mut lines = sorted(lines)?;
        let left = lines.split_off(asked.top.unwrap_or(lines.len()).min(lines.len()));
        let mut further = Parts::default();
        left.iter().try_for_each(|(_, parts)| further.add(parts))?;
        let line = |(line, parts): (u32, Parts)| {
            let instruction = texts.get(&line).map(|&text| text.to_owned());
            Ok(LineCost { line, instruction, by_unit: BTreeMap::new(), cost: Cost::new(&parts, all)? })
        };
        let of_loop = |((line, label), parts): ((u32, String), Parts)| {
            Ok(LoopCost { label, line, cost: Cost::new(&parts, all)? })
        };
        let of_source = |(source, parts): (SourceLine, Parts)| {
            let SourceLine { file, line } = source;
            Ok(SourceCost { file, line, by_unit: BTreeMap::new(), cost: Cost::new(&parts, all)? })
        };
        let most = asked.top.unwrap_or(usize::MAX);
        Ok(Self {
            warps: asked.warps,
            warps_per_block: asked.warps_per_block,
            upper: bounds.makespan.cycles().0,
            theorem: bounds.makespan.theorem().name().to_owned(),
            completion_upper: bounds.completion.cycles().0,
            critical_path: account.bound.cycles().0,
            own: account.own.to_string(),
            lines: lines.into_iter().map(line).collect::<Result<_, LatencyError>>()?,
            further: match left.len() {
                0 => None,
                lines => Some(FurtherCost { lines, cost: Cost::new(&further, all)? }),
            },
            overlap: account.overlap.to_string(),
            several_paths: account.several_paths.to_string(),
            rounding: account.rounding.to_string(),
            servers: ServerCost::all(machine, &account.servers),
            loops: sorted(loops)?.into_iter().map(of_loop).collect::<Result<_, LatencyError>>()?,
            source: sorted(sources)?
                .into_iter()
                .take(most)
                .map(of_source)
                .collect::<Result<_, LatencyError>>()?,
        })
    }
}

/// The largest first; of equal ones, the first in the listing.
pub(crate) fn sorted<K: Ord>(all: BTreeMap<K, Parts>) -> Result<Vec<(K, Parts)>, LatencyError> {
    let with_sum = |(key, parts): (K, Parts)| Ok((parts.sum()?, key, parts));
    let mut all = all.into_iter().map(with_sum).collect::<Result<Vec<_>, LatencyError>>()?;
    all.sort_by_key(|(sum, ..)| Reverse(*sum));
    Ok(all.into_iter().map(|(_, key, parts)| (key, parts)).collect())
}

impl Cost {
    pub(crate) fn new(parts: &Parts, all: Rational) -> Result<Self, LatencyError> {
        let adds = parts.sum()?;
        // Shares are for a person to read, so their quotient need not be exact.
        let cycles = |number: Rational| number.to_f64().unwrap_or_default();
        let thousandths = if cycles(all) > 0.0 { (cycles(adds) / cycles(all) * 1000.0).floor() } else { 0.0 };
        Ok(Self {
            own_issue: parts.own_issue.to_string(),
            own_latency: parts.own_latency.to_string(),
            others_unit: parts.others_unit.to_string(),
            others_slots: parts.others_slots.to_string(),
            memory: parts.memory.to_string(),
            adds: adds.to_string(),
            share: thousandths / 10.0,
        })
    }
}
