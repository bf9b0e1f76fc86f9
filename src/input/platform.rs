//! What the kernels of a file run on: the multiprocessor of `[multiprocessor]` or of a preset, or a machine with
//! latency and issue width.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::input::keys::key;
use crate::input::machine::{
    LetterTable, MachineTable, NamedMachine, UnitTable, find_machine, named_machine,
};
use crate::input::multiprocessor::{MultiprocessorTable, Sigmas};
use crate::model::device::Preset;
use crate::model::machine::Step;
use crate::model::program::Piece;
use crate::model::{Code, Multiprocessor, Throughput};
use crate::source::{InputError, Source, Spanned, WholeOrText};

/// The key `machine` of a file of kernels or tasks.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub(crate) enum MachineKey {
    /// A file beside this one, or one of the machines that the program knows.
    Named(String),
    /// The machine itself.
    Table(Box<WholeMachine>),
}

/// A machine with its units, in a file whose key `unit` is that of times.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WholeMachine {
    /// A name for results.
    name: Option<String>,
    /// The compute capability that the machine stands for.
    capability: Option<String>,
    /// How many schedulers there are; 1 if it is not given.
    schedulers: Option<Spanned<i64>>,
    /// How many instructions a scheduler issues in a cycle, or `unlimited`.
    #[schemars(with = "WholeOrText")]
    issue_width: Spanned<toml::Value>,
    /// The kinds of unit.
    #[serde(default)]
    unit: Vec<Spanned<UnitTable>>,
    /// Further letters on the units.
    #[serde(default)]
    letter: Vec<Spanned<LetterTable>>,
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

/// The machine that a file gives instead of `[multiprocessor]`, if it does. A preset of `[gpu]` must have its
/// capability.
pub(crate) fn platform(
    source: &Source<'_>,
    machine: Option<&Spanned<MachineKey>>,
    multiprocessor: Option<&Spanned<MultiprocessorTable>>,
    preset: Option<&Preset>,
) -> Result<Option<Platform>, InputError> {
    let Some(given) = machine else { return Ok(None) };
    let at = given.span().start;
    if let Some(other) = multiprocessor {
        let later = at.max(other.span().start);
        return Err(source.error(later, "both [multiprocessor] and a machine: want one of them"));
    }
    let machine = match given.get_ref() {
        MachineKey::Table(whole) => {
            let WholeMachine { name, capability, schedulers, issue_width, unit, letter } = &**whole;
            let table = MachineTable {
                name: name.clone(),
                capability: capability.clone(),
                schedulers: schedulers.clone(),
                issue_width: issue_width.clone(),
            };
            named_machine(source, at, &table, unit, letter, "")?
        }
        MachineKey::Named(name) => {
            let beside = Path::new(source.place).parent().unwrap_or(Path::new("")).join(name);
            let path = beside.to_str().filter(|_| beside.is_file()).unwrap_or(name);
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
    Ok(Some(Platform { machine: Arc::new(machine) }))
}

/// A machine that a file gives.
pub(crate) struct Platform {
    pub(crate) machine: Arc<NamedMachine>,
}

/// Code of a file.
pub(crate) enum CodeOn {
    /// Letters L and C of the paper's multiprocessor.
    Paper(Code),
    /// Letters of the machine of the file.
    Machine(Piece<Step>),
}

impl Platform {
    /// The sigmas, if the machine is the paper's multiprocessor.
    pub(crate) fn sigmas(&self) -> Result<Option<Sigmas>, InputError> {
        let Some(sigmas) = self.machine.machine.sigmas() else { return Ok(None) };
        let wrong = |what| InputError::new(self.machine.name.clone(), what);
        let of = |sigma: u64| Throughput::from_units(sigma, 1).map_err(wrong);
        Ok(Some(Sigmas::given(Multiprocessor::new(of(sigmas[0])?, of(sigmas[1])?))))
    }

    /// Reads code over the letters of the machine. On the paper's multiprocessor it is code of L and C.
    pub(crate) fn code(
        &self,
        source: &Source<'_>,
        name: &str,
        string: &Spanned<String>,
    ) -> Result<CodeOn, InputError> {
        let code = self.machine.machine.code(string.get_ref()).map_err(|what| {
            source.error(string.span().start, format!("{name} = {:?}: {what}", string.get_ref()))
        })?;
        Ok(match self.machine.machine.sigmas() {
            Some(_) => CodeOn::Paper(self.machine.code_of_paper(&code)),
            None => CodeOn::Machine(code),
        })
    }

    /// The error for a listing, if the machine is not the paper's multiprocessor.
    pub(crate) fn refuse_listing(
        &self,
        source: &Source<'_>,
        file: &Spanned<String>,
    ) -> Result<(), InputError> {
        if self.machine.machine.sigmas().is_some() {
            return Ok(());
        }
        let what = format!("ptx = {:?}: listings are not read for a machine here: want code", file.get_ref());
        Err(source.error(file.span().start, what))
    }

    /// What a user must know about numbers that rest on this code: the numbers of its letters that no source
    /// gives, a sentence each.
    pub(crate) fn assumes<'a>(&self, codes: impl Iterator<Item = &'a Piece<Step>>) -> Vec<String> {
        let mut used = Vec::new();
        for code in codes {
            code.map(&mut |step: &Step| used.push(self.machine.machine.letter(step.letter).name.as_str()));
        }
        used.sort_unstable();
        used.dedup();
        let assumed = self.machine.assumes(&used);
        // A file has no flags; the machine is in a file of its own, or in this one.
        assumed.iter().map(|message| message.worded(key)).collect()
    }
}
