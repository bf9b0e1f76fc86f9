//! Instructions, as they stand in a listing.

use std::fmt;

use crate::opcode::Opcode;
use crate::operand::{self, Operand};
use crate::ptx_operand;
use crate::register::Register;
use warpspan_model::words;

words! {
    /// What a listing is written in.
    #[derive(Hash)]
    Language {
        /// NVIDIA's virtual instruction set.
        Ptx = "ptx",
        /// Machine code.
        Sass = "sass",
    }
}

/// An instruction of a listing.
#[derive(Debug, Clone)]
pub struct Instruction<'a> {
    /// Where it stands, from 1.
    pub line: u32,
    /// How many bytes behind the beginning of its function it stands, if the listing says so: the one of SASS does.
    pub address: Option<u64>,
    /// Its name with modifiers: `ld.global.f32`, `LDG.E.64`.
    pub(crate) opcode: &'a str,
    /// The operands as they are written.
    pub operands: &'a str,
    /// The operands, decoded.
    decoded: Operands<'a>,
    /// The predicate under which it is executed.
    pub guard: Option<Guard<'a>>,
    /// Whether control may also go on at the next instruction although `flow` says otherwise.
    pub conditional: bool,
    /// Whether all threads of a warp do the same here, as a suffix of the opcode or a uniform predicate
    /// shows.
    pub uniform: bool,
    /// Where control goes.
    pub flow: Flow<'a>,
    /// What the compiler says about issuing it, if the listing shows that.
    pub control: Option<Control>,
}

/// The operands of an instruction.
#[derive(Debug, Clone)]
enum Operands<'a> {
    /// Those of PTX.
    Ptx(Vec<ptx_operand::Operand<'a>>),
    /// Those of SASS.
    Sass(Vec<Operand<'a>>),
}

/// The control field of an instruction of SASS from capability 5.0 on: for how long the warp stalls after it,
/// and which of the six scoreboards it waits for and sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control {
    /// The number of cycles until the next instruction of the warp may issue. It is 0 for an instruction that
    /// issues together with the next one.
    pub stall: u8,
    /// The scoreboards that must be free before the instruction issues, a bit for each.
    pub needs: u8,
    /// The scoreboard that is free again when the result has been written.
    pub write: Option<u8>,
    /// The scoreboard that is free again when the operands have been read.
    pub read: Option<u8>,
}

impl<'a> Instruction<'a> {
    /// Reads an instruction from the text of its operands. It goes on at the next one.
    pub fn new(
        language: Language,
        line: u32,
        guard: Option<Guard<'a>>,
        opcode: &'a str,
        operands: &'a str,
    ) -> Self {
        let operands = operands.trim();
        let decoded = match language {
            Language::Ptx => Operands::Ptx(ptx_operand::Operand::all(operands)),
            Language::Sass => Operands::Sass(operand::operands(operands)),
        };
        let always =
            |guard: &Guard<'_>| language == Language::Sass && guard.register == "PT" && !guard.negated;
        let conditional = guard.is_some_and(|guard| !always(&guard));
        Self {
            line,
            address: None,
            opcode,
            operands,
            decoded,
            guard,
            conditional,
            uniform: false,
            flow: Flow::Next,
            control: None,
        }
    }

    /// What its listing is written in.
    pub const fn language(&self) -> Language {
        match self.decoded {
            Operands::Ptx(_) => Language::Ptx,
            Operands::Sass(_) => Language::Sass,
        }
    }

    /// Drops all operands of an instruction of SASS but the first.
    pub fn keep_first_operand(&mut self) {
        if let Operands::Sass(all) = &mut self.decoded {
            all.truncate(1);
            self.operands = all.first().map_or("", |first| first.text);
        }
    }

    /// The operands of an instruction of SASS; none of one of PTX.
    pub fn operands(&self) -> &[Operand<'a>] {
        if let Operands::Sass(all) = &self.decoded { all } else { &[] }
    }

    /// The operands of an instruction of PTX; none of one of SASS.
    pub fn ptx_operands(&self) -> &[ptx_operand::Operand<'a>] {
        if let Operands::Ptx(all) = &self.decoded { all } else { &[] }
    }

    /// How many operands it has.
    pub const fn operand_count(&self) -> usize {
        match &self.decoded {
            Operands::Ptx(all) => all.len(),
            Operands::Sass(all) => all.len(),
        }
    }

    /// The registers that the operands of an instruction of SASS name.
    pub fn registers(&self) -> impl Iterator<Item = Register> {
        self.operands().iter().flat_map(|one| one.registers.iter().copied())
    }

    /// Its opcode, to be printed.
    pub const fn opcode(&self) -> Opcode<'a> {
        Opcode::new(self.opcode)
    }

    /// The modifiers of its opcode.
    pub(crate) fn modifiers(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.opcode.split('.').skip(1)
    }

    /// Whether its opcode has a modifier.
    pub(crate) fn has_modifier(&self, modifier: &str) -> bool {
        self.modifiers().any(|one| one == modifier)
    }

    /// Whether its opcode has one of some modifiers.
    pub(crate) fn has_any(&self, modifiers: &[&str]) -> bool {
        self.modifiers().any(|one| modifiers.contains(&one))
    }

    /// The opcode without modifiers.
    pub(crate) fn name(&self) -> &'a str {
        self.opcode.split('.').next().unwrap_or_default()
    }
}

impl fmt::Display for Instruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.opcode)?;
        if self.operands.is_empty() { Ok(()) } else { write!(f, " {}", self.operands) }
    }
}

/// A predicate in front of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard<'a> {
    /// The predicate register.
    pub register: &'a str,
    /// Whether the instruction is executed where the register is false.
    pub negated: bool,
}

/// Where control goes after an instruction. Targets are indexes of instructions of the same routine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flow<'a> {
    /// To the next instruction.
    Next,
    /// To one target.
    Branch(usize),
    /// To one of several targets.
    Switch(Vec<usize>),
    /// Through a routine of the file and back.
    Call(&'a str),
    /// Through a part of this routine and back.
    CallInside(usize),
    /// To a target that the listing does not name.
    Unknown,
    /// Out of the routine.
    End,
}

impl Flow<'_> {
    /// Whether control goes through other code and comes back.
    pub const fn is_call(&self) -> bool {
        matches!(self, Self::Call(_) | Self::CallInside(_))
    }
}
