//! The record of `time`: how long a launch of a kernel takes at most, and whether that is within its deadline.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::estimate::Estimate;
use crate::extract_cost::{Cost, LineCost, SourceCost, sorted};
use crate::gpus::Between;
use crate::number::number;
use crate::rta::Verdict;
use crate::solve::Basis;
use crate::verify::Found;
use crate::{Assumption, Body};
use warpspan_engines::latency::{BlockLines, LatencyError, Parts};
use warpspan_engines::phase::Rational;
use warpspan_model::assumption::Id;

/// How long a launch takes at most. All bounds rest on `assumptions`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Time {
    /// The file of the listing.
    pub file: String,
    /// The entry.
    pub entry: String,
    /// The traces for whose inputs alone the bound and the verdict hold, since declarations of them were used; absent if they hold for every
    /// input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_input: Vec<String>,
    /// What the listing does not say though other listings of the same code do, and which therefore counts as the worst: control
    /// fields, registers of a thread, shared memory of a block. Absent where it says all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// The name of the GPU; null where a file gives its numbers.
    pub gpu: Option<String>,
    /// The compute capability of the GPU.
    pub compute_capability: String,
    /// How many multiprocessors the GPU has.
    pub multiprocessors: u64,
    /// The machine whose latencies and occupancies count.
    pub machine: String,
    /// Blocks of the launch.
    pub blocks: u64,
    /// Threads of a block.
    pub threads_per_block: u64,
    /// Warps of a block.
    pub warps_per_block: u64,
    /// How many blocks a multiprocessor holds at once.
    pub residency: Residency,
    /// The clock of the GPU.
    pub clock: Clock,
    /// How long the launch may take, in nanoseconds; null where it has no deadline.
    pub deadline_ns: Option<Number>,
    /// Whether it is proved to be met, or to be missed; null where there is no deadline.
    pub verdict: Option<Verdict>,
    /// Why there is no bound, or why the verdict is not `proved`; else null.
    pub reason: Option<String>,
    /// The launch takes at most so many nanoseconds, rounded up; null where there is no bound, for the `reason`.
    pub bound_ns: Option<u64>,
    /// The kernel takes at most so many cycles on a GPU that it has for itself; null with co-running kernels, where the bound
    /// is one of time.
    pub bound_cycles: Option<u64>,
    /// The launch takes at least so many nanoseconds, rounded down.
    pub least_ns: u64,
    /// What the bound follows from; null where there is none.
    pub evidence: Option<Basis>,
    /// What the bound in nanoseconds is made of.
    pub parts: Vec<Part>,
    /// Where the cycles go; null with co-running kernels.
    pub cycles: Option<CyclesOf>,
    /// What the numbers rest on: what was declared, then what nobody vouches for, the rules of the model, and what sources say.
    pub assumptions: Vec<Assumption>,
    /// What the memory that all multiprocessors share adds; null where nothing is known of it, or nothing is asked.
    pub memory: Option<Memory>,
    /// The declarations that would lower the bound most, at their best, the best first; empty where none is open that lowers it
    /// by a hundredth. With co-running kernels they are about the kernel that is timed.
    pub hints: Vec<Hint>,
    /// What extreme value theory estimates from measured times, which neither the bound nor the verdict rests on; absent where none are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Box<Estimate>>,
    /// What a user should know of what was declared and of what the listing lacks, a sentence each.
    pub notes: Vec<String>,
    /// What no number here covers, a sentence each.
    pub not_covered: Vec<String>,
}

/// What the least time of a launch rests on: what its clock, its multiprocessors, and what it must issue and move are.
pub(crate) const OF_LEAST_LAUNCH: [Id; 8] = [
    Id::ClockDeclared,
    Id::ClockHighest,
    Id::ClockOverclocked,
    Id::DramBytes,
    Id::GpuMultiprocessors,
    Id::LaunchCopyIn,
    Id::LaunchCopyOut,
    Id::MachineFile,
];

impl Time {
    /// What the answer rests on: the bound, or the least time where that refutes the deadline.
    pub fn answer_rests_on(&self) -> Vec<Assumption> {
        let counts = |one: &&Assumption| {
            self.verdict != Some(Verdict::Refuted) || OF_LEAST_LAUNCH.iter().any(|id| id.name() == one.id)
        };
        self.assumptions.iter().filter(counts).cloned().collect()
    }
}

impl Body for Time {
    const SCHEMA: &'static str = "warpspan/time/4";

    fn found(&self) -> Option<Found> {
        Found::of(|found| found.time(self))
    }
}

/// What the memory that all multiprocessors share adds to a bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// The servers that may keep results waiting.
    pub servers: Vec<Server>,
    /// Whether the traffic of the launch is declared, so that not every access counts.
    pub declared: bool,
    /// The launch takes at most so many nanoseconds if nothing is declared of its traffic; null where nothing is, and with
    /// co-running kernels.
    pub undeclared_bound_ns: Option<u64>,
}

/// A declaration that would lower a bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hint {
    /// The flag, as it can be pasted behind the command; `BYTES` and `N` stand for numbers that only the user knows.
    pub flag: String,
    /// What has to be true.
    pub condition: String,
    /// The launch takes at most so many nanoseconds then.
    pub bound_ns: u64,
}

/// A server of the memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Server {
    /// Its name: `DRAM`, `L2`, `ATOMICS`, or one of a machine file.
    pub name: String,
    /// The least rate while requests wait, as a person reads it: `122.8 GB/s`.
    pub rate: String,
    /// Where that is from; empty where it is not said.
    pub sources: String,
    /// For how many cycles it may keep results waiting; with co-running kernels 1 stands for any number.
    pub cycles: u64,
}

/// How many blocks a multiprocessor holds at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Residency {
    /// At least so many.
    pub least: u64,
    /// At most so many.
    pub most: u64,
    /// The number for which the bound is largest; null with co-running kernels.
    pub worst: Option<u64>,
    /// What keeps a further block out where the number is `most`: `threads`, `shared memory`, `registers`,
    /// `block slots`.
    pub limits: Vec<String>,
    /// Registers of a thread.
    pub registers_per_thread: Between,
    /// Bytes of shared memory of a block, with those that the launch adds.
    pub shared_memory: Between,
}

/// The clock of a GPU, in megahertz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// The slowest, which upper bounds rest on.
    pub slowest_mhz: Number,
    /// The fastest, which lower bounds rest on.
    pub fastest_mhz: Number,
    /// Whether it is assumed: the highest one of the data sheet.
    pub assumed: bool,
}

/// A part of a bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// `launch overhead`, `copy in`, `kernel`, `copy out`, or of a co-running kernel its name and what it adds.
    pub name: String,
    /// Its nanoseconds, to the picosecond, rounded up.
    pub ns: Number,
}

/// Where the cycles of a bound go. Numbers of cycles are whole, or ratios such as `7/2`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CyclesOf {
    /// The single-warp latency of the warps that are followed, one after another.
    pub own: String,
    /// What other warps add.
    pub others: String,
    /// What the servers of the memory add; absent where that is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// What instructions of each unit of the machine add, the largest first.
    pub units: Vec<UnitCost>,
    /// What lines of the listing add, the largest first.
    pub lines: Vec<LineCost>,
    /// What lines of the source add, the largest first; absent where the listing names no source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<SourceCost>,
}

/// What the instructions of a unit of the machine add.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnitCost {
    /// The name of the unit.
    pub unit: String,
    /// What it adds.
    pub cost: Cost,
}

impl Residency {
    /// Of a range, and the needs that it is for.
    pub fn new(
        found: &warpspan_rta::time::Residency,
        needs: &warpspan_rta::time::Use,
        worst: Option<u64>,
    ) -> Self {
        Self {
            least: found.least,
            most: found.most,
            worst,
            limits: found.limits.iter().map(|&limit| limit.to_owned()).collect(),
            registers_per_thread: needs.registers,
            shared_memory: needs.shared_memory,
        }
    }
}

impl Clock {
    /// Of the slowest and the fastest clock.
    pub fn new(
        slowest: warpspan_model::time::Clock,
        fastest: warpspan_model::time::Clock,
        assumed: bool,
    ) -> Self {
        let megahertz = |clock: warpspan_model::time::Clock| number(&clock.megahertz());
        Self { slowest_mhz: megahertz(slowest), fastest_mhz: megahertz(fastest), assumed }
    }
}

impl Part {
    /// Of a decimal number of nanoseconds.
    pub fn new(name: impl Into<String>, nanoseconds: &str) -> Self {
        Self { name: name.into(), ns: number(nanoseconds) }
    }
}

/// A decimal number of nanoseconds, as a number.
pub fn nanoseconds(text: &str) -> Number {
    number(text)
}

impl CyclesOf {
    /// Where the cycles go, with the texts of instructions by line and the sources of lines; `top` lines are kept,
    /// or all.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn new(
        parts: &warpspan_rta::time::Where,
        text_of: impl Fn(u32) -> Option<String>,
        source_of: impl Fn(u32) -> Option<warpspan_listing::SourceLine>,
        top: Option<usize>,
    ) -> Result<Self, LatencyError> {
        let all = parts.lines.sum()?.sum()?;
        let cost = |parts: &Parts| Cost::new(parts, all);
        let most = top.unwrap_or(usize::MAX);
        let lines = &parts.lines;
        let of_lines = by_unit(lines, Some)?;
        let of_sources = by_unit(lines, &source_of)?;
        let line = |(line, parts): (u32, Parts)| {
            let by_unit = of_lines[&line].clone();
            Ok(LineCost { line, instruction: text_of(line), by_unit, cost: cost(&parts)? })
        };
        let unit = |(unit, parts): (String, Parts)| Ok(UnitCost { unit, cost: cost(&parts)? });
        let of_source = |(source, parts): (warpspan_listing::SourceLine, Parts)| {
            let by_unit = of_sources[&source].clone();
            Ok(SourceCost { file: source.file, line: source.line, by_unit, cost: cost(&parts)? })
        };
        let text = |cycles: &Rational| cycles.to_string();
        Ok(Self {
            own: text(&parts.own),
            others: text(&parts.others),
            memory: Some(parts.servers.iter().sum::<i128>())
                .filter(|sum| *sum > 0)
                .map(|sum| sum.to_string()),
            units: sorted(lines.by(|_, unit| Some(unit.to_owned()))?)?
                .into_iter()
                .map(unit)
                .collect::<Result<_, LatencyError>>()?,
            lines: sorted(lines.by(|line, _| Some(line))?)?
                .into_iter()
                .take(most)
                .map(line)
                .collect::<Result<_, LatencyError>>()?,
            source: sorted(lines.by(|line, _| source_of(line))?)?
                .into_iter()
                .take(most)
                .map(of_source)
                .collect::<Result<_, LatencyError>>()?,
        })
    }
}

/// What each unit adds with the instructions of each line, where `of` says to which one a line of the listing belongs.
fn by_unit<K: Ord>(
    lines: &BlockLines,
    of: impl Fn(u32) -> Option<K>,
) -> Result<BTreeMap<K, BTreeMap<String, String>>, LatencyError> {
    let mut found = BTreeMap::new();
    for ((key, unit), parts) in lines.by(|line, unit| Some((of(line)?, unit.to_owned())))? {
        let all: &mut BTreeMap<String, String> = found.entry(key).or_default();
        all.insert(unit, parts.sum()?.to_string());
    }
    Ok(found)
}
