//! What an instruction writes, from its steps ([`warpspan_lift`]).
//!
//! Several steps that are one operation here are put together again: a product and a sum, the words of a number of two words, the parts of
//! a product that is made half by half, and the comparison of two words each. What is put together in no such way is not known.

mod bits;
mod halves;
mod sums;

use crate::flow::analysis::counts::effect::{CARRY, Condition, Operation, Source, Term, Write, ZERO};
use crate::interval::{IntegerType, Interval};
use crate::params::Launch;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{OfLane, of_lane};
use warpspan_isa::register::File;
use warpspan_lift::{self as lift, Bit, Flag, Lifted, Origin, Place, Sign, Special, Word};

const SIGNED: IntegerType = IntegerType { signed: true, bits: 32 };
const UNSIGNED: IntegerType = IntegerType { signed: false, bits: 32 };

/// Says of registers that an instruction writes what they then hold, as far as its steps say it. `names` are those of its operands.
pub(super) fn understood<'a>(
    writes: &mut [Write<'a>],
    lifted: &Lifted,
    (names, launch): (&[&'a str], &Launch),
) {
    let Lifted { bits, steps: all, writes: given } = lifted;
    let steps = Steps { all, writes: given, bits: *bits, names, launch };
    for &(place, step) in given {
        let Some(name) = steps.name_of(place) else { continue };
        let Some(result) = steps.operation(place, step) else { continue };
        if let Some(own) = writes.iter_mut().find(|write| write.register == name) {
            own.bits = match (&all[step], &result) {
                (lift::Operation::Parameter { .. }, Operation::Converted(..)) => 64,
                (step, _) if step.is_bit() => 1,
                _ => *bits,
            };
            own.result = result;
        }
    }
}

/// Says of registers that get fewer bits of memory than they have which numbers these may be: they are extended, by their sign or by zeros.
pub(super) fn loaded(writes: &mut [Write<'_>], instruction: &Instruction<'_>) {
    let Some(OfLane { gives: true, is_atomic: false, number: (bits @ ..32, signed), .. }) =
        of_lane(instruction)
    else {
        return;
    };
    let kind = IntegerType { signed, bits };
    if let [write] = writes {
        write.result = numbers(kind.least(), kind.most());
    }
}

/// Some number between two ends.
pub(super) fn numbers<'a>(least: i128, most: i128) -> Operation<'a> {
    Operation::Sum(vec![Term::of(Source::Known(Interval::new(least, most)))])
}

/// The steps of an instruction, and what is known of the launch.
#[derive(Debug, Clone, Copy)]
struct Steps<'s, 'a> {
    all: &'s [lift::Operation],
    writes: &'s [(Place, usize)],
    /// The bits of a word.
    bits: u32,
    /// The names of the operands of PTX.
    names: &'s [&'a str],
    launch: &'s Launch,
}

impl<'a> Steps<'_, 'a> {
    /// The type of a word as a number.
    const fn kind(&self, signed: bool) -> IntegerType {
        IntegerType { signed, bits: self.bits }
    }

    /// The name by which what is written is followed.
    fn name_of(&self, place: Place) -> Option<&'a str> {
        match place {
            Place::Register(register) => register.name(),
            Place::Named(at) => self.names.get(at).copied(),
            Place::Code(Flag::Carry) => Some(CARRY),
            Place::Code(Flag::Zero) => Some(ZERO),
        }
    }

    /// The operation whose result goes to a place, if a step has one.
    fn operation(&self, place: Place, step: usize) -> Option<Operation<'a>> {
        use lift::Operation as Step;
        Some(match &self.all[step] {
            Step::Sum(terms, carry) => {
                self.half(step).map(Operation::Half).or_else(|| self.sum(terms, *carry))?
            }
            Step::Carry(terms, Bit::CLEAR) => self.carried(place, terms)?,
            Step::Product { upper: false, factors: [a, b], .. } => {
                Operation::Product(self.term(*a)?, self.term(*b)?, None)
            }
            Step::WideProduct { signed, factors: [a, b] } => {
                Operation::WideProduct(self.half_kind(*signed), self.term(*a)?, self.term(*b)?, None)
            }
            Step::Quotient { signed, of: [a, b], remainder } => {
                let (kind, a, b) = (self.kind(*signed), self.term(*a)?, self.term(*b)?);
                if *remainder { Operation::Remainder(kind, a, b) } else { Operation::Quotient(kind, a, b) }
            }
            Step::Convert { from: (bits, signed), of, .. } => {
                Operation::Converted(IntegerType { signed: *signed, bits: *bits }, self.term(*of)?)
            }
            // The upper word of a product.
            Step::Product { upper: true, signed, factors: [a, b] } if self.bits == 32 => {
                Operation::Upper(Some((self.kind(*signed), self.factor(*a)?, self.factor(*b)?)), vec![])
            }
            Step::Shift { left: true, upper: false, words: [a, _], by, .. } => {
                Operation::ShiftLeft(self.term(*a)?, number(*by))
            }
            Step::Shift { left: false, upper: true, signed, words: [low, a], by }
                if low.only() == Some(0) =>
            {
                Operation::ShiftRight(self.kind(*signed), self.term(*a)?, number(*by))
            }
            Step::ShiftBy { left: true, of, by, .. } => {
                Operation::ShiftLeft(self.term(*of)?, self.term(*by)?)
            }
            Step::ShiftBy { left: false, signed, of, by } => {
                Operation::ShiftRight(self.kind(*signed), self.term(*of)?, self.term(*by)?)
            }
            Step::Logic(table, words) => self.logic(*table, *words)?,
            Step::Extreme { least, signed, of } => self.extreme(*least, self.kind(*signed), *of)?,
            Step::Select(which, [a, b]) => match self.mask(*which, [*a, *b]) {
                Some(mask) => mask,
                None => Operation::Either(self.term(*a)?, self.term(*b)?, self.condition(*which)),
            },
            Step::SomeLane(of) => match of.word {
                Word::Step(step) => return self.operation(place, step),
                _ => Operation::Either(self.term(*of)?, self.term(*of)?, None),
            },
            // A register may have more bits than are read, so that the load extends the number; one has 16 bits at least.
            Step::Parameter { name, byte, number: (bits, signed) } => {
                let known = self.launch.parameter(self.names.get(*name)?, *byte, *bits)?;
                let kind = IntegerType { signed: *signed, bits: *bits };
                let fits = kind.contains(known.low) && kind.contains(known.high);
                let value = Term::of(Source::Known(known));
                match *bits < 16 || *bits < 64 && fits {
                    true => Operation::Converted(kind, value),
                    false => Operation::Sum(vec![value]),
                }
            }
            Step::Special(special) => Operation::Sum(vec![Term::of(Source::Known(self.special(*special)?))]),
            Step::Ones(_) | Step::Zeros(_) => numbers(0, self.bits.into()),
            Step::Float { signed, of } => Operation::Float(self.kind(*signed), self.term(*of)?),
            Step::Reciprocal(of) => Operation::Reciprocal(self.term(*of)?),
            Step::Truncated(of) => Operation::Truncated(self.term(*of)?),
            Step::Compare { .. } | Step::Bits(..) => self.predicate(step)?,
            Step::Carry(..)
            | Step::SumOfCarries(..)
            | Step::OneCarry(..)
            | Step::Shift { .. }
            | Step::Product { .. }
            | Step::Extract { .. }
            | Step::Magnitude(_)
            | Step::Reverse(_)
            | Step::Function(_)
            | Step::Test(_)
            | Step::UnknownBit => return None,
        })
    }

    /// A word that is read from a register, the constant bank or the instruction. The bits of `~x` are those of no number here.
    fn term(&self, term: lift::Term) -> Option<Term<'a>> {
        let source = match term.word {
            Word::Step(step) => match self.all[step] {
                lift::Operation::Special(special) => Source::Known(self.special(special)?),
                _ => return None,
            },
            _ if term.sign == Sign::Inverted => Source::Unknown,
            word => self.source(word),
        };
        Some(Term { negative: term.sign != Sign::Plain, source })
    }

    fn source(&self, word: Word) -> Source<'a> {
        match word {
            Word::Number(number) => Source::Known(Interval::point(number)),
            Word::Named(at) => self.names.get(at).map_or(Source::Unknown, |name| Source::Register(name)),
            Word::Register(register) if matches!(register.file, File::General | File::Uniform) => {
                register.name().map_or(Source::Unknown, Source::Register)
            }
            Word::Constant(at) => self.launch.word(at).map_or(Source::Unknown, Source::Known),
            Word::Register(_) | Word::Literal | Word::Step(_) | Word::Fixed { .. } | Word::Unknown => {
                Source::Unknown
            }
        }
    }

    /// The same where it has no minus, as a factor of a number of two words has none.
    fn factor(&self, term: lift::Term) -> Option<Term<'a>> {
        self.term(term).filter(|one| !one.negative)
    }

    /// What a sum adds of a word: `~x` is `-x - 1`.
    fn addends(&self, term: lift::Term) -> Option<Vec<Term<'a>>> {
        if term.sign != Sign::Inverted {
            return Some(vec![self.term(term)?]);
        }
        if matches!(term.word, Word::Step(_)) {
            return None;
        }
        Some(vec![Term { negative: true, source: self.source(term.word) }, Term::number(-1)])
    }

    /// A predicate, or a part of the condition code.
    fn condition(&self, bit: Bit) -> Option<Condition<'a>> {
        let register = match bit.of {
            Origin::Predicate(register) => register.name()?,
            Origin::Named(at) => self.name_of(Place::Named(at))?,
            Origin::Code(flag) => self.name_of(Place::Code(flag))?,
            Origin::Set | Origin::Step(_) => return None,
        };
        Some(Condition { register, negated: bit.negated })
    }

    /// Whether a word is what a step gave, other than a special register.
    fn is_made(&self, term: lift::Term) -> bool {
        matches!(term.word, Word::Step(step) if !matches!(self.all[step], lift::Operation::Special(_)))
    }

    /// The type of a number of half a word.
    const fn half_kind(&self, signed: bool) -> IntegerType {
        IntegerType { signed, bits: self.bits / 2 }
    }

    /// The step that a word is, if it is one without a sign.
    fn step(&self, term: lift::Term) -> Option<&lift::Operation> {
        let Word::Step(step) = term.word else { return None };
        (term.sign == Sign::Plain).then(|| &self.all[step])
    }

    fn special(&self, special: Special) -> Option<Interval> {
        match special {
            Special::Thread(axis) => Some(self.launch.index(false, axis)),
            Special::Block(axis) => Some(self.launch.index(true, axis)),
            Special::Lane => Some(Interval::new(0, 31)),
            Special::Threads(axis) => Some(self.launch.size(false, axis)),
            Special::Blocks(axis) => Some(self.launch.size(true, axis)),
            Special::InCluster => None,
        }
    }

    fn extreme(&self, least: bool, kind: IntegerType, [a, b]: [lift::Term; 2]) -> Option<Operation<'a>> {
        if let Some(lift::Operation::Sum(terms, Bit::CLEAR)) = self.step(a)
            && let &[one, two] = &terms[..]
        {
            let (sum, b) = ([self.term(one)?, self.term(two)?], self.term(b)?);
            return Some(match least {
                true => Operation::LeastOfSum(kind, sum, b),
                false => Operation::MostOfSum(kind, sum, b),
            });
        }
        let (a, b) = (self.term(a)?, self.term(b)?);
        Some(if least { Operation::Least(kind, a, b) } else { Operation::Most(kind, a, b) })
    }

    /// The tables that are followed: of two words whose third one is zero, and of the negation of one.
    fn logic(&self, table: u8, words @ [_, b, _]: [lift::Term; 3]) -> Option<Operation<'a>> {
        let denied = |term: lift::Term| -> Option<Operation<'a>> {
            let term = self.term(term)?;
            Some(Operation::Sum(vec![Term { negative: !term.negative, ..term }, Term::number(-1)]))
        };
        if let Some(place) = lift::TABLES.iter().position(|input| table == !input) {
            return denied(words[place]);
        }
        // `LOP.PASS_B ~x`.
        if table == lift::TABLES[1] && b.sign == Sign::Inverted {
            return denied(lift::Term::of(b.word));
        }
        // Of two words, where the third one is zero or the table does not read it.
        let two = |[x, y, third]: [usize; 3]| {
            let read = if words[third].only() == Some(0) { !lift::TABLES[third] } else { u8::MAX };
            let is = |wanted: u8| (table ^ wanted) & read == 0;
            let of = || Some((self.term(words[x])?, self.term(words[y])?));
            let (x, y) = (lift::TABLES[x], lift::TABLES[y]);
            match () {
                () if is(x & y) => of().map(|(a, b)| Operation::And(a, b)),
                () if is(x | y) => of().map(|(a, b)| Operation::Or(a, b)),
                () => None,
            }
        };
        [[0, 1, 2], [0, 2, 1], [1, 2, 0]].into_iter().find_map(two)
    }
}

/// A number that is written in an instruction.
const fn number<'a>(number: u32) -> Term<'a> {
    Term::number(number as i128)
}
