//! What an instruction does to registers, in one small language for all opcodes.
//!
//! An instruction is lifted to steps. Each gives a word or a bit, and may read what earlier steps gave. Registers are read as
//! they were before the instruction, and written when all steps are done. Of what is not lifted it is only said which registers it may
//! write ([`warpspan_isa::written`]).
//!
//! | operation | gives |
//! |---|---|
//! | [`Operation::Sum`], [`Operation::Carry`] | a sum of words and a bit, and whether it needs more than 32 bits |
//! | [`Operation::SumOfCarries`], [`Operation::OneCarry`] | a sum of words and two bits, and one of the two that a sum of three words carries |
//! | [`Operation::Product`], [`Operation::WideProduct`], [`Operation::Quotient`] | a word of the product of two numbers; all of it; a quotient or a remainder |
//! | [`Operation::Shift`], [`Operation::ShiftBy`] | a word of a number of two words that is shifted; a word that another one shifts |
//! | [`Operation::Convert`], [`Operation::Extract`], [`Operation::Magnitude`] | a number in more or fewer bits; some of its bits; without its sign |
//! | [`Operation::Reverse`], [`Operation::Ones`], [`Operation::Zeros`] | its bits in reverse order; how many are set; how many zeros it begins with |
//! | [`Operation::Logic`], [`Operation::Bits`] | a function of the bits of three words, or of three bits |
//! | [`Operation::Select`], [`Operation::Extreme`], [`Operation::Compare`] | one of two numbers; how they compare |
//! | [`Operation::Float`], [`Operation::Reciprocal`], [`Operation::Truncated`] | floating-point numbers that divide integers |
//! | [`Operation::Parameter`], [`Operation::Special`], [`Operation::SomeLane`] | a parameter of the kernel; a special register; the number of one of the lanes |
//! | [`Operation::Function`], [`Operation::Test`] | a word and a bit that some words decide, by a function that is not looked into |
//! | [`Operation::UnknownBit`] | anything, as [`Word::Unknown`] is |
//!
//! Words have 32 bits in SASS. In PTX they have those of the type of the instruction ([`Lifted::bits`]).

// Layers: a module uses only those of the groups above its own.
pub mod halves;
pub mod ptx;
mod relation;
pub mod sass;

#[cfg(test)]
mod run;
#[cfg(test)]
mod tests;

pub use relation::Relation;
use warpspan_isa::register::Register;

/// A word that a step reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// This number.
    Number(i128),
    /// What a register of SASS holds.
    Register(Register),
    /// The register or the symbol of PTX that is this name among those of the operands.
    Named(usize),
    /// A number that stands in the instruction and of which nothing is known.
    Literal,
    /// Of the constant bank 0, from this byte on.
    Constant(u32),
    /// What an earlier step gave.
    Step(usize),
    /// Of another constant bank, from this byte on.
    Fixed {
        /// The number of the bank.
        bank: u32,
        /// The byte.
        at: u32,
    },
    /// Any word: at an address that registers hold.
    Unknown,
}

/// What is done to the bits of a word before a step counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Nothing.
    Plain,
    /// `-x`.
    Negated,
    /// `~x`.
    Inverted,
}

/// A word with its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// The word.
    pub word: Word,
    /// What is done to its bits.
    pub sign: Sign,
}

impl Term {
    /// A word as it is.
    pub const fn of(word: Word) -> Self {
        Self { word, sign: Sign::Plain }
    }

    /// A number.
    pub const fn number(number: u32) -> Self {
        Self::of(Word::Number(number as i128))
    }

    /// What an earlier step gave.
    pub const fn step(step: usize) -> Self {
        Self::of(Word::Step(step))
    }

    /// The number of 32 bits without a sign that it is whatever runs, if it is one.
    pub fn only(self) -> Option<u32> {
        let Word::Number(number) = self.word else { return None };
        let number = u32::try_from(number).ok()?;
        Some(match self.sign {
            Sign::Plain => number,
            Sign::Negated => number.wrapping_neg(),
            Sign::Inverted => !number,
        })
    }
}

/// A part of the condition code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    /// Whether the last sum needed more than 32 bits.
    Carry,
    /// Whether it was zero.
    Zero,
}

/// Where a bit is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It is set.
    Set,
    /// What a predicate of SASS holds.
    Predicate(Register),
    /// The predicate of PTX that is this name among those of the operands.
    Named(usize),
    /// A part of the condition code.
    Code(Flag),
    /// What an earlier step gave.
    Step(usize),
}

/// A bit that a step reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bit {
    /// Where it is from.
    pub of: Origin,
    /// Whether it is the opposite.
    pub negated: bool,
}

impl Bit {
    /// A bit that is set.
    pub const SET: Self = Self { of: Origin::Set, negated: false };
    /// A bit that is not.
    pub const CLEAR: Self = Self { of: Origin::Set, negated: true };

    /// What an earlier step gave.
    pub const fn step(step: usize) -> Self {
        Self { of: Origin::Step(step), negated: false }
    }
}

/// A special register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// The number of a thread in its block, along an axis.
    Thread(usize),
    /// The number of a block in its grid.
    Block(usize),
    /// The threads of a block.
    Threads(usize),
    /// The blocks of the grid.
    Blocks(usize),
    /// The number of a thread in its warp.
    Lane,
    /// The number of a block in its cluster.
    InCluster,
}

/// What a step gives. Numbers have a sign where `signed` says so.
#[expect(missing_docs, reason = "what is said of an operation says what its parts are")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// The lower 32 bits of the sum of these, and 1 if the bit is set.
    Sum(Vec<Term>, Bit),
    /// A bit: whether this sum of words without a sign needs more than 32 bits. A negated word counts as `~x` and 1.
    Carry(Vec<Term>, Bit),
    /// The lower 32 bits of the sum of these, and 1 for each bit that is set.
    SumOfCarries(Vec<Term>, [Bit; 2]),
    /// One of the two bits that a sum of three words without a sign carries: the first or the second one. Together they count how often the sum
    /// is 2^32 or more; which of them has a single carry is not known.
    OneCarry(Vec<Term>, usize),
    /// A word of the product of two numbers.
    Product { signed: bool, factors: [Term; 2], upper: bool },
    /// The product of two numbers of half as many bits.
    WideProduct { signed: bool, factors: [Term; 2] },
    /// The first number divided by the second, without its fraction, or what that leaves.
    Quotient { signed: bool, of: [Term; 2], remainder: bool },
    /// A number of the type `from`, its bits and whether it has a sign, in the bits of the result. If these are fewer, they are its lower
    /// ones, read with a sign if `signed`.
    Convert { from: (u32, bool), signed: bool, of: Term },
    /// The bits of a number from bit `at` on, `length` of them. Of both only the lowest byte counts.
    Extract { signed: bool, of: Term, at: Term, length: Term },
    /// A number without its sign.
    Magnitude(Term),
    /// The bits of a word in reverse order.
    Reverse(Term),
    /// How many bits of a word are set.
    Ones(Term),
    /// With how many zeros a word begins.
    Zeros(Term),
    /// A word that these decide.
    Function(Vec<Term>),
    /// A bit that these decide.
    Test(Vec<Term>),
    /// A word of a number, the lower word first, that is shifted by so many bits, fewer than 64.
    Shift { left: bool, signed: bool, words: [Term; 2], by: u32, upper: bool },
    /// A word that is shifted by an amount without a sign that another word gives. An amount of 32 or more leaves zero, or the sign in all bits.
    ShiftBy { left: bool, signed: bool, of: Term, by: Term },
    /// A function of the bits of three words: bit 4 a + 2 b + c of the table. That of a function is what it makes of [`TABLES`].
    Logic(u8, [Term; 3]),
    /// The same of three bits: a bit.
    Bits(u8, [Bit; 3]),
    /// The first where the bit is set, else the second.
    Select(Bit, [Term; 2]),
    /// The least or the greatest of two numbers.
    Extreme { least: bool, signed: bool, of: [Term; 2] },
    /// A bit: how two numbers compare.
    Compare { relation: Relation, signed: bool, of: [Term; 2] },
    /// What a parameter of the kernel holds from a byte on: a number of these bits, with a sign or without. It has this name among those of
    /// the operands.
    Parameter { name: usize, byte: u32, number: (u32, bool) },
    /// What a special register holds.
    Special(Special),
    /// The number of one of the lanes, for all of them.
    SomeLane(Term),
    /// The bits of a floating-point number of 32 bits that is next to an integer, above or below.
    Float { signed: bool, of: Term },
    /// The bits of the reciprocal of such a number, as the special function unit gives it.
    Reciprocal(Term),
    /// Such a number without its fraction, as an integer without a sign.
    Truncated(Term),
    /// Any bit.
    UnknownBit,
}

impl Operation {
    /// Whether it gives a bit.
    pub const fn is_bit(&self) -> bool {
        matches!(
            self,
            Self::Carry(..)
                | Self::OneCarry(..)
                | Self::Bits(..)
                | Self::Compare { .. }
                | Self::Test(_)
                | Self::UnknownBit
        )
    }
}

/// The tables of the three inputs of a function of bits.
pub const TABLES: [u8; 3] = [0xf0, 0xcc, 0xaa];

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A register of 32 bits, or a predicate.
    Register(Register),
    /// What is this name among those of the operands of PTX.
    Named(usize),
    /// A part of the condition code.
    Code(Flag),
}

/// An instruction as steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifted {
    /// How many bits the words of its steps have.
    pub bits: u32,
    /// The steps, each of which may read what those before it gave.
    pub steps: Vec<Operation>,
    /// The places that it writes, each with the step that gives it.
    pub writes: Vec<(Place, usize)>,
}

impl Lifted {
    /// No steps yet, whose words will have this many bits.
    pub const fn of(bits: u32) -> Self {
        Self { bits, steps: vec![], writes: vec![] }
    }

    /// Adds a step.
    pub fn step(&mut self, operation: Operation) -> usize {
        self.steps.push(operation);
        self.steps.len() - 1
    }

    /// Adds a step and where its result goes.
    pub fn gives(&mut self, place: Place, operation: Operation) {
        let step = self.step(operation);
        self.writes.push((place, step));
    }
}
