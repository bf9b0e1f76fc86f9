//! What the kernels of a file run on: the multiprocessor of `[multiprocessor]` or of a preset, or a machine with
//! latency and issue width.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::input::keys::key;
use crate::input::machine::{
    LetterTable, MachineTable, MachineTables, NamedMachine, UnitTable, find_machine, named_machine,
};
use crate::input::memory::{MemoryFlags, ServerTable};
use crate::input::multiprocessor::{MultiprocessorTable, Sigmas};
use crate::input::{Device, ListingKeys, Listings};
use warpspan_model::assumption::Assumption;
use warpspan_model::device::{Capability, Preset};
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Source, Spanned, WholeOrText};
use warpspan_model::time::Clock;
use warpspan_model::{Code, Multiprocessor, Throughput};

/// The key `machine` of a file of kernels or tasks.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum MachineKey {
    /// A file by its path from this one, or one of the machines that the program knows.
    Named(String),
    /// The machine itself.
    Table(Box<WholeMachine>),
}

/// A machine with its units, in a file whose key `unit` is that of times.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[doc(hidden)]
pub struct WholeMachine {
    /// A name for results.
    name: Option<String>,
    /// The compute capability that the machine stands for.
    capability: Option<String>,
    /// How many schedulers there are; 1 if it is not given.
    schedulers: Option<Spanned<i64>>,
    /// Whether each scheduler gets no more than its share of the warps of a block, rounded up; true if it is not given. Smaller
    /// bounds rest on it, and say so.
    spread: Option<bool>,
    /// For a machine that runs PTX as it stands and tracks each register by itself, as simulators do: for how many cycles an
    /// instruction keeps the next one of its warp waiting that does not need its result. A GPU does not, and it is not given.
    ptx_stall: Option<Spanned<i64>>,
    /// How many instructions a scheduler issues in a cycle, or `unlimited`.
    #[schemars(with = "WholeOrText")]
    issue_width: Spanned<toml::Value>,
    /// The kinds of unit.
    #[serde(default)]
    unit: Vec<Spanned<UnitTable>>,
    /// Further letters on the units.
    #[serde(default)]
    letter: Vec<Spanned<LetterTable>>,
    /// The memory that all multiprocessors share.
    #[serde(default)]
    server: Vec<Spanned<ServerTable>>,
    /// The clock in megahertz at which rates by the second count.
    #[schemars(with = "Option<f64>")]
    clock_mhz: Option<Spanned<toml::Value>>,
}

impl<'de> Deserialize<'de> for MachineKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = MachineKey;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name or file of a machine, or its table")
            }

            fn visit_str<E>(self, name: &str) -> Result<MachineKey, E> {
                Ok(MachineKey::Named(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<MachineKey, A::Error> {
                let table = WholeMachine::deserialize(MapAccessDeserializer::new(map))?;
                Ok(MachineKey::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The name of the paper's multiprocessor, which has neither latencies nor memory.
const PAPER: &str = "paper";

/// The machine that a file gives instead of `[multiprocessor]`, if it does, with the memory of its GPU at the clock of
/// the file. A preset of `[gpu]` must have its capability. Where a file names neither, listings are for the machine of
/// the preset: the paper's multiprocessor, which takes memory to be without limit, has to be asked for.
pub fn platform(
    source: &Source<'_>,
    machine: Option<&Spanned<MachineKey>>,
    multiprocessor: Option<&Spanned<MultiprocessorTable>>,
    device: Option<&Device>,
    has_listing: bool,
) -> Result<Option<Platform>, InputError> {
    let preset = device.and_then(|device| device.preset.as_ref());
    let of_paper = |key: &MachineKey| matches!(key, MachineKey::Named(name) if name == PAPER);
    let given = match (machine, preset) {
        (Some(given), _) if of_paper(given.get_ref()) => None,
        (Some(given), _) => Some(given),
        (None, Some(preset)) if multiprocessor.is_none() && has_listing => {
            let named = find_machine(preset.name).map_err(|error| InputError::new(source.place, error))?;
            return of_device(source, named, device).map(Some);
        }
        _ => None,
    };
    let Some(given) = given else {
        if let Some(device) = device {
            device.without_memory(source, "want machine = the name of the GPU")?;
        }
        return Ok(None);
    };
    let at = given.span().start;
    if let Some(other) = multiprocessor {
        let later = at.max(other.span().start);
        return Err(source.error(later, "both [multiprocessor] and a machine: want one of them"));
    }
    let mut machine = match given.get_ref() {
        MachineKey::Table(whole) => {
            let WholeMachine {
                name,
                capability,
                schedulers,
                spread,
                ptx_stall,
                issue_width,
                unit,
                letter,
                server,
                clock_mhz,
            } = &**whole;
            let table = MachineTable {
                name: name.clone(),
                capability: capability.clone(),
                schedulers: schedulers.clone(),
                spread: *spread,
                ptx_stall: ptx_stall.clone(),
                // Only the time of one launch asks for it.
                idle_dram: None,
                issue_width: issue_width.clone(),
                clock_mhz: clock_mhz.clone(),
            };
            let tables = MachineTables { machine: &table, units: unit, letters: letter, servers: server };
            named_machine(source, at, &tables, "")?
        }
        MachineKey::Named(name) => {
            let beside = Path::new(source.place).parent().unwrap_or(Path::new("")).join(name);
            let path = beside.to_str().filter(|_| beside.is_file()).unwrap_or(name);
            // A capability is that of several GPUs, and the preset says which memory is meant.
            let of_capability = name.starts_with("sm_") || name.parse::<Capability>().is_ok();
            let path = match preset {
                Some(preset) if of_capability && same(name, preset) => preset.name,
                _ => path,
            };
            find_machine(path).map_err(|error| source.within(at, error, key))?
        }
    };
    if let (Some(said), Some(preset)) = (&machine.capability, preset)
        && said != preset.capability
    {
        let what = format!(
            "a machine of capability {said:?}: preset {:?} has {}: want one of them",
            preset.name, preset.capability
        );
        return Err(source.error(at, what));
    }
    if let Some(preset) = preset {
        let clock = device.and_then(|device| device.clock);
        machine.within(preset, clock).map_err(|error| source.error(at, error))?;
        machine = machine.with_l2_of(preset).map_err(|error| source.error(at, error))?;
    }
    of_device(source, machine, device).map(Some)
}

/// Whether a name is that of the capability of a GPU.
fn same(name: &str, preset: &Preset) -> bool {
    let known = name.strip_prefix("sm_").and_then(warpspan_listing::capability_of);
    known.as_deref().unwrap_or(name) == preset.capability
}

/// A machine with its memory as the file's `[gpu]` says it, at the clock of that table.
fn of_device(
    source: &Source<'_>,
    named: NamedMachine,
    device: Option<&Device>,
) -> Result<Platform, InputError> {
    let (flags, clock, at) = match device {
        Some(device) => (device.memory.clone(), device.clock, device.at),
        None => (MemoryFlags::default(), None, 0),
    };
    if let (Some(device), Some(of_machine)) = (device, &named.preset) {
        no_more_than(of_machine, device).map_err(|what| source.error(at, what))?;
    }
    let named = named.with_flags(&flags, clock);
    Ok(Platform::new(named.map_err(|error| source.error(at, error))?))
}

/// Refuses numbers of a `[gpu]` without preset which the GPU that the machine is named after does not have. With a preset
/// they were compared when the table was read.
fn no_more_than(of_machine: &Preset, device: &Device) -> Result<(), String> {
    if device.preset.is_some() {
        return Ok(());
    }
    let name = of_machine.name;
    let remedy = format!("want no more, or preset = {name:?}");
    if let Some(number) = device.multiprocessors.filter(|&number| number > of_machine.multiprocessors) {
        return Err(format!(
            "multiprocessors = {number}: {name} has {}: {remedy}",
            of_machine.multiprocessors
        ));
    }
    let Some(given) = device.clock else { return Ok(()) };
    of_machine.clock_below(given).map_or(Ok(()), |most| {
        let [given, most] = [given, most].map(Clock::megahertz);
        Err(format!(
            "clock_mhz = {given}: the data sheet of {name} has {most}: {remedy} and overclocked = true"
        ))
    })
}

/// A machine that a file gives.
pub struct Platform {
    named: NamedMachine,
    /// The machine with the letters that listings have added.
    machine: Arc<Machine>,
    /// The names of the letters of all code.
    used: BTreeSet<String>,
    /// Whether an instruction of them moves data behind the multiprocessors.
    moves: bool,
}

/// Code of a file.
pub enum CodeOn {
    /// Letters L and C of the paper's multiprocessor.
    Paper(Code),
    /// Letters of the machine of the file.
    Machine(Piece<Step>),
}

impl Platform {
    fn new(named: NamedMachine) -> Self {
        let machine = Arc::new(named.machine.clone());
        Self { named, machine, used: BTreeSet::new(), moves: false }
    }

    /// The machine, unless it is the paper's multiprocessor: it has the letters of all code that was read.
    pub fn machine(&self) -> Option<&Arc<Machine>> {
        self.machine.sigmas().is_none().then_some(&self.machine)
    }

    /// The sigmas, if the machine is the paper's multiprocessor.
    pub fn sigmas(&self) -> Result<Option<Sigmas>, InputError> {
        let Some(sigmas) = self.machine.sigmas() else { return Ok(None) };
        let wrong = |what| InputError::new(self.named.name.clone(), what);
        let of = |sigma: u64| Throughput::from_units(sigma, 1).map_err(wrong);
        // The file of the machine vouches for them.
        Ok(Some(Sigmas::given(Multiprocessor::new(of(sigmas[0])?, of(sigmas[1])?), None)))
    }

    /// The capability for which letters of listings are counted, if the machine says one that is known.
    pub fn capability(&self) -> Option<Capability> {
        self.named.capability.as_ref()?.parse().ok()
    }

    /// Reads code over the letters of the machine. On the paper's multiprocessor it is code of L and C.
    pub fn code(
        &mut self,
        source: &Source<'_>,
        name: &str,
        string: &Spanned<String>,
    ) -> Result<CodeOn, InputError> {
        let code = self.named.machine.code(string.get_ref()).map_err(|what| {
            source.error(string.span().start, format!("{name} = {:?}: {what}", string.get_ref()))
        })?;
        if self.machine().is_none() {
            return Ok(CodeOn::Paper(self.named.code_of_paper(&code)));
        }
        Ok(self.on_machine(code))
    }

    /// Reads a listing. On the paper's multiprocessor it is code of L and C.
    pub fn listing(
        &mut self,
        listings: &mut Listings<'_>,
        file: &Spanned<String>,
        keys: &ListingKeys<'_>,
    ) -> Result<CodeOn, InputError> {
        if self.machine().is_none() {
            return listings.read(file, keys).map(CodeOn::Paper);
        }
        let (code, moves) = listings.read_on(file, keys, &mut self.machine)?;
        self.moves |= moves;
        Ok(self.on_machine(code))
    }

    /// The machine as it is named, with its memory, and whether code that was read moves data behind the
    /// multiprocessors.
    pub fn memory(&self) -> (&NamedMachine, bool) {
        (&self.named, self.moves || self.named.reaches_memory(self.used.iter().map(String::as_str)))
    }

    fn on_machine(&mut self, code: Piece<Step>) -> CodeOn {
        for step in code.letters() {
            self.used.insert(self.named.base(&self.machine.letter(step.letter).name).to_owned());
        }
        CodeOn::Machine(code)
    }

    /// What numbers of the code that was read rest on: the numbers of its letters, and of the memory.
    pub fn assumes(&self) -> Vec<Assumption> {
        let used: Vec<&str> = self.used.iter().map(String::as_str).collect();
        self.named.assumes(&used)
    }
}
