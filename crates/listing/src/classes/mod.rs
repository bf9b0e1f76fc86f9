//! Classes of instructions: the unit that an opcode uses, and its number of letters.
//!
//! Memory instructions are L, with one letter, since the sigma of the load/store units says how many cycles a
//! warp takes. All other instructions are C, with as many letters as instructions of 32-bit floating-point
//! arithmetic fit into the time of one ([`Kind::letters`]). The sub-warp expansion of sigma 1/n comes later
//! and is not counted here. A barrier and the end of a thread use no unit. PTX is not machine code: the rows
//! say where an instruction of PTX is counted as several.

mod letters;
#[cfg(test)]
pub(crate) mod tests;
mod unknown;

pub use letters::{Class, Letters};
pub(crate) use unknown::most_times;
use warpspan_isa::class::{Cost, Use};
use warpspan_isa::classes::{class_name, may_count, of_opcode, tensor};
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::opcode::{ByOpcode, Opcode};
pub use warpspan_isa::rates::Kind;
use warpspan_isa::waits::{self, Covered};
use warpspan_model::Unit;
use warpspan_model::device::Capability;

/// A class given by the user, before the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// A name and modifiers that the opcode must have, in any order.
    pub opcode: String,
    /// The unit; none for an instruction that uses none.
    pub unit: Option<Unit>,
    /// The letter of a machine, by its name, which counts there in place of the unit. On the multiprocessor of
    /// the paper, such an instruction has no number of letters.
    pub letter: Option<String>,
    /// How many letters.
    pub letters: u64,
    /// Where it was given.
    pub place: String,
}

/// What the user or the table says of an opcode.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found<'c> {
    /// A class that the user gives.
    Given(&'c Given),
    /// A row of the table, with its note.
    Row(Use, &'static str),
    /// What `ptxas` makes of the instruction at the capability, with the note of the row.
    Made(Cost, &'static str),
}

impl Found<'_> {
    /// Whether there are letters of memory.
    pub(crate) fn is_memory(&self) -> bool {
        match self {
            Self::Row(what, _) => *what == Use::Memory,
            Self::Made(cost, _) => cost.memory > 0,
            Self::Given(given) => given.unit == Some(Unit::LoadStore),
        }
    }
}

/// The classes of a language at a compute capability.
#[derive(Debug, Clone)]
pub(crate) struct Classes {
    language: Language,
    capability: Capability,
    given: Vec<Given>,
    /// What a search takes as given whose program nobody keeps.
    guessed: Vec<Given>,
    known: ByOpcode<Option<Class>>,
    /// The most expensive class, once it is asked for.
    of_unknown: Option<Class>,
    /// Whether opcodes of no class count as the most expensive class.
    counts_unknown: bool,
}

impl Classes {
    /// The table, with what the user gives before it.
    pub(crate) fn new(language: Language, capability: Capability, given: Vec<Given>) -> Self {
        Self {
            language,
            capability,
            given,
            guessed: Vec::new(),
            known: ByOpcode::default(),
            of_unknown: None,
            counts_unknown: false,
        }
    }

    /// The same, in which opcodes of no class count as the most expensive class, where that is safe.
    pub(crate) fn counting_unknown(self) -> Self {
        Self { counts_unknown: true, ..self }
    }

    /// The class of an instruction; none if no row has it.
    pub(crate) fn class_of(&mut self, instruction: &Instruction<'_>) -> Option<&Class> {
        let name = class_name(instruction);
        if self.class(&name).is_some() || !self.is_counted_unknown(instruction) {
            return self.class(&name);
        }
        let class = || unknown::class(self.language, &self.capability);
        Some(self.of_unknown.get_or_insert_with(class))
    }

    /// What the user, or else the table, says of an instruction.
    pub(crate) fn find_of(&self, instruction: &Instruction<'_>) -> Option<Found<'_>> {
        self.find(&class_name(instruction))
    }

    /// Whether an instruction has no class, and counts as the most expensive one.
    pub(crate) fn is_counted_unknown(&self, instruction: &Instruction<'_>) -> bool {
        self.counts_unknown && may_count(instruction) && self.find_of(instruction).is_none()
    }

    /// The class of an opcode; none if no row has it.
    pub(crate) fn class(&mut self, opcode: &Opcode<'_>) -> Option<&Class> {
        if self.known.get(opcode).is_none() {
            let class = self.look_up(opcode);
            self.known.insert(opcode, class);
        }
        self.known.get(opcode)?.as_ref()
    }

    /// Takes a class for an opcode that has no letters otherwise, for a search whose program nobody keeps.
    pub(crate) fn guess(&mut self, opcode: &str) {
        let (opcode, place) = (opcode.to_owned(), String::new());
        self.known.forget(&Opcode::new(&opcode));
        self.guessed.push(Given { opcode, unit: Some(Unit::CudaCore), letter: None, letters: 1, place });
    }

    /// What the letters of an opcode rest on, if its time is assumed.
    pub(crate) fn assumed(&self, opcode: &Opcode<'_>) -> Option<String> {
        let is_matrix = matches!(self.find(opcode), Some(Found::Row(Use::Matrix, _)));
        let found =
            is_matrix.then(|| tensor(opcode, &self.capability)).flatten().filter(|found| found.assumed)?;
        Some(format!("counts as {} letters C ({})", found.letters, found.why))
    }

    /// The language of the opcodes.
    pub(crate) const fn language(&self) -> Language {
        self.language
    }

    /// The capability whose figures count.
    pub(crate) const fn capability(&self) -> &Capability {
        &self.capability
    }

    /// What the user, or else the table, says of an opcode.
    pub(crate) fn find(&self, opcode: &Opcode<'_>) -> Option<Found<'_>> {
        let refused = waits::of(opcode).and_then(|one| match one.covered {
            Covered::Refused(reason, unless) => Some((Found::Row(Use::Refused(reason), one.manual), unless)),
            Covered::Theorem(_) | Covered::StartsNext => None,
        });
        // What always waits has no class, whatever the user says.
        let given = if matches!(refused, Some((_, None))) { &[][..] } else { &self.given };
        let given = self.guessed.iter().chain(given).find(|given| opcode.is_of(&given.opcode));
        given.map(Found::Given).or(refused.map(|(found, _)| found)).or_else(|| self.in_tables(opcode))
    }

    /// Whether all warps of the block wait for one another at an opcode, whatever class the user gives it.
    pub(crate) fn is_barrier(&self, opcode: &Opcode<'_>) -> bool {
        match self.in_tables(opcode) {
            Some(Found::Row(what, _)) => what == Use::Barrier,
            Some(Found::Made(cost, _)) => cost.barrier,
            Some(Found::Given(_)) | None => false,
        }
    }

    /// What the tables say of an opcode.
    fn in_tables(&self, opcode: &Opcode<'_>) -> Option<Found<'static>> {
        let (what, note) = of_opcode(opcode, self.language, &self.capability)?;
        Some(match what {
            Use::Made(costs) => Found::Made(Cost::at(&costs, &self.capability), note),
            what => Found::Row(what, note),
        })
    }

    fn look_up(&self, opcode: &Opcode<'_>) -> Option<Class> {
        let (what, note) = match self.find(opcode)? {
            Found::Row(what, note) => (what, note),
            Found::Made(cost, note) => {
                let letters = Letters::of(&cost, &self.capability);
                let number =
                    cost.cores.iter().fold(cost.memory, |sum, (_, times)| sum.saturating_add(*times));
                let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
                let plural = if number == 1 { "" } else { "s" };
                return Some(Class {
                    letters,
                    why: format!("{number} instruction{plural} of the machine{note}"),
                });
            }
            Found::Given(given) => {
                let of = |unit| if given.unit == Some(unit) { given.letters } else { 0 };
                let letters = match (given.unit, &given.letter, self.is_barrier(opcode)) {
                    (Some(unit), _, false) => Letters::Unit(unit, given.letters),
                    (Some(_), _, true) => Letters::Both {
                        compute: of(Unit::CudaCore),
                        load_store: of(Unit::LoadStore),
                        barrier: true,
                    },
                    (None, Some(_), _) => Letters::Unrated(Unit::CudaCore),
                    (None, None, true) => Letters::Barrier,
                    (None, None, false) => Letters::None,
                };
                return Some(Class { letters, why: given.place.clone() });
            }
        };
        let (letters, mut why) = match what {
            Use::Memory | Use::Made(_) => (Letters::Unit(Unit::LoadStore, 1), "memory".to_owned()),
            Use::Cores(kind, times) => {
                let letters = kind.letters(&self.capability).saturating_mul(times);
                let (rate, cores) = (kind.rate(&self.capability), self.capability.cuda_cores);
                let why = format!("{}: {rate} results a cycle, {cores} cores", kind.name());
                let why = if times > 1 { format!("{times} times {why}") } else { why };
                (Letters::Unit(Unit::CudaCore, letters), why)
            }
            Use::Matrix => match tensor(opcode, &self.capability) {
                Some(found) => (Letters::Unit(Unit::CudaCore, found.letters), found.why),
                None => (Letters::Unrated(Unit::CudaCore), "no throughput is known".to_owned()),
            },
            Use::Unrated => (Letters::Unrated(Unit::CudaCore), "no throughput is known".to_owned()),
            Use::Barrier => (Letters::Barrier, "barrier of the block".to_owned()),
            Use::Nothing => (Letters::None, "no unit".to_owned()),
            Use::Refused(reason) => (Letters::Refused(Unit::CudaCore, reason), reason.to_owned()),
        };
        if !note.is_empty() {
            why = format!("{why} ({note})");
        }
        debug_assert_eq!(letters.units().next(), what.unit());
        Some(Class { letters, why })
    }
}
