//! Machines from TOML: a file of its own, the tables of an instance file, or one that the program knows.
//!
//! ```toml
//! [machine]
//! schedulers = 1                # 1 by default
//! issue_width = 2               # or "unlimited"
//! spread = true                 # no scheduler gets more than its share of a block's warps; true by default
//! [[unit]]
//! name = "L"
//! instances = 1                 # 1 by default
//! occupancy = 1                 # 1 by default
//! shared = false                # private to each scheduler by default
//! latency = [1, 4]              # the least and the most, or one number; 1 by default
//! [[letter]]                    # a further letter on a unit
//! name = "G"
//! unit = "L"
//! occupancy = 4                 # that of the unit by default
//! latency = [30, 800]           # that of the unit by default
//! requests = { DRAM = 4 }       # what an issue asks of servers, in requests; nothing by default
//! [[server]]                    # a part of the memory that all multiprocessors share
//! name = "DRAM"
//! rate = "123 GB/s"             # or "94 B/cycle"
//! ```
//!
//! A unit or a letter may say where its numbers are from (`sources`) and which of them no source gives
//! (`assumed`, a list of `"latency"`, `"occupancy"`, `"instances"`). Every number that is assumed is named
//! beside the results that rest on it.

use std::collections::BTreeMap;
use std::fmt;
use std::iter;
use std::path::Path;

use crate::input::memory::{MemoryError, MemoryFlags, NamedServer, ServerTable, says, servers_of};
use warpspan_model::time::Clock;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use warpspan_model::device::{Capability, Preset};
use warpspan_model::machine::{Latency, Letter, Machine, MachineError, Request, Step, Unit};
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Message, Remedy, Source, Spanned, WholeOrText, name, text_of};
use warpspan_model::{self as model, Code};

/// A machine with its name, and what is known of where its numbers are from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMachine {
    /// The name, for results; empty for one that has none.
    pub name: String,
    /// The compute capability that it stands for, if any.
    pub capability: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// The sources of the numbers of each letter and unit, by name, as keys of `sources`.
    pub letters: BTreeMap<String, Origin>,
    /// The sources by their keys.
    pub sources: BTreeMap<String, String>,
    /// The memory that all multiprocessors share, by the second or by the cycle. Without it the memory is without limit.
    pub memory: Vec<NamedServer>,
    /// The clock at which numbers of the memory by the second became cycles, and whether it is assumed.
    pub clock: Option<(Clock, bool)>,
    /// The GPU whose name was given, if one was.
    pub preset: Option<Preset>,
}

/// Where the numbers of a letter are from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The keys of the sources, as the file has them.
    pub sources: String,
    /// The numbers that no source gives.
    pub assumed: Vec<Number>,
    /// Whether what it asks of servers is given. If not, its name says it.
    pub asks: bool,
}

/// A number of a unit or of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Number {
    /// The interval of latency.
    Latency,
    /// The occupancy.
    Occupancy,
    /// The number of instances.
    Instances,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Latency => "latency",
            Self::Occupancy => "occupancy",
            Self::Instances => "instances",
        })
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MachineFile {
    /// The machine as a whole.
    machine: Spanned<MachineTable>,
    /// The kinds of unit.
    #[serde(default)]
    unit: Vec<Spanned<UnitTable>>,
    /// Further letters on the units.
    #[serde(default)]
    letter: Vec<Spanned<LetterTable>>,
    /// The memory that all multiprocessors share.
    #[serde(default)]
    server: Vec<Spanned<ServerTable>>,
    /// What the short names of sources stand for.
    #[serde(default)]
    sources: BTreeMap<String, String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MachineTable {
    /// A name for results.
    pub(super) name: Option<String>,
    /// The compute capability that the machine stands for.
    pub(super) capability: Option<String>,
    /// How many schedulers there are; 1 if it is not given.
    pub(super) schedulers: Option<Spanned<i64>>,
    /// How many instructions a scheduler issues in a cycle, or `unlimited`.
    #[schemars(with = "WholeOrText")]
    pub(super) issue_width: Spanned<toml::Value>,
    /// Whether each scheduler gets no more than its share of the warps of a block, rounded up; true if it is not given. Smaller
    /// bounds rest on it, and say so.
    pub(super) spread: Option<bool>,
    /// The clock in megahertz at which rates by the second count.
    #[schemars(with = "Option<f64>")]
    pub(super) clock_mhz: Option<Spanned<toml::Value>>,
}

/// The tables of a machine.
pub(crate) struct MachineTables<'a> {
    pub(crate) machine: &'a MachineTable,
    pub(crate) units: &'a [Spanned<UnitTable>],
    pub(crate) letters: &'a [Spanned<LetterTable>],
    pub(crate) servers: &'a [Spanned<ServerTable>],
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnitTable {
    /// The name of the unit and of its letter.
    name: Spanned<String>,
    /// How many instances there are, for each scheduler if they are private; 1 if it is not given.
    instances: Option<Spanned<i64>>,
    /// For how many cycles an issue holds an instance; 1 if it is not given.
    occupancy: Option<Spanned<i64>>,
    /// Whether all schedulers share the instances; false if it is not given.
    #[serde(default)]
    shared: bool,
    /// The least and the greatest latency in cycles, or one number for both; 1 if it is not given.
    #[schemars(with = "Option<WholeOrPair>")]
    latency: Option<Spanned<toml::Value>>,
    /// How many requests an issue sends to servers, by their names.
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    requests: Option<Spanned<BTreeMap<String, Spanned<i64>>>>,
    /// Where the numbers are from, as keys of `[sources]`.
    #[serde(default)]
    sources: String,
    /// Which numbers no source gives.
    #[serde(default)]
    assumed: Vec<Number>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LetterTable {
    /// The name of the letter.
    name: Spanned<String>,
    /// The name of its unit.
    unit: Spanned<String>,
    /// For how many cycles an issue holds an instance; that of the unit if it is not given.
    occupancy: Option<Spanned<i64>>,
    /// The least and the greatest latency in cycles, or one number for both; that of the unit if it is not
    /// given.
    #[schemars(with = "Option<WholeOrPair>")]
    latency: Option<Spanned<toml::Value>>,
    /// How many requests an issue sends to servers, by their names.
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    requests: Option<Spanned<BTreeMap<String, Spanned<i64>>>>,
    /// Where the numbers are from, as keys of `[sources]`.
    #[serde(default)]
    sources: String,
    /// Which numbers no source gives.
    #[serde(default)]
    assumed: Vec<Number>,
}

/// In a schema: a whole number, or a least and a greatest one.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "it describes values and holds none")]
enum WholeOrPair {
    Whole(u64),
    Pair([u64; 2]),
}

/// The JSON Schema of a file that holds a machine alone.
#[doc(hidden)]
pub fn schema() -> Schema {
    schema_for!(MachineFile)
}

/// The machine of a name that the program knows, or of a file. Names are those of
/// [`Preset`]s of GPUs and compute capabilities, as `8.7` or `sm_87`.
///
/// # Errors
/// If there is neither such a name nor such a file, or the file is not that of a machine.
pub fn find_machine(given: &str) -> Result<NamedMachine, InputError> {
    let version = match Preset::named(given) {
        Some(preset) => Some(preset.capability.to_owned()),
        None => given.strip_prefix("sm_").and_then(warpspan_listing::capability_of).or_else(|| {
            let known = given.parse::<Capability>().ok();
            known.map(|capability| capability.version.to_owned())
        }),
    };
    if let Some(version) = version {
        let known = KNOWN.iter().find(|(known, _)| *known == version);
        let (_, text) = known.ok_or_else(|| {
            let what =
                format!("no machine is known for capability {version}: want a file, or one of {}", all());
            InputError::new(format!("machine {given}"), what)
        })?;
        let machine = read_machine(&format!("machine {version}"), text)?;
        let machine = NamedMachine { name: given.to_owned(), ..machine };
        return match Preset::named(given) {
            Some(preset) => machine.of_gpu(preset),
            None => Ok(machine),
        };
    }
    let path = Path::new(given);
    if path.extension().is_none() && !path.exists() {
        let what = format!("no such machine: want a file, or one of {}", all());
        return Err(InputError::new(format!("machine {given}"), what));
    }
    let machine = read_machine(&name(path), &text_of(path, "a machine in TOML")?)?;
    let unnamed = machine.name.is_empty();
    Ok(if unnamed { NamedMachine { name: given.to_owned(), ..machine } } else { machine })
}

/// The machines that the program knows: the file of each compute capability.
const KNOWN: &[(&str, &str)] = &[
    ("2.0", include_str!("../../machines/sm_20.toml")),
    ("3.5", include_str!("../../machines/sm_35.toml")),
    ("5.2", include_str!("../../machines/sm_52.toml")),
    ("5.3", include_str!("../../machines/sm_53.toml")),
    ("6.1", include_str!("../../machines/sm_61.toml")),
    ("6.2", include_str!("../../machines/sm_62.toml")),
    ("7.0", include_str!("../../machines/sm_70.toml")),
    ("7.2", include_str!("../../machines/sm_72.toml")),
    ("7.5", include_str!("../../machines/sm_75.toml")),
    ("8.0", include_str!("../../machines/sm_80.toml")),
    ("8.6", include_str!("../../machines/sm_86.toml")),
    ("8.7", include_str!("../../machines/sm_87.toml")),
    ("8.9", include_str!("../../machines/sm_89.toml")),
    ("9.0", include_str!("../../machines/sm_90.toml")),
    ("10.0", include_str!("../../machines/sm_100.toml")),
    ("11.0", include_str!("../../machines/sm_110.toml")),
    ("12.0", include_str!("../../machines/sm_120.toml")),
];

/// The names of the machines that the program knows, for messages.
fn all() -> String {
    KNOWN.iter().map(|(version, _)| *version).collect::<Vec<_>>().join(", ")
}

/// Reads a file that holds a machine alone.
///
/// # Errors
/// If it does not; the error gives the first thing that is wrong, with its line.
pub fn read_machine(place: &str, text: &str) -> Result<NamedMachine, InputError> {
    let source = Source { place, text };
    let file: MachineFile = source.toml()?;
    let (table, at) = (file.machine.get_ref(), file.machine.span().start);
    let tables =
        MachineTables { machine: table, units: &file.unit, letters: &file.letter, servers: &file.server };
    let named = named_machine(&source, at, &tables, "")?;
    Ok(NamedMachine { sources: file.sources, ..named })
}

/// The machine of tables, the first of which stands at `at`.
pub(crate) fn named_machine(
    source: &Source<'_>,
    at: usize,
    tables: &MachineTables<'_>,
    name: &str,
) -> Result<NamedMachine, InputError> {
    let &MachineTables { machine: table, units, letters, servers } = tables;
    let memory = servers.iter().map(|server| server.get_ref().named(source));
    let memory = memory.collect::<Result<Vec<(NamedServer, u64)>, InputError>>()?;
    let number = |key, value: &Option<Spanned<i64>>, default| match value {
        Some(value) => source.positive(key, value),
        None => Ok(default),
    };
    let mut all = Vec::new();
    for unit in units {
        let unit = unit.get_ref();
        all.push(Unit {
            name: unit.name.get_ref().clone(),
            instances: number("instances", &unit.instances, 1)?,
            shared: unit.shared,
            occupancy: number("occupancy", &unit.occupancy, 1)?,
            latency: latency(source, unit.latency.as_ref(), Latency::ONE)?,
            requests: requests(source, unit.requests.as_ref(), &memory)?,
        });
    }
    let mut further = Vec::new();
    for letter in letters {
        let letter = letter.get_ref();
        let at = all.iter().position(|unit| unit.name.eq_ignore_ascii_case(letter.unit.get_ref()));
        let at = at.ok_or_else(|| {
            let names = all.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>().join(", ");
            let what = format!(
                "unit = {:?}: the machine has no such unit: want one of {names}",
                letter.unit.get_ref()
            );
            source.error(letter.unit.span().start, what)
        })?;
        further.push(Letter {
            name: letter.name.get_ref().clone(),
            unit: at,
            occupancy: number("occupancy", &letter.occupancy, all[at].occupancy)?,
            latency: latency(source, letter.latency.as_ref(), all[at].latency)?,
            requests: requests(source, letter.requests.as_ref(), &memory)?,
        });
    }
    // The line of the unit or letter that an error is about, or else that of the machine.
    let line_of = |error: &MachineError| {
        let named = |wanted: &String| {
            let unit = units.iter().map(|unit| &unit.get_ref().name);
            let mut all = unit.chain(letters.iter().map(|letter| &letter.get_ref().name));
            all.rfind(|name| name.get_ref() == wanted).map(|name| name.span().start)
        };
        let about = match error {
            MachineError::Twice(name) | MachineError::Name(name) => named(name),
            MachineError::Turned { letter, .. } => named(letter),
            MachineError::Zero(what) | MachineError::Large(what, _) => {
                what.split([' ', ':']).nth(1).and_then(|name| named(&name.to_owned()))
            }
            _ => None,
        };
        about.unwrap_or(at)
    };
    let schedulers = number("schedulers", &table.schedulers, 1)?;
    let clock = match &table.clock_mhz {
        None => None,
        Some(value) => {
            let clock = Clock::from_megahertz(&warpspan_model::source::decimal(value.get_ref()));
            let what = || format!("clock_mhz = {}: want megahertz above 0", value.get_ref());
            Some(clock.ok_or_else(|| source.error(value.span().start, what()))?)
        }
    };
    let at_clock = |server: &NamedServer| server.at(clock);
    let of_memory =
        || -> Result<Vec<_>, String> { memory.iter().map(|(server, _)| at_clock(server)).collect() };
    let server_line = |name: &str| {
        let named = servers.iter().find(|server| server.get_ref().name.get_ref() == name);
        named.map_or(at, |server| server.span().start)
    };
    let found = Machine::new(schedulers, width(source, &table.issue_width)?, all, further);
    let found = found.map_err(|error| source.error(line_of(&error), &error))?;
    let found = if table.spread.unwrap_or(true) { found } else { found.without_spread() };
    let origin = |sources: &String, assumed: &[Number], asks: bool| Origin {
        sources: sources.clone(),
        assumed: assumed.to_vec(),
        asks,
    };
    let of_units = units.iter().map(|unit| {
        let unit = unit.get_ref();
        (unit.name.get_ref().clone(), origin(&unit.sources, &unit.assumed, unit.requests.is_some()))
    });
    let of_letters = letters.iter().map(|letter| {
        let letter = letter.get_ref();
        (letter.name.get_ref().clone(), origin(&letter.sources, &letter.assumed, letter.requests.is_some()))
    });
    let named = NamedMachine {
        name: table.name.clone().unwrap_or_else(|| name.to_owned()),
        capability: table.capability.clone(),
        machine: found,
        letters: of_units.chain(of_letters).collect(),
        sources: BTreeMap::new(),
        memory: Vec::new(),
        clock: None,
        preset: None,
    };
    let by_second = of_memory().is_err();
    let memory: Vec<NamedServer> = memory.into_iter().map(|(server, _)| server).collect();
    if memory.is_empty() || by_second {
        // Rates by the second become cycles when the clock is known.
        return Ok(NamedMachine { memory, ..named });
    }
    named.with_memory(memory, clock.map(|clock| (clock, false))).map_err(|error| {
        let name = match &error {
            MachineError::TwoServers(name) | MachineError::Starved(name) => name.clone(),
            MachineError::Zero(what) | MachineError::Large(what, _) => {
                what.split([' ', ':']).nth(1).unwrap_or_default().to_owned()
            }
            _ => String::new(),
        };
        source.error(server_line(&name), error)
    })
}

/// What an issue asks of servers, by their numbers.
fn requests(
    source: &Source<'_>,
    given: Option<&Spanned<BTreeMap<String, Spanned<i64>>>>,
    memory: &[(NamedServer, u64)],
) -> Result<Vec<Request>, InputError> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let mut all = vec![Request::default(); memory.len()];
    for (name, number) in given.get_ref() {
        let at = memory.iter().position(|(server, _)| server.name == *name).ok_or_else(|| {
            let names: Vec<&str> = memory.iter().map(|(server, _)| server.name.as_str()).collect();
            let names = if names.is_empty() { "a [[server]]".to_owned() } else { names.join(", ") };
            source.error(
                given.span().start,
                format!("requests: the machine has no server {name:?}: want {names}"),
            )
        })?;
        let number = source.natural(name, number, 1 << 32)?;
        let (server, bytes) = &memory[at];
        // Nothing is known of where these requests fall, so each may make the server do all that is owed.
        let displaces = if number > 0 { server.before } else { 0 };
        all[at] = Request { amount: number.saturating_mul(*bytes), displaces };
    }
    Ok(all)
}

/// The issue width: a number, or none for `unlimited`.
fn width(source: &Source<'_>, value: &Spanned<toml::Value>) -> Result<Option<u64>, InputError> {
    match value.get_ref() {
        toml::Value::String(text) if text == "unlimited" => Ok(None),
        &toml::Value::Integer(number) if number > 0 => Ok(u64::try_from(number).ok()),
        other => {
            let what = format!("issue_width = {other}: want 1 or more, or \"unlimited\"");
            Err(source.error(value.span().start, what))
        }
    }
}

/// An interval of latency: one number, or the least and the greatest.
fn latency(
    source: &Source<'_>,
    value: Option<&Spanned<toml::Value>>,
    default: Latency,
) -> Result<Latency, InputError> {
    let Some(value) = value else { return Ok(default) };
    let number = |value: &toml::Value| value.as_integer().and_then(|number| u64::try_from(number).ok());
    let both = match value.get_ref() {
        toml::Value::Array(ends) => match &ends[..] {
            [least, most] => number(least).zip(number(most)),
            _ => None,
        },
        one => number(one).map(|one| (one, one)),
    };
    let both = both.filter(|&(least, most)| 1 <= least && least <= most);
    let (least, most) = both.ok_or_else(|| {
        let what = format!("latency = {}: want a number, or [least, most], of 1 or more", value.get_ref());
        source.error(value.span().start, what)
    })?;
    Ok(Latency { least, most })
}

/// A clock above that of every known GPU, at which rates by the second count where no clock is known: the faster the
/// clock, the fewer bytes move in a cycle.
const FASTEST: u64 = 3_000_000_000;

impl NamedMachine {
    /// The same machine with the memory of a GPU at the highest clock of its data sheet, or at one above that of every
    /// GPU.
    fn of_gpu(self, preset: Preset) -> Result<Self, InputError> {
        let clock = preset.highest_clock().or_else(|| Clock::from_hertz(FASTEST)).map(|clock| (clock, true));
        let place = format!("machine {}", preset.name);
        let named = Self { preset: Some(preset), ..self };
        named.with_memory(servers_of(&preset), clock).map_err(|error| InputError::new(place, error))
    }

    /// The same machine with this memory, at this clock. Letters of which no file says what they ask have it from
    /// their names.
    ///
    /// # Errors
    /// If a server has a rate by the second and there is no clock, or its numbers are none of a machine.
    pub fn with_memory(
        mut self,
        memory: Vec<NamedServer>,
        clock: Option<(Clock, bool)>,
    ) -> Result<Self, MachineError> {
        let at = clock.map(|(clock, _)| clock);
        let servers = memory.iter().map(|server| server.at(at));
        let servers = servers.collect::<Result<Vec<_>, String>>().map_err(MachineError::Server)?;
        let letters = self.machine.letters().to_vec();
        for letter in letters {
            if self.letters.get(&letter.name).is_some_and(|origin| origin.asks) {
                continue;
            }
            let requests = warpspan_listing::machine::of_letter(&letter.name, &servers);
            self.machine = self.machine.with_letter(Letter { requests, ..letter })?;
        }
        let machine = self.machine.with_servers(servers)?;
        Ok(Self { machine, memory, clock, ..self })
    }

    /// The same machine with what flags say of its DRAM, at another clock if one is given.
    ///
    /// # Errors
    /// If it has no DRAM, what is said of it cannot be, or its rate is one by the second and no clock is known.
    pub fn with_flags(self, flags: &MemoryFlags, clock: Option<Clock>) -> Result<Self, MachineError> {
        let mut memory = self.memory.clone();
        let wrong = |error: MemoryError| MachineError::Server(error.to_string());
        let clock = clock.map(|clock| (clock, false)).or(self.clock);
        let gpu = clock.map(|(clock, _)| clock);
        flags.apply(&mut memory, self.preset.as_ref(), gpu).map_err(wrong)?;
        if memory.is_empty() { Ok(self) } else { self.with_memory(memory, clock) }
    }

    /// The same machine with another interval of latency of a letter, which is assumed no longer.
    ///
    /// # Errors
    /// If the machine has no such letter, or the interval is none.
    pub fn with_latency(self, letter: &str, latency: Latency) -> Result<Self, MachineError> {
        self.with(letter, Number::Latency, |letter| letter.latency = latency)
    }

    /// The same machine with another occupancy of a letter, which is assumed no longer.
    ///
    /// # Errors
    /// If the machine has no such letter, or the occupancy is 0.
    pub fn with_occupancy(self, letter: &str, occupancy: u64) -> Result<Self, MachineError> {
        self.with(letter, Number::Occupancy, |letter| letter.occupancy = occupancy)
    }

    /// What a user must know of results that rest on these letters: the numbers that no source gives, with what
    /// replaces them.
    pub fn assumes(&self, letters: &[&str]) -> Vec<Message> {
        let (mut latencies, mut occupancies, mut instances) = (Vec::new(), Vec::new(), Vec::new());
        for (name, origin) in &self.letters {
            let Some(id) = self.machine.find(name) else { continue };
            let letter = self.machine.letter(id);
            if !letters.iter().any(|used| used.eq_ignore_ascii_case(name)) {
                continue;
            }
            for number in &origin.assumed {
                let Latency { least, most } = letter.latency;
                match number {
                    Number::Latency => latencies.push(format!("{name} {least} to {most}")),
                    Number::Occupancy => occupancies.push(format!("{name} {}", letter.occupancy)),
                    Number::Instances => {
                        instances.push(format!("{name} {}", self.machine.unit_of(id).instances));
                    }
                }
            }
        }
        let sentence = |what: &str, numbers: Vec<String>, remedy: Option<Remedy>| {
            let all = numbers.join(", ");
            let message = Message::text(format!("assumes {what} that no source bounds: {all}"));
            let message = match remedy {
                Some(remedy) => message.then("; want ").remedy(remedy).then(" if you know better"),
                None => message,
            };
            (!numbers.is_empty()).then_some(message)
        };
        let found = [
            sentence("latencies in cycles", latencies, Some(Remedy::LatencyOf)),
            sentence("cycles for which a unit is held", occupancies, Some(Remedy::OccupancyOf)),
            sentence("numbers of instances", instances, None),
        ];
        let memory = says(&self.memory, self.clock);
        found.into_iter().flatten().chain(memory).collect()
    }

    /// Code of this machine over L and C, if it is the paper's multiprocessor: what is no L is a C.
    pub(crate) fn code_of_paper(&self, piece: &Piece<Step>) -> Code {
        let load_store = self.machine.find("L");
        let unit = |step: &Step| {
            if Some(step.letter) == load_store { model::Unit::LoadStore } else { model::Unit::CudaCore }
        };
        let piece = piece.map(&mut |step| unit(step));
        piece.straight_line().map_or(Code::Program(piece), Code::Kernel)
    }

    fn with(
        mut self,
        name: &str,
        number: Number,
        change: impl Fn(&mut Letter),
    ) -> Result<Self, MachineError> {
        let id = self.machine.find(name).ok_or_else(|| MachineError::NoLetter(name.to_owned()))?;
        let name = self.machine.letter(id).name.clone();
        // What is said of an instruction holds wherever its registers lie, and for each of its transactions.
        let further: &[&str] = if number == Number::Occupancy { &[".SPREAD", ".NEXT"] } else { &[".SPREAD"] };
        let further = further.iter().filter_map(|end| self.machine.find(&format!("{name}{end}")));
        for id in iter::once(id).chain(further.collect::<Vec<_>>()) {
            let mut letter = self.machine.letter(id).clone();
            change(&mut letter);
            if let Some(origin) = self.letters.get_mut(&letter.name) {
                origin.assumed.retain(|&one| one != number);
            }
            self.machine = self.machine.with_letter(letter)?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIR: &str =
        "[machine]\nissue_width = 2\n[[unit]]\nname = \"L\"\nlatency = [1, 4]\n[[unit]]\nname = \"C\"\n";

    fn wrong(text: &str) -> String {
        read_machine("m.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn every_key() {
        let text =
            format!("{PAIR}[[letter]]\nname = \"G\"\nunit = \"l\"\noccupancy = 4\nassumed = [\"latency\"]\n");
        let named = read_machine("m.toml", &text).unwrap();
        assert_eq!((named.machine.schedulers(), named.machine.width()), (1, Some(2)));
        let g = named.machine.letter(named.machine.find("g").unwrap()).clone();
        assert_eq!((g.unit, g.occupancy, g.latency), (0, 4, Latency { least: 1, most: 4 }));
        assert_eq!(named.letters["G"].assumed, [Number::Latency]);
        let named = named.with_latency("G", Latency { least: 30, most: 800 }).unwrap();
        assert_eq!(named.letters["G"].assumed, []);
        assert_eq!(named.machine.letter(named.machine.find("G").unwrap()).latency.most, 800);
    }

    #[test]
    fn errors_name_the_line() {
        assert!(wrong("[[unit]]\nname = \"L\"\n").contains("missing field `machine`"));
        assert_eq!(wrong("[machine]\nissue_width = 1\n"), "m.toml:1: no unit: want one [[unit]] or more");
        let with = |line: &str| wrong(&format!("{PAIR}{line}\n"));
        assert_eq!(with("instances = 0"), "m.toml:8: instances = 0: want 1 or more");
        assert_eq!(
            with("latency = [5, 2]"),
            "m.toml:8: latency = [5, 2]: want a number, or [least, most], of 1 or more"
        );
        assert_eq!(
            with("latency = 0"),
            "m.toml:8: latency = 0: want a number, or [least, most], of 1 or more"
        );
        assert_eq!(
            with("[[unit]]\nname = \"c\""),
            "m.toml:9: letter c: there are two of this name, in either case: want another name"
        );
        assert_eq!(
            with("[[letter]]\nname = \"G\"\nunit = \"X\""),
            "m.toml:10: unit = \"X\": the machine has no such unit: want one of L, C"
        );
        assert_eq!(
            wrong("[machine]\nissue_width = 0\n[[unit]]\nname = \"L\"\n"),
            "m.toml:2: issue_width = 0: want 1 or more, or \"unlimited\""
        );
        assert!(
            find_machine("no-such").unwrap_err().to_string().starts_with("machine no-such: no such machine")
        );
    }
}
