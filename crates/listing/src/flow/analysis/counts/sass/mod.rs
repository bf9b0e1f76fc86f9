//! What an instruction of SASS writes, from its steps ([`crate::lift`]).
//!
//! Several steps that are one operation here are put together again: a product and a sum, the words of a number of two words, the parts of
//! a product that is made half by half, and the comparison of two words each. What is put together in no such way is not known.

mod bits;
mod halves;
mod sums;

use crate::flow::analysis::counts::effect::{CARRY, Condition, Effect, Operation, Source, Term, Write, ZERO};
use crate::flow::analysis::counts::interval::{IntegerType, Interval};
use crate::isa::operand::Operand;
use crate::isa::register::{File, Register};
use crate::isa::row::Output;
use crate::isa::sass::row;
use crate::isa::written::written;
use crate::lift::sass::lift;
use crate::lift::{self, Bit, Flag, Origin, Place, Sign, Special, Word};
use crate::params::Launch;
use crate::routine::{Flow, Instruction};

const SIGNED: IntegerType = IntegerType { signed: true, bits: 32 };
const UNSIGNED: IntegerType = IntegerType { signed: false, bits: 32 };

/// The type of numbers of 32 bits.
const fn kind(signed: bool) -> IntegerType {
    if signed { SIGNED } else { UNSIGNED }
}

/// What an instruction writes.
pub(crate) fn effect<'a>(instruction: &Instruction<'a>, launch: &Launch) -> Effect<'a> {
    let nothing = row(instruction.name()).is_some_and(|row| row.output == Output::Nothing);
    let calls = matches!(instruction.flow, Flow::Call(_) | Flow::CallInside(_) | Flow::Unknown);
    let Some(blocks) = written(instruction).filter(|_| nothing || !calls) else {
        return Effect::everything();
    };
    let unknown = |register| Write { register, bits: 32, result: Operation::Unknown };
    let registers = blocks.into_iter().flat_map(|block| block.first.run(block.most));
    // What a predicate says of a register that is written too is said of the new one.
    let mut registers: Vec<Register> = registers.collect();
    registers.sort_by_key(|one| one.file.is_of_predicates());
    let mut writes: Vec<Write<'a>> = registers.into_iter().filter_map(Register::name).map(unknown).collect();
    // A predicate that is a result may stand before the register that is one.
    let operands = instruction.operands();
    let before = usize::from(operands.first().is_some_and(Operand::is_predicate));
    if operands.iter().take(before + 1).any(|one| one.names_code) {
        let code = |register| Write { register, bits: 1, result: Operation::Unknown };
        writes.extend([CARRY, ZERO].map(code));
    }
    if let Some(lifted) = lift(instruction) {
        let steps = Steps { all: &lifted.steps, writes: &lifted.writes, launch };
        for &(place, step) in &lifted.writes {
            let Some(name) = name_of(place) else { continue };
            let Some(result) = steps.operation(place, step) else { continue };
            if let Some(own) = writes.iter_mut().find(|write| write.register == name) {
                let is_bit = match place {
                    Place::Register(register) => register.file.is_of_predicates(),
                    Place::Code(_) => true,
                };
                (own.bits, own.result) = (if is_bit { 1 } else { 32 }, result);
            }
        }
    }
    Effect { writes, everything: false }
}

/// The name by which what is written is followed.
fn name_of(place: Place) -> Option<&'static str> {
    match place {
        Place::Register(register) => register.name(),
        Place::Code(Flag::Carry) => Some(CARRY),
        Place::Code(Flag::Zero) => Some(ZERO),
    }
}

/// The steps of an instruction, and what is known of the launch.
#[derive(Debug, Clone, Copy)]
struct Steps<'s> {
    all: &'s [lift::Operation],
    writes: &'s [(Place, usize)],
    launch: &'s Launch,
}

impl Steps<'_> {
    /// The operation whose result goes to a place, if a step has one.
    fn operation<'a>(&self, place: Place, step: usize) -> Option<Operation<'a>> {
        use lift::Operation as Step;
        Some(match &self.all[step] {
            Step::Sum(terms, carry) => {
                self.half(step).map(Operation::Half).or_else(|| self.sum(terms, *carry))?
            }
            Step::Carry(terms, Bit::CLEAR) => self.carried(place, terms)?,
            Step::Product { upper: false, factors: [a, b], .. } => {
                Operation::Product(self.term(*a)?, self.term(*b)?, None)
            }
            Step::Product { upper: true, signed, factors: [a, b] } => {
                Operation::Upper(Some((kind(*signed), self.factor(*a)?, self.factor(*b)?)), vec![])
            }
            Step::Shift { left: true, upper: false, words: [a, _], by, .. } => {
                Operation::ShiftLeft(self.term(*a)?, number(*by))
            }
            Step::Shift { left: false, upper: true, signed, words: [low, a], by }
                if low.only() == Some(0) =>
            {
                Operation::ShiftRight(kind(*signed), self.term(*a)?, number(*by))
            }
            Step::ShiftBy { left: true, of, by, .. } => {
                Operation::ShiftLeft(self.term(*of)?, self.term(*by)?)
            }
            Step::ShiftBy { left: false, signed, of, by } => {
                Operation::ShiftRight(kind(*signed), self.term(*of)?, self.term(*by)?)
            }
            Step::Logic(table, words) => self.logic(*table, *words)?,
            Step::Extreme { least, signed, of } => self.extreme(*least, kind(*signed), *of)?,
            Step::Select(which, [a, b]) => match self.mask(*which, [*a, *b]) {
                Some(mask) => mask,
                None => Operation::Either(self.term(*a)?, self.term(*b)?, self.condition(*which)),
            },
            Step::SomeLane(of) => match of.word {
                Word::Step(step) => return self.operation(place, step),
                _ => Operation::Either(self.term(*of)?, self.term(*of)?, None),
            },
            Step::Special(special) => Operation::Sum(vec![Term::of(Source::Known(self.special(*special)?))]),
            Step::Float { signed, of } => Operation::Float(kind(*signed), self.term(*of)?),
            Step::Reciprocal(of) => Operation::Reciprocal(self.term(*of)?),
            Step::Truncated(of) => Operation::Truncated(self.term(*of)?),
            Step::Compare { .. } | Step::Bits(..) => self.predicate(step)?,
            Step::Carry(..) | Step::Shift { .. } | Step::UnknownBit => return None,
        })
    }

    /// A word that is read from a register, the constant bank or the instruction. The bits of `~x` are those of no number here.
    fn term<'a>(&self, term: lift::Term) -> Option<Term<'a>> {
        let source = match term.word {
            Word::Step(_) => return None,
            _ if term.sign == Sign::Inverted => Source::Unknown,
            word => self.source(word),
        };
        Some(Term { negative: term.sign != Sign::Plain, source })
    }

    fn source<'a>(&self, word: Word) -> Source<'a> {
        match word {
            Word::Number(number) => Source::Known(Interval::point(number.into())),
            Word::Register(register) if matches!(register.file, File::General | File::Uniform) => {
                register.name().map_or(Source::Unknown, Source::Register)
            }
            Word::Constant(at) => self.launch.word(at).map_or(Source::Unknown, Source::Known),
            Word::Register(_) | Word::Step(_) | Word::Fixed { .. } | Word::Unknown => Source::Unknown,
        }
    }

    /// The same where it has no minus, as a factor of a number of two words has none.
    fn factor<'a>(&self, term: lift::Term) -> Option<Term<'a>> {
        self.term(term).filter(|one| !one.negative)
    }

    /// What a sum adds of a word: `~x` is `-x - 1`.
    fn addends<'a>(&self, term: lift::Term) -> Option<Vec<Term<'a>>> {
        if term.sign != Sign::Inverted {
            return Some(vec![self.term(term)?]);
        }
        if matches!(term.word, Word::Step(_)) {
            return None;
        }
        Some(vec![Term { negative: true, source: self.source(term.word) }, Term::number(-1)])
    }

    /// A predicate, or a part of the condition code.
    fn condition<'a>(&self, bit: Bit) -> Option<Condition<'a>> {
        let register = match bit.of {
            Origin::Predicate(register) => register.name()?,
            Origin::Code(flag) => name_of(Place::Code(flag))?,
            Origin::Set | Origin::Step(_) => return None,
        };
        Some(Condition { register, negated: bit.negated })
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
            Special::Threads(_) | Special::Blocks(_) | Special::InCluster => None,
        }
    }

    fn extreme<'a>(&self, least: bool, kind: IntegerType, [a, b]: [lift::Term; 2]) -> Option<Operation<'a>> {
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
    fn logic<'a>(&self, table: u8, words @ [a, b, c]: [lift::Term; 3]) -> Option<Operation<'a>> {
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
        let two = c.only() == Some(0);
        match table {
            0xc0 if two => Some(Operation::And(self.term(a)?, self.term(b)?)),
            0xfc if two => Some(Operation::Or(self.term(a)?, self.term(b)?)),
            _ => None,
        }
    }
}

/// A number that is written in an instruction.
const fn number<'a>(number: u32) -> Term<'a> {
    Term::number(number as i128)
}
