//! Runs steps on the lanes of a warp, for tests.

use crate::{Bit, Flag, Lifted, Operation, Origin, Place, Sign, Special, Term, Word};
use warpspan_isa::register::Register;

/// A lane: what its registers, predicates and special registers hold.
#[derive(Debug, Clone)]
pub(crate) struct Lane<'c> {
    pub registers: std::collections::BTreeMap<(u8, usize), u32>,
    /// What the names of the operands of an instruction of PTX are.
    pub named: Vec<u64>,
    pub code: [bool; 2],
    pub constants: &'c [u32],
    /// The words of the other constant banks, where they are known.
    pub banks: Option<fn(u32, u32) -> u32>,
    pub thread: [u32; 3],
    pub block: [u32; 3],
    pub sizes: [[u32; 3]; 2],
    pub lane: u32,
}

/// The place of a register in a lane.
pub(crate) fn place(register: Register) -> (u8, usize) {
    (register.file as u8, register.number)
}

/// What steps gave: words and bits, and nothing where they may be anything.
type Given = Vec<Option<u64>>;

impl Lane<'_> {
    /// What the steps of an instruction write, and nothing where that may be anything.
    pub(crate) fn writes(&self, lifted: &Lifted) -> Vec<(Place, Option<u64>)> {
        let mut given = Given::new();
        for step in &lifted.steps {
            let one = self.step(step, lifted.bits, &given);
            given.push(one);
        }
        lifted.writes.iter().map(|&(to, step)| (to, given[step])).collect()
    }

    /// Runs the steps of an instruction; places that may be anything get nothing new.
    pub(crate) fn run(&mut self, lifted: &Lifted) {
        for (to, value) in self.writes(lifted) {
            let Some(value) = value else { continue };
            match to {
                Place::Register(register) => drop(self.registers.insert(place(register), low(value))),
                Place::Named(name) => self.named[name] = value,
                Place::Code(Flag::Carry) => self.code[0] = value != 0,
                Place::Code(Flag::Zero) => self.code[1] = value != 0,
            }
        }
    }

    fn word(&self, Term { word, sign }: Term, bits: u32, given: &Given) -> Option<u64> {
        let word = match word {
            Word::Number(number) => word_of(number),
            Word::Register(register) => {
                self.registers.get(&place(register)).copied().unwrap_or_default().into()
            }
            Word::Named(name) => self.named[name],
            Word::Constant(at) => self.constants.get(at as usize / 4).copied().unwrap_or_default().into(),
            Word::Step(step) => given[step]?,
            Word::Fixed { bank, at } => self.banks?(bank, at).into(),
            Word::Literal | Word::Unknown => return None,
        };
        let word = match sign {
            Sign::Plain => word,
            Sign::Negated => word.wrapping_neg(),
            Sign::Inverted => !word,
        };
        Some(word & ones(bits))
    }

    fn bit(&self, Bit { of, negated }: Bit, given: &Given) -> Option<bool> {
        let bit = match of {
            Origin::Set => true,
            Origin::Predicate(register) => self.registers.get(&place(register)).is_some_and(|bit| *bit != 0),
            Origin::Named(name) => self.named[name] != 0,
            Origin::Code(Flag::Carry) => self.code[0],
            Origin::Code(Flag::Zero) => self.code[1],
            Origin::Step(step) => given[step]? != 0,
        };
        Some(bit != negated)
    }

    /// What a sum with a carry counts. A negated word is `~x` and 1: of zero that is 2^32.
    fn counted(&self, term: Term, bits: u32, given: &Given) -> Option<i128> {
        Some(match term.sign {
            Sign::Negated => {
                i128::from(!self.word(Term { sign: Sign::Plain, ..term }, bits, given)? & ones(bits)) + 1
            }
            _ => self.word(term, bits, given)?.into(),
        })
    }

    fn step(&self, step: &Operation, bits: u32, given: &Given) -> Option<u64> {
        let word = |term: Term| self.word(term, bits, given);
        let number = |signed: bool, term: Term| Some(number(word(term)?, bits, signed));
        let numbers = |signed, [a, b]: [Term; 2]| Some([number(signed, a)?, number(signed, b)?]);
        let found = match *step {
            Operation::Sum(ref terms, carry) => {
                let start = u64::from(self.bit(carry, given)?);
                terms.iter().try_fold(start, |sum, &term| Some(sum.wrapping_add(word(term)?)))?
            }
            Operation::SumOfCarries(ref terms, carries) => {
                let [one, two] = carries.map(|carry| self.bit(carry, given));
                let start = u64::from(one?) + u64::from(two?);
                terms.iter().try_fold(start, |sum, &term| Some(sum.wrapping_add(word(term)?)))?
            }
            // Which of the two carries is set is one choice of several that a processor may make.
            Operation::OneCarry(ref terms, which) => {
                let (most, [a, b, c]) = (i128::from(ones(bits)), [0, 1, 2].map(|at| terms.get(at)));
                let first = self.counted(*a?, bits, given)? + self.counted(*b?, bits, given)?;
                let all = first + self.counted(*c?, bits, given)?;
                let carries = [first > most, (all >> bits) > (first >> bits)];
                u64::from(carries[which])
            }
            Operation::Carry(ref terms, carry) => {
                let mut sum = i128::from(self.bit(carry, given)?);
                for &term in terms {
                    sum += self.counted(term, bits, given)?;
                }
                u64::from(sum > ones(bits).into())
            }
            Operation::Product { signed, factors, upper } => {
                let [a, b] = numbers(signed, factors)?;
                word_of(a.wrapping_mul(b) >> if upper { bits } else { 0 })
            }
            Operation::WideProduct { signed, factors: [a, b] } => {
                let half = |term: Term| Some(self::number(word(term)?, bits / 2, signed));
                word_of(half(a)? * half(b)?)
            }
            Operation::Quotient { signed, of, remainder } => {
                let [a, b] = numbers(signed, of)?;
                // What a division by zero gives is not said.
                word_of(if remainder { a.checked_rem(b)? } else { a.checked_div(b)? })
            }
            Operation::Convert { from: (from, from_signed), signed, of } => {
                let word = self.word(of, 64, given)?;
                let lower = word_of(self::number(word, from, from_signed));
                return Some(word_of(self::number(lower, bits, signed)));
            }
            Operation::Extract { signed, of, at, length } => {
                let (of, at, length) = (number(signed, of)?, word(at)? & 0xff, word(length)? & 0xff);
                // Behind the last bit there are copies of the sign.
                let length = u32::try_from(length).ok()?.min(64);
                let shifted = of >> at.min(64);
                if length == 0 { 0 } else { word_of(self::number(word_of(shifted), length, signed)) }
            }
            Operation::Magnitude(of) => word_of(number(true, of)?.abs()),
            Operation::Reverse(of) => word(of)?.reverse_bits() >> (64 - bits),
            Operation::Ones(of) => word(of)?.count_ones().into(),
            Operation::Zeros(of) => u64::from(word(of)?.leading_zeros() + bits) - 64,
            Operation::Shift { left, signed, words: [low, high], by, upper } => {
                let both = word(high)? << 32 | word(low)?;
                let shifted = match (left, signed) {
                    (true, _) => both << by,
                    (false, true) => (both.cast_signed() >> by).cast_unsigned(),
                    (false, false) => both >> by,
                };
                if upper { shifted >> 32 } else { shifted }
            }
            Operation::ShiftBy { left, signed, of, by } => {
                let (of, by) = (number(signed, of)?, word(by)?.min(bits.into()));
                word_of(if left { of << by } else { of >> by })
            }
            Operation::Logic(table, [a, b, c]) => {
                let (a, b, c) = (word(a)?, word(b)?, word(c)?);
                (0..bits).fold(0, |all, bit| {
                    let row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | c >> bit & 1;
                    all | (u64::from(table) >> row & 1) << bit
                })
            }
            Operation::Bits(table, [a, b, c]) => {
                let bit = |bit| self.bit(bit, given).map(u64::from);
                let row = bit(a)? << 2 | bit(b)? << 1 | bit(c)?;
                u64::from(table) >> row & 1
            }
            Operation::Select(which, [a, b]) => word(if self.bit(which, given)? { a } else { b })?,
            Operation::Extreme { least, signed, of } => {
                let [a, b] = numbers(signed, of)?;
                word(of[usize::from((a > b) == least)])?
            }
            Operation::Compare { relation, signed, of } => {
                let [a, b] = numbers(signed, of)?;
                u64::from(relation.holds(a, b))
            }
            // The bytes of the parameter are those of what is held by its name.
            Operation::Parameter { name, byte, number: (bits, signed) } => {
                let value = self.named[name] >> (8 * byte) << (64 - bits);
                if signed {
                    (value.cast_signed() >> (64 - bits)).cast_unsigned()
                } else {
                    value >> (64 - bits)
                }
            }
            Operation::Special(special) => u64::from(match special {
                Special::Thread(axis) => self.thread[axis],
                Special::Block(axis) => self.block[axis],
                Special::Threads(axis) => self.sizes[0][axis],
                Special::Blocks(axis) => self.sizes[1][axis],
                Special::Lane => self.lane,
                Special::InCluster => return None,
            }),
            Operation::SomeLane(term) => word(term)?,
            // How these are rounded is not said.
            Operation::Float { .. } | Operation::Reciprocal(_) | Operation::Truncated(_) => return None,
            Operation::Function(_) | Operation::Test(_) | Operation::UnknownBit => return None,
        };
        Some(found & ones(bits))
    }
}

/// The lower 64 bits of a number.
fn word_of(number: i128) -> u64 {
    u64::try_from(number.cast_unsigned() & u128::from(u64::MAX)).expect("the lower bits fit")
}

/// The word of which only the lower bits are set, as many as this.
const fn ones(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// The number that the lower bits of a word are.
fn number(word: u64, bits: u32, signed: bool) -> i128 {
    let word = word & ones(bits);
    let is_negative = signed && word >> (bits - 1) != 0;
    i128::from(word) - if is_negative { 1 << bits } else { 0 }
}

/// The lower word of a number.
fn low(number: u64) -> u32 {
    u32::try_from(number & 0xffff_ffff).expect("the lower bits fit")
}
