//! Machines from TOML: a file of its own, the tables of an instance file, or one that the program knows.
//!
//! ```toml
//! [machine]
//! schedulers = 1                # 1 by default
//! issue_width = 2               # or "unlimited"
//! idle_dram = { pause = 2500, pause_every = 100000 } # the cycles in which DRAM serves nothing that nothing else uses; not known by default
//! ptx_stall = 2                 # PTX runs as it stands, and registers are tracked; not for GPUs
//! spread = true                 # no scheduler gets more than its share of a block's warps; true by default
//! [[unit]]
//! name = "L"
//! instances = 1                 # 1 by default
//! hold = 1                      # 1 by default
//! shared = false                # private to each scheduler by default
//! latency = [1, 4]              # the least and the most, or one number; 1 by default
//! [[letter]]                    # a further letter on a unit
//! name = "G"
//! unit = "L"
//! hold = 4                      # that of the unit by default
//! latency = [30, 800]           # that of the unit by default
//! latency_in_l2 = 300           # the most where L2 holds what is accessed; not known by default
//! latency_in_idle_dram = 600    # the most where nothing else uses the DRAM, without its pauses; not known by default
//! requests = { DRAM = 4 }       # what an issue asks of servers, in requests; nothing by default
//! [[server]]                    # a part of the memory that all multiprocessors share
//! name = "DRAM"
//! rate = "123 GB/s"             # or "94 B/cycle"
//! ```
//!
//! A unit or a letter may say where its numbers are from (`sources`) and which of them no source gives
//! (`assumed`, a list of `"latency"`, `"hold"`, `"instances"`). Every number that is assumed is named
//! beside the results that rest on it.

mod held;
mod idle;
mod known;
mod reader;
mod tables;

use std::collections::BTreeMap;
use std::{fmt, iter};

use num_rational::Ratio;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::input::gpu::{of_clock, of_highest_clock};
use crate::input::memory::{MemoryError, MemoryFlags, NamedServer, Rate, of_memory, of_pointers, servers_of};
use warpspan_listing::machine::{base_of, is_of_memory};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::Preset;
use warpspan_model::machine::{Latency, Letter, Machine, MachineError, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Remedy};
use warpspan_model::time::Clock;
use warpspan_model::{self as model, Code};

pub use held::Holds;
pub use idle::{IdleDram, IdlePauses};
#[doc(hidden)]
pub use known::names_machine;
pub use known::{find_machine, machine_of_capability};
pub(crate) use reader::named_machine;
pub use reader::read_machine;
pub use tables::schema;
pub(crate) use tables::{LetterTable, MachineTable, MachineTables, UnitTable};

/// A machine with its name, and what is known of where its numbers are from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMachine {
    /// The name, for results; empty for one that has none.
    pub name: String,
    /// The compute capability that it stands for, if any.
    pub capability: Option<String>,
    /// Whether it is one that the program knows, and is not from a file.
    pub known: bool,
    /// The machine.
    pub machine: Machine,
    /// The sources of the numbers of each letter and unit, by name, as keys of `sources`.
    pub letters: BTreeMap<String, Origin>,
    /// The sources by their keys.
    pub sources: BTreeMap<String, String>,
    /// The memory that all multiprocessors share, by the second or by the cycle. Without it the memory is without limit.
    pub memory: Vec<NamedServer>,
    /// The clock at which rates by the second became rates by the cycle, and whether the notes name it. They need not where the answer
    /// names it itself.
    pub clock: Option<(Clock, bool)>,
    /// The GPU whose name was given, if one was.
    pub preset: Option<Preset>,
    /// What L2 holds of what its letters access.
    pub holds: Holds,
    /// For how long DRAM may serve nothing that nothing else uses, if the machine says it.
    pub idle_pauses: Option<IdlePauses>,
    /// Whether its latencies are those of a DRAM that nothing else uses.
    pub is_idle: bool,
}

/// Where the numbers of a letter are from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The keys of the sources, as the file has them.
    pub sources: String,
    /// The numbers that no source gives.
    pub assumed: Vec<Number>,
    /// The numbers that a user gave in place of its own.
    pub given: Vec<Number>,
    /// Whether what it asks of servers is given. If not, its name says it.
    pub asks: bool,
    /// The greatest latency where L2 holds what is accessed, if the machine says it.
    pub in_l2: Option<u64>,
    /// The greatest latency where nothing else uses the DRAM, without its pauses, if the machine says it.
    pub in_idle_dram: Option<u64>,
}

/// A number of a unit or of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Number {
    /// The interval of latency.
    Latency,
    /// The cycles for which it holds its unit.
    #[serde(rename = "hold", alias = "occupancy")]
    Occupancy,
    /// The number of instances.
    Instances,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Latency => "latency",
            Self::Occupancy => "hold",
            Self::Instances => "instances",
        })
    }
}

/// A clock above that of every known GPU, at which rates by the second count where no clock is known: the faster the
/// clock, the fewer bytes move in a cycle.
const FASTEST: u64 = 3_500_000_000;

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
        // A letter that says itself what it asks of servers would ask nothing of one that flags add.
        let is_new = memory.len() > self.memory.len();
        if let Some((letter, _)) = self.letters.iter().find(|(_, origin)| is_new && origin.asks) {
            let what = format!(
                "letter {letter}: it says what it asks of servers, and nothing of the link to the host: want it without requests, or no memory of the host"
            );
            return Err(MachineError::Server(what));
        }
        let named = if memory.is_empty() { self } else { self.with_memory(memory, clock)? };
        match flags.host.map(|host| host.latency.cycles(gpu, true)) {
            None => Ok(named),
            Some(Some(cycles)) => named.later_by(cycles),
            Some(None) => Err(wrong(MemoryError::NoClock)),
        }
    }

    /// The same machine on which each access of memory may take these cycles longer.
    fn later_by(mut self, cycles: u64) -> Result<Self, MachineError> {
        for letter in self.machine.letters().to_vec() {
            let (kind, further) = letter.name.split_once('.').unwrap_or((&letter.name, ""));
            let reaches = is_of_memory(kind) || kind.eq_ignore_ascii_case("FENCE");
            // A letter NEXT is what each transaction behind the first one adds. All of them come over the link together, so that its time
            // is in the latency of the first.
            let reaches = reaches && !further.eq_ignore_ascii_case("NEXT");
            if reaches || letter.asks() {
                let Latency { least, most } = letter.latency;
                let latency = Latency { least, most: most.saturating_add(cycles) };
                self.machine = self.machine.with_letter(Letter { latency, ..letter })?;
            }
        }
        Ok(self)
    }

    /// Refuses numbers of a machine file that the GPU of this name cannot have by its data sheet.
    ///
    /// # Errors
    /// If it has more schedulers, or they issue more, or its DRAM moves more.
    pub fn within(&self, preset: &Preset, clock: Option<Clock>) -> Result<(), MachineError> {
        let above = |what: &str, given: String, most: String| {
            let name = preset.name;
            Err(MachineError::Server(format!(
                "{what} {given}: {name} has {most}: want no more, or a machine of another GPU"
            )))
        };
        if let Ok(Some(known)) = machine_of_capability(preset.capability) {
            let [ours, known] = [&self.machine, &known.machine];
            if ours.schedulers() > known.schedulers() {
                return above("schedulers", ours.schedulers().to_string(), known.schedulers().to_string());
            }
            // An unlimited width is more than any.
            if let Some(most) = known.width()
                && ours.width().is_none_or(|given| given > most)
            {
                let given = ours.width().map_or_else(|| "unlimited".to_owned(), |given| given.to_string());
                return above("issue_width", given, most.to_string());
            }
        }
        let sheet = preset.memory.dram_bytes_per_second;
        for server in self.memory.iter().filter(|server| server.name == "DRAM") {
            if server.rate.per_second(clock).is_some_and(|bytes| bytes > sheet) {
                return above("server DRAM: rate", server.rate.text(), Rate::PerSecond(sheet).text());
            }
        }
        let of_l2 = Ratio::from(preset.memory.l2_bytes_per_cycle);
        for server in self.memory.iter().filter(|server| server.name == "L2") {
            // What no source gives bounds nothing.
            let is_known = preset.memory.assumed.is_empty();
            if is_known && server.rate.per_cycle(clock).is_some_and(|rate| rate > of_l2) {
                return above("server L2: rate", server.rate.text(), Rate::PerCycle(of_l2).text());
            }
        }
        Ok(())
    }

    /// The same machine on a GPU: where its memory is that of a GPU with a smaller L2, as much may be owed from before as the L2 of this one
    /// holds.
    ///
    /// # Errors
    /// If a rate by the second has no clock.
    pub fn with_l2_of(self, preset: &Preset) -> Result<Self, MachineError> {
        let bytes = preset.memory.l2_bytes;
        if self.preset.is_none_or(|own| own.memory.l2_bytes >= bytes) {
            return Ok(self);
        }
        let mut memory = self.memory.clone();
        for server in memory.iter_mut().filter(|server| server.name == "DRAM") {
            server.before = server.before.max(bytes);
        }
        let clock = self.clock;
        self.with_memory(memory, clock)
    }

    /// The same machine with another interval of latency of a letter, which is assumed no longer.
    ///
    /// # Errors
    /// If the machine has no such letter, or the interval is none.
    pub fn with_latency(self, letter: &str, latency: Latency) -> Result<Self, MachineError> {
        self.with(letter, Number::Latency, |letter| letter.latency = latency)
    }

    /// The same machine with another hold of a letter, which is assumed no longer.
    ///
    /// # Errors
    /// If the machine has no such letter, or the hold is 0.
    pub fn with_occupancy(self, letter: &str, occupancy: u64) -> Result<Self, MachineError> {
        self.with(letter, Number::Occupancy, |letter| letter.occupancy = occupancy)
    }

    /// The letter on whose numbers one of this name rests: itself, or that of which a listing has added several passes, or one that asks
    /// less of servers.
    pub fn base<'n>(&self, name: &'n str) -> &'n str {
        if self.letters.contains_key(name) { name } else { base_of(name) }
    }

    /// The assumptions behind results that use these letters, and servers by their places: the numbers that no source gives, with what
    /// replaces them.
    /// `reaches` says whether the code moves data behind the multiprocessors.
    pub fn assumptions(
        &self,
        letters: &[&str],
        needs: &dyn Fn(usize) -> bool,
        reaches: bool,
    ) -> Vec<Assumption> {
        let mut declared = Vec::new();
        let (mut latencies, mut holds, mut instances) = (Vec::new(), Vec::new(), Vec::new());
        for (name, origin) in &self.letters {
            let Some(id) = self.machine.find(name) else { continue };
            let letter = self.machine.letter(id);
            if !letters.iter().any(|used| used.eq_ignore_ascii_case(name)) {
                continue;
            }
            for number in &origin.given {
                let Latency { least, most } = letter.latency;
                declared.extend(match number {
                    Number::Latency => Some(Assumption::declared(
                        Id::LatencyOfLetter,
                        format!("latency of {name}"),
                        format!("{least} to {most} cycles"),
                    )),
                    Number::Occupancy => {
                        let plural = if letter.occupancy == 1 { "" } else { "s" };
                        let value = format!("{} cycle{plural}", letter.occupancy);
                        Some(Assumption::declared(Id::HoldOfLetter, format!("{name} holds its unit"), value))
                    }
                    Number::Instances => None,
                });
            }
            for number in &origin.assumed {
                let Latency { least, most } = letter.latency;
                match number {
                    Number::Latency => latencies.push(format!("{name} {least} to {most}")),
                    Number::Occupancy => holds.push(format!("{name} {}", letter.occupancy)),
                    Number::Instances => {
                        instances.push(format!("{name} {}", self.machine.unit_of(id).instances));
                    }
                }
            }
        }
        let of = |id: Id, subject: &str, numbers: &[String], remedy: Option<Remedy>| {
            let said = Assumption::assumed(id, subject, numbers.join(", "));
            let said = match remedy {
                Some(remedy) => said.unless(remedy),
                None => said,
            };
            (!numbers.is_empty()).then_some(said)
        };
        let numbers = [
            of(Id::LatencyOfLetter, "latencies in cycles", &latencies, Some(Remedy::LatencyOf)),
            of(Id::HoldOfLetter, "cycles for which a unit is held", &holds, Some(Remedy::OccupancyOf)),
            of(Id::InstancesOfUnit, "instances of units", &instances, None),
        ];
        let in_l2 =
            of(Id::LatencyInL2, "latencies in cycles of what L2 holds, at most", &self.in_l2(letters), None);
        let idle = &self.in_idle_dram(letters);
        let in_idle_dram = of(Id::LatencyInIdleDram, "latencies in cycles of idle DRAM, at most", idle, None);
        let pointers = reaches.then(|| of_pointers(&self.memory));
        let of_memory = of_memory(&self.memory, needs);
        declared
            .into_iter()
            .chain(of_memory)
            .chain(pointers)
            .chain(numbers.into_iter().flatten())
            .chain(in_l2)
            .chain(in_idle_dram)
            .chain(self.of_idle_pauses())
            .collect()
    }

    /// The same of all servers, with the clock at which bytes of a second became bytes of a cycle.
    pub fn assumes(&self, letters: &[&str]) -> Vec<Assumption> {
        let clock = self.clock.filter(|(_, says)| *says && !self.memory.is_empty()).map(|(clock, _)| clock);
        let is_highest = |clock| self.preset.is_some_and(|preset| preset.highest_clock() == Some(clock));
        let clock = clock.map(|clock| match is_highest(clock) {
            true => of_highest_clock(clock),
            false => of_clock([clock; 2], self.preset.as_ref()),
        });
        let reaches = self.reaches_memory(letters.iter().copied());
        // Whatever sources a file names, nobody but its author says that its numbers are theirs.
        let of_file = (!self.known).then(|| {
            let name = if self.name.is_empty() { "the file" } else { &self.name };
            Assumption::declared(Id::MachineFile, "numbers of the machine", format!("those of {name}"))
        });
        of_file.into_iter().chain(self.assumptions(letters, &|_| true, reaches)).chain(clock).collect()
    }

    /// Whether some of these letters stand for instructions that may move data behind the multiprocessors. A machine of nothing but L and C is
    /// the paper's with latencies, whose L is a unit and no memory.
    pub fn reaches_memory<'l>(&self, mut letters: impl Iterator<Item = &'l str>) -> bool {
        let of_paper = self.machine.letters().iter().all(|one| matches!(one.name.as_str(), "L" | "C"));
        !of_paper && letters.any(is_of_memory)
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
            let origin = self.letters.entry(letter.name.clone()).or_default();
            if letter.name == name && !origin.given.contains(&number) {
                origin.given.push(number);
            }
            self.machine = self.machine.with_letter(letter)?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_issues_no_more_than_it_can() {
        let preset = Preset::named("jetson-orin").unwrap();
        let machine = |width: &str| {
            let text = format!(
                "[machine]\nname = \"m\"\nschedulers = 4\nissue_width = {width}\n[[unit]]\nname = \"U\"\ninstances = 1\n\
                 [[letter]]\nname = \"X\"\nunit = \"U\"\noccupancy = 1\nlatency = 4\n"
            );
            read_machine("m.toml", &text).unwrap().within(&preset, None)
        };
        assert!(machine("1").is_ok());
        let error = machine("\"unlimited\"").unwrap_err().to_string();
        assert!(error.contains("issue_width unlimited: jetson-orin has 1: want no more"), "{error}");
    }

    #[test]
    fn the_larger_l2_may_owe_all_that_it_holds() {
        let preset = |name: &str| Preset::named(name).unwrap();
        let owed = |machine: &str, gpu: &str| {
            let machine = find_machine(machine).unwrap().with_l2_of(&preset(gpu)).unwrap();
            machine.memory.iter().find(|server| server.name == "DRAM").unwrap().before
        };
        let [nano, orin] = ["jetson-orin-nano", "jetson-orin"].map(|name| preset(name).memory.l2_bytes);
        assert!(nano < orin);
        assert_eq!(owed("jetson-orin-nano", "jetson-orin"), orin);
        assert_eq!(owed("jetson-orin", "jetson-orin-nano"), orin);
        assert_eq!(owed("jetson-orin-nano", "jetson-orin-nano"), nano);
    }
}
