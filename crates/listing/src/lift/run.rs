//! Runs steps on the lanes of a warp, for tests.

use crate::isa::register::Register;
use crate::lift::{Bit, Flag, Lifted, Operation, Origin, Place, Sign, Special, Term, Word};

/// A lane: what its registers, predicates and special registers hold.
#[derive(Debug, Clone)]
pub(crate) struct Lane<'c> {
    pub(crate) registers: std::collections::BTreeMap<(u8, usize), u32>,
    pub(crate) code: [bool; 2],
    pub(crate) constants: &'c [u32],
    pub(crate) thread: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) sizes: [[u32; 3]; 2],
    pub(crate) lane: u32,
}

/// The place of a register in a lane.
pub(crate) fn place(register: Register) -> (u8, usize) {
    (register.file as u8, register.number)
}

/// What steps gave: words and bits, and nothing where they may be anything.
type Given = Vec<Option<u32>>;

impl Lane<'_> {
    /// Runs the steps of an instruction; places that may be anything get nothing new.
    pub(crate) fn run(&mut self, lifted: &Lifted) {
        let mut given = Given::new();
        for step in &lifted.steps {
            let one = self.step(step, &given);
            given.push(one);
        }
        for &(to, step) in &lifted.writes {
            let Some(value) = given[step] else { continue };
            match to {
                Place::Register(register) => drop(self.registers.insert(place(register), value)),
                Place::Code(Flag::Carry) => self.code[0] = value != 0,
                Place::Code(Flag::Zero) => self.code[1] = value != 0,
            }
        }
    }

    fn word(&self, Term { word, sign }: Term, given: &Given) -> Option<u32> {
        let word = match word {
            Word::Number(number) => number,
            Word::Register(register) => self.registers.get(&place(register)).copied().unwrap_or_default(),
            Word::Constant(at) => self.constants.get(at as usize / 4).copied().unwrap_or_default(),
            Word::Step(step) => given[step]?,
            Word::Fixed { .. } | Word::Unknown => return None,
        };
        Some(match sign {
            Sign::Plain => word,
            Sign::Negated => word.wrapping_neg(),
            Sign::Inverted => !word,
        })
    }

    fn bit(&self, Bit { of, negated }: Bit, given: &Given) -> Option<bool> {
        let bit = match of {
            Origin::Set => true,
            Origin::Predicate(register) => self.registers.get(&place(register)).is_some_and(|bit| *bit != 0),
            Origin::Code(Flag::Carry) => self.code[0],
            Origin::Code(Flag::Zero) => self.code[1],
            Origin::Step(step) => given[step]? != 0,
        };
        Some(bit != negated)
    }

    fn step(&self, step: &Operation, given: &Given) -> Option<u32> {
        let word = |term: Term| self.word(term, given);
        let number = |signed: bool, term: Term| {
            let word = word(term)?;
            Some(if signed { i64::from(word.cast_signed()) } else { i64::from(word) })
        };
        let numbers = |signed, [a, b]: [Term; 2]| Some([number(signed, a)?, number(signed, b)?]);
        Some(match *step {
            Operation::Sum(ref terms, carry) => {
                let start = u32::from(self.bit(carry, given)?);
                terms.iter().try_fold(start, |sum, &term| Some(sum.wrapping_add(word(term)?)))?
            }
            Operation::Carry(ref terms, carry) => {
                let mut sum = u64::from(self.bit(carry, given)?);
                for &term in terms {
                    sum += match term.sign {
                        // As `~x` and 1: of zero that is 2^32.
                        Sign::Negated => u64::from(!word(Term { sign: Sign::Plain, ..term })?) + 1,
                        _ => word(term)?.into(),
                    };
                }
                u32::from(sum > u64::from(u32::MAX))
            }
            Operation::Product { signed, factors, upper } => {
                let [a, b] = numbers(signed, factors)?;
                part(i128::from(a) * i128::from(b), upper)
            }
            Operation::Shift { left, signed, words: [low, high], by, upper } => {
                let both = u64::from(word(high)?) << 32 | u64::from(word(low)?);
                let shifted = match (left, signed) {
                    (true, _) => both << by,
                    (false, true) => (both.cast_signed() >> by).cast_unsigned(),
                    (false, false) => both >> by,
                };
                part(shifted.into(), upper)
            }
            Operation::ShiftBy { left, signed, of, by } => {
                let (of, by) = (number(signed, of)?, word(by)?.min(32));
                part((if left { of << by } else { of >> by }).into(), false)
            }
            Operation::Logic(table, [a, b, c]) => {
                let (a, b, c) = (word(a)?, word(b)?, word(c)?);
                (0..32).fold(0, |all, bit| {
                    let row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | c >> bit & 1;
                    all | (u32::from(table) >> row & 1) << bit
                })
            }
            Operation::Bits(table, [a, b, c]) => {
                let bit = |bit| self.bit(bit, given).map(u32::from);
                let row = bit(a)? << 2 | bit(b)? << 1 | bit(c)?;
                u32::from(table) >> row & 1
            }
            Operation::Select(which, [a, b]) => word(if self.bit(which, given)? { a } else { b })?,
            Operation::Extreme { least, signed, of } => {
                let [a, b] = numbers(signed, of)?;
                word(of[usize::from((a > b) == least)])?
            }
            Operation::Compare { relation, signed, of } => {
                let [a, b] = numbers(signed, of)?;
                u32::from(relation.holds(a.into(), b.into()))
            }
            Operation::Special(special) => match special {
                Special::Thread(axis) => self.thread[axis],
                Special::Block(axis) => self.block[axis],
                Special::Threads(axis) => self.sizes[0][axis],
                Special::Blocks(axis) => self.sizes[1][axis],
                Special::Lane => self.lane,
                Special::InCluster => return None,
            },
            Operation::SomeLane(term) => word(term)?,
            // How these are rounded is not said.
            Operation::Float { .. } | Operation::Reciprocal(_) | Operation::Truncated(_) => return None,
            Operation::UnknownBit => return None,
        })
    }
}

/// A word of a number of two words.
fn part(number: i128, upper: bool) -> u32 {
    let shifted = if upper { number >> 32 } else { number };
    u32::try_from(shifted & 0xffff_ffff).expect("the lower bits fit")
}
