//! A machine as records have it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::input::{NamedMachine, Number, Origin};
use crate::model::machine;
use crate::records::words::words;

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
}

words! {
    /// A number that no source gives.
    Assumed from Number {
        /// The latency.
        Latency = "latency",
        /// The occupancy.
        Occupancy = "occupancy",
        /// The number of instances of the unit.
        Instances = "instances",
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
            })
        };
        let units = self.units.iter().enumerate().map(unit).collect::<Result<_, String>>()?;
        let further =
            self.letters.iter().skip(self.units.len()).map(letter).collect::<Result<_, String>>()?;
        let machine = machine::Machine::new(self.schedulers, self.issue_width, units, further);
        let origin = |letter: &Letter| {
            let assumed = letter.assumed.iter().map(|&one| one.into()).collect();
            (letter.name.clone(), Origin { sources: letter.sources.clone(), assumed })
        };
        Ok(NamedMachine {
            name: self.name.clone(),
            capability: None,
            machine: machine.map_err(|error| error.to_string())?,
            letters: self.letters.iter().map(origin).collect(),
            sources: BTreeMap::new(),
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
            }
        };
        Self {
            name: named.name.clone(),
            schedulers: machine.schedulers(),
            issue_width: machine.width(),
            units: machine.units().iter().map(unit).collect(),
            letters: machine.letters().iter().map(letter).collect(),
        }
    }
}
