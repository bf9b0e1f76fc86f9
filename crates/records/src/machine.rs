//! A machine as records have it.

use std::collections::BTreeMap;

use num_rational::Ratio;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_kernel::input::{Holds, Length, NamedMachine, NamedServer, Number, Origin, Rate, Stops};
use warpspan_model::machine;
use warpspan_model::words;

/// A machine with latency, issue width, schedulers and any kinds of unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// Its name, or the file that it is from; empty where it has none.
    pub name: String,
    /// How many schedulers it has.
    pub schedulers: u64,
    /// How many instructions a scheduler issues in a cycle; null for any number.
    pub issue_width: Option<u64>,
    /// Its kinds of unit.
    pub units: Vec<Unit>,
    /// Its letters: one for each unit, in their order, and then the others.
    pub letters: Vec<Letter>,
    /// The memory that all multiprocessors share; absent where that is without limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<Server>,
}

/// A part of the memory that all multiprocessors share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// The least amount that it serves in a cycle while requests wait, as a number or a ratio; bytes, or lanes.
    pub rate: String,
    /// What a line of 128 bytes costs.
    pub line: u64,
    /// What a sector of 32 bytes costs that comes alone in its line.
    pub lone_sector: u64,
    /// The most work that is left from before.
    pub before: u64,
    /// What others take: at most at once, and in each cycle; absent where nobody else takes anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<(u64, String)>,
    /// The cycles of a pause, from one to the next, and how many may be put off; absent where it never pauses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pauses: Option<[u64; 3]>,
    /// Where the rate is from; absent where that is not said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sources: String,
    /// Whether no source gives the rate; absent where one does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// A kind of unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// How many instances there are, for each scheduler if they are private.
    pub instances: u64,
    /// Whether all schedulers share them.
    pub shared: bool,
}

/// A letter: an instruction that warps issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Letter {
    /// Its name.
    pub name: String,
    /// The name of its unit.
    pub unit: String,
    /// The cycles for which an issue holds an instance of the unit.
    pub occupancy: u64,
    /// The least and the greatest latency, in cycles.
    pub latency: [u64; 2],
    /// Where the numbers are from; absent where that is not said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sources: String,
    /// The numbers that no source gives; absent where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<Assumed>,
    /// What an issue asks of each server, in their order: the amount, and how much work left from before
    /// it makes the server do at most. Absent where it asks nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<[u64; 2]>,
}

words! {
    /// A number that no source gives.
    Assumed {
        /// The latency.
        Latency = "latency",
        /// The occupancy.
        Occupancy = "occupancy",
        /// The number of instances of the unit.
        Instances = "instances",
    }
}

impl From<Number> for Assumed {
    fn from(number: Number) -> Self {
        match number {
            Number::Latency => Self::Latency,
            Number::Occupancy => Self::Occupancy,
            Number::Instances => Self::Instances,
        }
    }
}

impl From<Assumed> for Number {
    fn from(assumed: Assumed) -> Self {
        match assumed {
            Assumed::Latency => Self::Latency,
            Assumed::Occupancy => Self::Occupancy,
            Assumed::Instances => Self::Instances,
        }
    }
}

impl Machine {
    /// The machine that the record names.
    ///
    /// # Errors
    /// If a unit has no letter of its name in its place, a letter names no unit, or a number is not one that a
    /// machine can have.
    pub fn named(&self) -> Result<NamedMachine, String> {
        let latency = |letter: &Letter| {
            let [least, most] = letter.latency;
            machine::Latency { least, most }
        };
        let requests = |letter: &Letter| -> Vec<machine::Request> {
            let of = |&[amount, displaces]: &[u64; 2]| machine::Request { amount, displaces };
            letter.requests.iter().map(of).collect()
        };
        let unit = |(at, unit): (usize, &Unit)| {
            let own =
                self.letters.get(at).filter(|letter| letter.name == unit.name && letter.unit == unit.name);
            let own = own.ok_or_else(|| format!("unit {}: want its letter in its place", unit.name))?;
            Ok(machine::Unit {
                name: unit.name.clone(),
                instances: unit.instances,
                shared: unit.shared,
                occupancy: own.occupancy,
                latency: latency(own),
                requests: requests(own),
            })
        };
        let letter = |letter: &Letter| {
            let unit = self.units.iter().position(|unit| unit.name == letter.unit);
            let unit = unit.ok_or_else(|| format!("letter {}: no unit {}", letter.name, letter.unit))?;
            Ok(machine::Letter {
                name: letter.name.clone(),
                unit,
                occupancy: letter.occupancy,
                latency: latency(letter),
                requests: requests(letter),
            })
        };
        let units = self.units.iter().enumerate().map(unit).collect::<Result<_, String>>()?;
        let further =
            self.letters.iter().skip(self.units.len()).map(letter).collect::<Result<_, String>>()?;
        let servers = self.servers.iter().map(Server::model).collect::<Result<Vec<_>, String>>()?;
        let machine = machine::Machine::new(self.schedulers, self.issue_width, units, further)
            .and_then(|machine| machine.with_servers(servers));
        let origin = |letter: &Letter| {
            let assumed = letter.assumed.iter().map(|&one| one.into()).collect();
            (
                letter.name.clone(),
                Origin {
                    sources: letter.sources.clone(),
                    assumed,
                    given: Vec::new(),
                    asks: true,
                    in_l2: None,
                    in_idle_dram: None,
                },
            )
        };
        Ok(NamedMachine {
            name: self.name.clone(),
            capability: None,
            known: false,
            // A record does not say whether its kernel is from a listing.
            machine: machine.map_err(|error| error.to_string())?.with_worst_letters(),
            letters: self.letters.iter().map(origin).collect(),
            sources: BTreeMap::new(),
            memory: self.servers.iter().map(Server::named).collect::<Result<_, String>>()?,
            clock: None,
            preset: None,
            holds: Holds::Nothing,
            idle_pauses: None,
            is_idle: false,
        })
    }
}

impl From<&NamedMachine> for Machine {
    fn from(named: &NamedMachine) -> Self {
        let machine = &named.machine;
        let unit = |unit: &machine::Unit| Unit {
            name: unit.name.clone(),
            instances: unit.instances,
            shared: unit.shared,
        };
        let letter = |letter: &machine::Letter| {
            let origin = named.letters.get(&letter.name).cloned().unwrap_or_default();
            Letter {
                name: letter.name.clone(),
                unit: machine.units()[letter.unit].name.clone(),
                occupancy: letter.occupancy,
                latency: [letter.latency.least, letter.latency.most],
                sources: origin.sources,
                assumed: origin.assumed.into_iter().map(Into::into).collect(),
                requests: asked(letter),
            }
        };
        Self {
            name: named.name.clone(),
            schedulers: machine.schedulers(),
            issue_width: machine.width(),
            units: machine.units().iter().map(unit).collect(),
            letters: machine.letters().iter().map(letter).collect(),
            servers: machine.servers().iter().map(|server| Server::of(server, &named.memory)).collect(),
        }
    }
}

/// What a letter asks; nothing if that is nothing of any server.
fn asked(letter: &machine::Letter) -> Vec<[u64; 2]> {
    let of = |request: &machine::Request| [request.amount, request.displaces];
    if letter.asks() { letter.requests.iter().map(of).collect() } else { Vec::new() }
}

impl Server {
    /// The record of a server, which is called as one of the memory that is known.
    fn of(server: &machine::Server, memory: &[NamedServer]) -> Self {
        let known = memory.iter().find(|known| known.name == server.name);
        let others = server.others != machine::Others::NONE;
        Self {
            name: server.name.clone(),
            rate: server.rate.to_string(),
            line: server.line,
            lone_sector: server.lone_sector,
            before: server.before,
            others: others.then(|| (server.others.burst, server.others.rate.to_string())),
            pauses: server.pauses.map(|pauses| [pauses.length, pauses.every, pauses.postponed]),
            sources: known.map_or_else(String::new, |known| known.sources.clone()),
            assumed: known.is_some_and(|known| known.assumed),
        }
    }

    fn model(&self) -> Result<machine::Server, String> {
        let others = match &self.others {
            None => machine::Others::NONE,
            Some((burst, rate)) => machine::Others { burst: *burst, rate: ratio(rate)? },
        };
        let pauses = self.pauses.map(|[length, every, postponed]| machine::Pauses {
            length,
            every,
            postponed,
            of_all: false,
        });
        Ok(machine::Server {
            name: self.name.clone(),
            rate: ratio(&self.rate)?,
            line: self.line,
            lone_sector: self.lone_sector,
            before: self.before,
            others,
            pauses,
        })
    }

    /// The server by the cycle, as a machine file would have it.
    fn named(&self) -> Result<NamedServer, String> {
        let server = self.model()?;
        let stops = |pauses: machine::Pauses| Stops {
            length: Length::Cycles(pauses.length),
            every: Length::Cycles(pauses.every),
            postponed: pauses.postponed,
            of_all: pauses.of_all,
        };
        let others = server.others != machine::Others::NONE;
        Ok(NamedServer {
            line: server.line,
            lone_sector: server.lone_sector,
            before: server.before,
            others: others.then_some((Rate::PerCycle(server.others.rate), server.others.burst)),
            pauses: server.pauses.map(stops),
            sources: self.sources.clone(),
            assumed: self.assumed,
            ..NamedServer::simple(&self.name, Rate::PerCycle(server.rate))
        })
    }
}

/// A rate of a record: a number or a ratio.
fn ratio(text: &str) -> Result<Ratio<u64>, String> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<u64>().ok();
    let found = number(above).zip(number(below)).filter(|&(_, below)| below > 0);
    let (above, below) = found.ok_or_else(|| format!("rate {text:?}: want a number or a ratio"))?;
    Ok(Ratio::new(above, below))
}
