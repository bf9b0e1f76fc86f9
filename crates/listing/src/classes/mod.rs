//! Classes of instructions: the unit that an opcode uses, and its number of letters.
//!
//! Memory instructions are L, with one letter, since the sigma of the load/store units says how many cycles a
//! warp takes. All other instructions are C, with as many letters as instructions of 32-bit floating-point
//! arithmetic fit into the time of one ([`Kind::letters`]). The sub-warp expansion of sigma 1/n comes later
//! and is not counted here. A barrier and the end of a thread use no unit. PTX is not machine code: the rows
//! say where an instruction of PTX is counted as several.

mod ptx;
mod ptxas_expansion;
mod rates;
mod table;
mod tensor;
mod unknown;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use crate::isa::sass;
use crate::routine::{Instruction, Language};
pub use rates::Kind;
pub(crate) use table::{Cost, Use};
use table::{Index, Row, matches};
pub(crate) use tensor::tensor;
pub(crate) use unknown::most_times;
use warpspan_model::Unit;
use warpspan_model::device::Capability;

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
    /// So many letters of the CUDA cores, and then so many of the load/store units.
    Both {
        /// Letters C.
        compute: u64,
        /// Letters L.
        load_store: u64,
        /// Whether a barrier of the block follows.
        barrier: bool,
    },
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
    /// The units, whatever the counts.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        let (first, second) = match *self {
            Self::Unit(unit, _) | Self::Unrated(unit) | Self::Refused(unit, _) => (Some(unit), None),
            Self::Both { compute, load_store, .. } => {
                ((compute > 0).then_some(Unit::CudaCore), (load_store > 0).then_some(Unit::LoadStore))
            }
            Self::Barrier | Self::None => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Whether a barrier of the block is among them.
    pub const fn has_barrier(&self) -> bool {
        matches!(self, Self::Barrier | Self::Both { barrier: true, .. })
    }

    /// How many letters there are; none where no table says.
    pub const fn count(&self) -> Option<u64> {
        match *self {
            Self::Unit(_, count) => Some(count),
            Self::Both { compute, load_store, .. } => Some(compute.saturating_add(load_store)),
            Self::Barrier | Self::None => Some(0),
            Self::Unrated(_) | Self::Refused(..) => None,
        }
    }

    /// The letters of what an instruction costs at a capability.
    fn of(cost: &Cost, capability: &Capability) -> Self {
        let of_kind = |(kind, times): &(Kind, u64)| kind.letters(capability).saturating_mul(*times);
        let compute = cost.cores.iter().map(of_kind).fold(0, u64::saturating_add);
        match (compute, cost.memory, cost.barrier) {
            (0, 0, true) => Self::Barrier,
            (compute, 0, false) => Self::Unit(Unit::CudaCore, compute),
            (0, load_store, false) => Self::Unit(Unit::LoadStore, load_store),
            (compute, load_store, barrier) => Self::Both { compute, load_store, barrier },
        }
    }
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "-"),
            _ => {
                self.units().try_for_each(|unit| write!(f, "{unit}"))?;
                if self.has_barrier() { write!(f, "|") } else { Ok(()) }
            }
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

/// The tables of PTX by the names of the opcodes.
fn index() -> &'static Index {
    static PTX: OnceLock<Index> = OnceLock::new();
    PTX.get_or_init(|| Index::new(&TABLES))
}

/// What the table of a language says that instructions of some opcode use.
fn uses(language: Language) -> Vec<Use> {
    match language {
        Language::Ptx => TABLES.into_iter().flatten().map(|row| row.what).collect(),
        Language::Sass => sass::all().flat_map(sass::Row::classes).collect(),
    }
}

/// The classes of a language at a compute capability.
#[derive(Debug, Clone)]
pub(crate) struct Classes {
    language: Language,
    capability: Capability,
    given: Vec<Given>,
    known: HashMap<String, Option<Class>>,
    /// Whether opcodes of no class count as the dearest class.
    counts_unknown: bool,
}

/// The tables of PTX, in the order in which they are searched.
static TABLES: [&[Row]; 5] =
    [ptx::FIRST, ptxas_expansion::MEMORY, ptxas_expansion::BARRIERS, ptxas_expansion::CORES, ptx::ROWS];

impl Classes {
    /// The table, with what the user gives before it.
    pub(crate) fn new(language: Language, capability: Capability, given: Vec<Given>) -> Self {
        Self { language, capability, given, known: HashMap::new(), counts_unknown: false }
    }

    /// The same, in which opcodes of no class count as the dearest class, where that is safe.
    pub(crate) fn counting_unknown(self) -> Self {
        Self { counts_unknown: true, ..self }
    }

    /// The class of an instruction; none if no row has it.
    pub(crate) fn class_of(&mut self, instruction: &Instruction<'_>) -> Option<&Class> {
        let name = self.name_of(instruction);
        if self.class(&name).is_some() || !self.is_counted_unknown(instruction) {
            return self.class(&name);
        }
        // No opcode is empty.
        let (language, capability) = (self.language, &self.capability);
        let class = self.known.entry(String::new());
        class.or_insert_with(|| Some(unknown::class(language, capability))).as_ref()
    }

    /// What the user, or else the table, says of an instruction.
    pub(crate) fn find_of(&self, instruction: &Instruction<'_>) -> Option<Found<'_>> {
        self.find(&self.name_of(instruction))
    }

    /// Whether an instruction has no class, and counts as the dearest one.
    pub(crate) fn is_counted_unknown(&self, instruction: &Instruction<'_>) -> bool {
        self.counts_unknown && unknown::may_count(instruction) && self.find_of(instruction).is_none()
    }

    /// The name under which an instruction is looked up.
    fn name_of<'i>(&self, instruction: &Instruction<'i>) -> Cow<'i, str> {
        match self.language {
            Language::Ptx => ptx::name_of(instruction),
            Language::Sass => Cow::Borrowed(instruction.opcode),
        }
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

    /// What the letters of an opcode rest on, if its time is assumed.
    pub(crate) fn assumed(&self, opcode: &str) -> Option<String> {
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
    pub(crate) fn find(&self, opcode: &str) -> Option<Found<'_>> {
        if let Some(given) = self.given.iter().find(|given| matches(&given.opcode, opcode)) {
            return Some(Found::Given(given));
        }
        if self.language == Language::Ptx
            && let Some(reason) = ptx::loops(opcode, self.capability.version)
        {
            return Some(Found::Row(Use::Refused(reason), ""));
        }
        let (what, note) = match self.language {
            Language::Ptx => index().find(opcode).map(|row| (row.what, row.note))?,
            Language::Sass => sass::row(opcode.split('.').next()?)?.class_with(opcode)?,
        };
        Some(match what {
            Use::Made(costs) => Found::Made(costs[self.generation()], note),
            what => Found::Row(what, note),
        })
    }

    /// Which of the costs of [`Use::Made`] are those of the capability.
    fn generation(&self) -> usize {
        match self.capability.version.split('.').next().and_then(|major| major.parse::<u32>().ok()) {
            Some(0..=3) => 0,
            Some(4..=6) => 1,
            Some(7) if self.capability.version != "7.5" => 2,
            Some(7 | 8) => 3,
            _ => 4,
        }
    }

    fn look_up(&self, opcode: &str) -> Option<Class> {
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
                let letters = match given.unit {
                    Some(unit) => Letters::Unit(unit, given.letters),
                    None if given.letter.is_some() => Letters::Unrated(Unit::CudaCore),
                    None => Letters::None,
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

/// An opcode for each name in the table of a language.
#[cfg(test)]
pub(crate) fn opcodes(language: Language) -> Vec<String> {
    if language == Language::Sass {
        let with = |row: &'static sass::Row| {
            row.with.iter().map(move |with| format!("{}.{}", row.name, with.modifiers[0]))
        };
        let classed = sass::all().filter(|row| row.class.is_some());
        return classed.flat_map(|row| with(row).chain([row.name.to_owned()])).collect();
    }
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
    TABLES.into_iter().flatten().flat_map(|row| row.opcodes.split(' ')).flat_map(of_pattern).collect()
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
        for memory in [
            "ld.global.f32",
            "st.shared.v2.s32",
            "ldu.global.s32",
            "atom.global.add.u32",
            "red.global.add.u32",
        ] {
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
        is("ld.param.u64", "C2");
        is("st.param.f32", "C1");
        is("mov.u32", "C1");
        is("mov.u64", "C2");
        is("add.f32", "C1");
        is("fma.rn.f64", "C8");
        is("mul.lo.s32", "C3");
        is("mul.wide.s32", "C8");
        is("rcp.approx.ftz.f32", "C16");
        is("div.rn.f32", "C163");
        is("shl.b32", "C2");
        is("cvt.rn.f32.s32", "C3");
        is("cvt.rn.f64.s32", "C13");
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
        is("8.0", "HMMA.16816.F32", "C4");
        is("9.0", "HGMMA.64x8x16.F32", "C");
        is("8.0", "FROB", "?");
    }

    #[test]
    fn the_index_finds_the_first_row() {
        for opcode in opcodes(Language::Ptx) {
            let mut rows = TABLES.into_iter().flatten();
            let first = rows.find(|row| row.opcodes.split(' ').any(|pattern| matches(pattern, &opcode)));
            assert_eq!(first.unwrap().opcodes, index().find(&opcode).unwrap().opcodes, "{opcode}");
        }
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
