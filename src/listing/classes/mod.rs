//! Classes of instructions: the unit that an opcode uses, and its number of letters.
//!
//! Memory instructions are L, with one letter, since the sigma of the load/store units says how many cycles a
//! warp takes. All other instructions are C, with as many letters as instructions of 32-bit floating-point
//! arithmetic fit into the time of one ([`Kind::letters`]). The sub-warp expansion of sigma 1/n comes later
//! and is not counted here. A barrier and the end of a thread use no unit. PTX is not machine code: the rows
//! say where an instruction of PTX is counted as several.

mod ptx;
mod rates;
mod sass;
mod table;

use std::collections::HashMap;
use std::fmt;

use crate::listing::routine::Language;
use crate::model::Unit;
use crate::model::device::Capability;
pub use rates::Kind;
pub(crate) use table::Use;
use table::{find, matches};

/// What an instruction is in a kernel string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Its letters.
    pub letters: Letters,
    /// Where that is from.
    pub why: String,
}

/// The letters of one instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Letters {
    /// So many letters of a unit.
    Unit(Unit, u64),
    /// A letter of a unit, of which nobody has said how often it counts.
    Unrated(Unit),
    /// The barrier of the block.
    Barrier,
    /// None.
    None,
    /// A letter of a unit in the listing, but the model does not cover what the instruction does.
    Refused(Unit, &'static str),
}

impl Letters {
    /// The unit, whatever the count.
    pub const fn unit(&self) -> Option<Unit> {
        match self {
            Self::Unit(unit, _) | Self::Unrated(unit) | Self::Refused(unit, _) => Some(*unit),
            Self::Barrier | Self::None => None,
        }
    }
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Barrier => write!(f, "|"),
            Self::None => write!(f, "-"),
            _ => self.unit().map_or(Ok(()), |unit| write!(f, "{unit}")),
        }
    }
}

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
}

/// The classes of a language at a compute capability.
#[derive(Debug, Clone)]
pub(crate) struct Classes {
    language: Language,
    capability: Capability,
    given: Vec<Given>,
    known: HashMap<String, Option<Class>>,
}

impl Classes {
    /// The table, with what the user gives before it.
    pub(crate) fn new(language: Language, capability: Capability, given: Vec<Given>) -> Self {
        Self { language, capability, given, known: HashMap::new() }
    }

    /// The class of an opcode; none if no row has it.
    pub(crate) fn class(&mut self, opcode: &str) -> Option<&Class> {
        if !self.known.contains_key(opcode) {
            let class = self.look_up(opcode);
            self.known.insert(opcode.to_owned(), class);
        }
        self.known.get(opcode)?.as_ref()
    }

    /// Takes a class for an opcode that has no letters otherwise, for a search whose program nobody keeps.
    pub(crate) fn guess(&mut self, opcode: &str) {
        let (opcode, place) = (opcode.to_owned(), String::new());
        self.known.remove(&opcode);
        self.given.insert(0, Given { opcode, unit: Some(Unit::CudaCore), letter: None, letters: 1, place });
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
    pub(crate) fn find(&self, opcode: &str) -> Option<Found<'_>> {
        if let Some(given) = self.given.iter().find(|given| matches(&given.opcode, opcode)) {
            return Some(Found::Given(given));
        }
        let rows = match self.language {
            Language::Ptx => ptx::ROWS,
            Language::Sass => sass::ROWS,
        };
        find(rows, opcode).map(|row| Found::Row(row.what, row.note))
    }

    fn look_up(&self, opcode: &str) -> Option<Class> {
        let (what, note) = match self.find(opcode)? {
            Found::Row(what, note) => (what, note),
            Found::Given(given) => {
                let letters = match given.unit {
                    Some(unit) => Letters::Unit(unit, given.letters),
                    None if given.letter.is_some() => Letters::Unrated(Unit::CudaCore),
                    None => Letters::None,
                };
                return Some(Class { letters, why: given.place.clone() });
            }
        };
        let (letters, mut why) = match what {
            Use::Memory => (Letters::Unit(Unit::LoadStore, 1), "memory".to_owned()),
            Use::Cores(kind, times) => {
                let letters = kind.letters(&self.capability).saturating_mul(times);
                let (rate, cores) = (kind.rate(&self.capability), self.capability.cuda_cores);
                let why = format!("{}: {rate} results a cycle, {cores} cores", kind.name());
                let why = if times > 1 { format!("{times} times {why}") } else { why };
                (Letters::Unit(Unit::CudaCore, letters), why)
            }
            Use::Unrated => (Letters::Unrated(Unit::CudaCore), "no throughput is known".to_owned()),
            Use::Barrier => (Letters::Barrier, "barrier of the block".to_owned()),
            Use::Nothing => (Letters::None, "no unit".to_owned()),
            Use::Refused(reason) => (Letters::Refused(Unit::CudaCore, reason), reason.to_owned()),
        };
        if !note.is_empty() {
            why = format!("{why} ({note})");
        }
        debug_assert_eq!(letters.unit(), what.unit());
        Some(Class { letters, why })
    }
}

/// An opcode for each name in the table of a language.
#[cfg(test)]
pub(crate) fn opcodes(language: Language) -> Vec<String> {
    let rows = match language {
        Language::Ptx => ptx::ROWS,
        Language::Sass => sass::ROWS,
    };
    let of_pattern = |pattern: &str| {
        let (names, modifiers) = pattern.split_once('.').unwrap_or((pattern, ""));
        let first = |part: &str| part.split('|').next().unwrap_or_default().to_owned();
        let modifiers: String = modifiers
            .split('.')
            .filter(|part| !part.is_empty())
            .map(first)
            .fold(String::new(), |all, modifier| format!("{all}.{modifier}"));
        names.split('|').map(|name| format!("{name}{modifiers}")).collect::<Vec<_>>()
    };
    rows.iter().flat_map(|row| row.opcodes.split(' ')).flat_map(of_pattern).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(language: Language, capability: &str, opcode: &str) -> String {
        let mut classes = Classes::new(language, capability.parse().unwrap(), vec![]);
        match classes.class(opcode).map(|class| class.letters.clone()) {
            Some(Letters::Unit(unit, count)) => format!("{unit}{count}"),
            Some(letters) => letters.to_string(),
            None => "?".to_owned(),
        }
    }

    #[test]
    fn ptx_at_2_0() {
        let is = |opcode: &str, expected: &str| {
            assert_eq!(class(Language::Ptx, "2.0", opcode), expected, "{opcode}")
        };
        for memory in
            ["ld.global.f32", "st.shared.v2.s32", "ldu.global.s32", "atom.add.u32", "red.global.add.u32"]
        {
            is(memory, "L1");
        }
        for memory in [
            "tex.2d.v4.u32.f32",
            "tld4.r.2d.v4.f32.f32",
            "prefetch.global.L1",
            "suld.b.2d.b32",
            "sust.b.1d.b32",
        ] {
            is(memory, "L1");
        }
        is("ld.const.f32", "L1");
        is("membar.cta", "L1");
        is("ld.param.u64", "C1");
        is("st.param.f32", "C1");
        is("mov.u32", "C1");
        is("mov.u64", "C2");
        is("add.f32", "C1");
        is("fma.rn.f64", "C8");
        is("mul.lo.s32", "C2");
        is("mul.wide.s32", "C4");
        is("rcp.approx.ftz.f32", "C8");
        is("div.rn.f32", "C40");
        is("shl.b32", "C2");
        is("cvt.rn.f32.s32", "C2");
        is("cvt.rn.f64.s32", "C8");
        is("bra.uni", "C1");
        is("exit", "-");
        is("bar.sync", "|");
        is("bar.warp.sync", "C1");
        is("frobnicate.u32", "?");
    }

    #[test]
    fn sass() {
        let is = |at: &str, opcode: &str, expected: &str| {
            assert_eq!(class(Language::Sass, at, opcode), expected, "{opcode}");
        };
        is("6.1", "LDG.E", "L1");
        is("6.1", "STS.64", "L1");
        is("6.1", "XMAD.MRG", "C1");
        is("6.1", "MUFU.RCP", "C4");
        is("7.5", "DMUL", "C32");
        is("7.5", "ULDC.64", "C1");
        is("7.5", "IMAD.MOV.U32", "C1");
        is("7.5", "BAR.SYNC", "|");
        is("8.0", "EXIT", "-");
        is("8.0", "HMMA.16816.F32", "C");
        is("8.0", "FROB", "?");
    }

    #[test]
    fn what_the_user_gives_comes_first() {
        let given = |opcode: &str, unit, letters| Given {
            opcode: opcode.into(),
            unit,
            letter: None,
            letters,
            place: "f:1".into(),
        };
        let list = vec![given("mma.sync", Some(Unit::CudaCore), 16), given("ld.const", None, 1)];
        let mut classes = Classes::new(Language::Ptx, "8.0".parse().unwrap(), list);
        assert_eq!(
            classes.class("mma.sync.aligned.m16n8k16").unwrap().letters,
            Letters::Unit(Unit::CudaCore, 16)
        );
        assert_eq!(classes.class("ld.const.f32").unwrap().letters, Letters::None);
        assert_eq!(classes.class("ld.global.f32").unwrap().letters, Letters::Unit(Unit::LoadStore, 1));
    }
}
