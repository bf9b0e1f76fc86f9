//! What an instruction writes, in the same form for PTX and SASS.
//!
//! Only instructions whose result is exactly understood have an [`Operation`]; of all others it is only known
//! which registers they may write, or not even that.

use crate::interval::{IntegerType, Interval};
use warpspan_lift::Relation;

/// What an instruction writes when it is executed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effect<'a> {
    /// The registers that it may write, with what they then hold.
    pub(crate) writes: Vec<Write<'a>>,
    /// Whether it may write any other register as well.
    pub(crate) everything: bool,
}

/// A register that is written.
#[derive(Debug, Clone)]
pub(crate) struct Write<'a> {
    pub(crate) register: &'a str,
    /// How many bits the result has.
    pub(crate) bits: u32,
    pub(crate) result: Operation<'a>,
}

/// An operand of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source<'a> {
    Register(&'a str),
    /// A number, a parameter or a special register: an integer of the interval.
    Known(Interval),
    Unknown,
}

/// An operand with its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term<'a> {
    pub(crate) negative: bool,
    pub(crate) source: Source<'a>,
}

impl<'a> Term<'a> {
    pub(crate) const fn of(source: Source<'a>) -> Self {
        Self { negative: false, source }
    }

    pub(crate) const fn number(value: i128) -> Self {
        Self::of(Source::Known(Interval::point(value)))
    }

    /// The register, if it stands there by itself.
    pub(crate) fn register(self) -> Option<&'a str> {
        match self.source {
            Source::Register(name) if !self.negative => Some(name),
            _ => None,
        }
    }
}

/// A predicate, or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Condition<'a> {
    pub(crate) register: &'a str,
    pub(crate) negated: bool,
}

impl Condition<'_> {
    /// The condition that holds where this one does not.
    pub(crate) fn denied(self) -> Self {
        Self { negated: !self.negated, ..self }
    }
}

/// A comparison of two integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comparison<'a> {
    pub(crate) relation: Relation,
    pub(crate) kind: IntegerType,
    pub(crate) left: Term<'a>,
    pub(crate) right: Term<'a>,
}

impl Comparison<'_> {
    /// What holds where this does not.
    pub(crate) fn denied(self) -> Self {
        Self { relation: self.relation.denied(), ..self }
    }

    /// The same with its sides exchanged.
    pub(crate) fn mirrored(self) -> Self {
        Self { relation: self.relation.mirrored(), left: self.right, right: self.left, ..self }
    }
}

/// The name by which the condition code of SASS is followed, as a predicate that says whether the last sum had a carry.
pub(crate) const CARRY: &str = "CC";

/// The same for whether the last sum was zero.
pub(crate) const ZERO: &str = "CC.Z";

/// What `XMAD` makes of a b + c, of which three put together the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half<'a> {
    /// The lower half of a times the upper one of b, below the lower half of b.
    Crossed(Term<'a>, Term<'a>),
    /// The product of the lower halves, plus c.
    Lower(Term<'a>, Term<'a>, Term<'a>),
    /// The whole, from a, a register that holds the first of these, and one that holds the second.
    Whole(Term<'a>, &'a str, &'a str),
    /// The lower half of a times the upper one of b.
    LowerByUpper(Term<'a>, Term<'a>),
    /// The upper half of a times the lower one of b, and what a register has above its lower half, which holds the product of the
    /// lower halves.
    Chained(Term<'a>, Term<'a>, &'a str),
    /// The same, once it is known that the register does.
    Linked(Term<'a>, Term<'a>),
    /// The product of the upper halves, plus c.
    Upper(Term<'a>, Term<'a>, Term<'a>),
    /// The upper word of a b, plus c, from registers that hold the three before.
    UpperWord([&'a str; 2], &'a str),
    /// The whole where b has no upper half, from a, b, and a register that holds the second of these.
    Short(Term<'a>, Term<'a>, &'a str),
}

/// How a register comes by its bits.
#[derive(Debug, Clone)]
pub(crate) enum Operation<'a> {
    Unknown,
    Sum(Vec<Term<'a>>),
    /// The lowest bits of the product of the first two, plus the third.
    Product(Term<'a>, Term<'a>, Option<Term<'a>>),
    /// The product of two numbers of a type, in twice the bits, plus the third.
    WideProduct(IntegerType, Term<'a>, Term<'a>, Option<Term<'a>>),
    ShiftLeft(Term<'a>, Term<'a>),
    ShiftRight(IntegerType, Term<'a>, Term<'a>),
    /// The first shifted right as a number of a type, plus the third.
    ShiftedSum(IntegerType, Term<'a>, Term<'a>, Term<'a>),
    And(Term<'a>, Term<'a>),
    Or(Term<'a>, Term<'a>),
    Least(IntegerType, Term<'a>, Term<'a>),
    Most(IntegerType, Term<'a>, Term<'a>),
    /// The lesser of the sum of two numbers of a type and the third, if the sum is one of the type.
    LeastOfSum(IntegerType, [Term<'a>; 2], Term<'a>),
    /// The greater of these.
    MostOfSum(IntegerType, [Term<'a>; 2], Term<'a>),
    Quotient(IntegerType, Term<'a>, Term<'a>),
    Remainder(IntegerType, Term<'a>, Term<'a>),
    /// The sum of these, and 1 more if the condition holds.
    SumWithCarry(Vec<Term<'a>>, Condition<'a>),
    /// The upper word of a sum of 64 bits: of the product of two numbers of a type, if there is one, and of pairs of words,
    /// the lower one first.
    Upper(Option<(IntegerType, Term<'a>, Term<'a>)>, Vec<[Term<'a>; 2]>),
    /// The first where the condition holds, and else the second; one of the two if there is no condition.
    Either(Term<'a>, Term<'a>, Option<Condition<'a>>),
    /// The bits of a floating-point number of 32 bits that is next to a number of a type, above or below.
    Float(IntegerType, Term<'a>),
    /// The bits of the reciprocal of such a number, as the special function unit gives it.
    Reciprocal(Term<'a>),
    /// Such a number without its fraction, as a number without a sign.
    Truncated(Term<'a>),
    /// A number of a type, in more or fewer bits.
    Converted(IntegerType, Term<'a>),
    /// A part of a product whose factors are multiplied half by half.
    Half(Half<'a>),
    /// A predicate: whether a register that the same instruction writes is not zero then.
    NotZero(&'a str),
    /// A predicate: whether the sum of these, as numbers without a sign, needs more than 32 bits.
    Carry(Vec<Term<'a>>),
    /// A predicate about numbers of two words: the comparison, if there is one, and all of the conditions, where the
    /// two upper words are equal.
    IfEqual {
        upper: [Term<'a>; 2],
        lower: Option<Comparison<'a>>,
        given: Vec<Condition<'a>>,
        /// How the whole numbers are compared.
        whole: (Relation, IntegerType),
    },
    /// A predicate: the comparison, if there is one, and all of the conditions.
    All(Option<Comparison<'a>>, Vec<Condition<'a>>),
    /// A predicate: the comparison, if there is one, or any of the conditions.
    Any(Option<Comparison<'a>>, Vec<Condition<'a>>),
}

impl<'a> Operation<'a> {
    /// The operands that are read as numbers.
    pub(crate) fn copies(&self) -> Option<Term<'a>> {
        match self {
            Operation::Sum(terms) if terms.len() == 1 => Some(terms[0]),
            _ => None,
        }
    }
}

impl<'a> Half<'a> {
    /// The factors of a part that is kept until the whole is put together.
    pub(crate) const fn factors(&self) -> Option<[Term<'a>; 2]> {
        match self {
            Self::Crossed(a, b)
            | Self::Lower(a, b, _)
            | Self::LowerByUpper(a, b)
            | Self::Chained(a, b, _)
            | Self::Linked(a, b)
            | Self::Upper(a, b, _) => Some([*a, *b]),
            Self::Whole(..) | Self::Short(..) | Self::UpperWord(..) => None,
        }
    }
}

impl<'a> Operation<'a> {
    /// The operands, but for those of products that are made half by half and conditions.
    fn terms(&mut self) -> Vec<&mut Term<'a>> {
        match self {
            Self::Sum(terms) | Self::SumWithCarry(terms, _) | Self::Carry(terms) => {
                terms.iter_mut().collect()
            }
            Self::Product(a, b, c) | Self::WideProduct(_, a, b, c) => [a, b].into_iter().chain(c).collect(),
            Self::ShiftLeft(a, b)
            | Self::ShiftRight(_, a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::Least(_, a, b)
            | Self::Most(_, a, b)
            | Self::Quotient(_, a, b)
            | Self::Remainder(_, a, b)
            | Self::Either(a, b, _) => vec![a, b],
            Self::ShiftedSum(_, a, b, c) => vec![a, b, c],
            Self::LeastOfSum(_, [a, b], c) | Self::MostOfSum(_, [a, b], c) => vec![a, b, c],
            Self::Upper(product, pairs) => {
                let factors = product.iter_mut().flat_map(|(_, a, b)| [a, b]);
                factors.chain(pairs.iter_mut().flatten()).collect()
            }
            Self::Float(_, a) | Self::Reciprocal(a) | Self::Truncated(a) | Self::Converted(_, a) => vec![a],
            Self::IfEqual { upper, lower: one, .. } => {
                let lower = one.iter_mut().flat_map(|one| [&mut one.left, &mut one.right]);
                upper.iter_mut().chain(lower).collect()
            }
            Self::All(one, _) | Self::Any(one, _) => {
                one.iter_mut().flat_map(|one| [&mut one.left, &mut one.right]).collect()
            }
            Self::Unknown | Self::NotZero(_) | Self::Half(_) => vec![],
        }
    }
}

impl<'a> Write<'a> {
    /// The registers of which its result is a number; none for a part of a product.
    pub(crate) fn reads(&self) -> Option<Vec<&'a str>> {
        let is_part = matches!(self.result, Operation::Half(_));
        (!is_part).then(|| self.result.clone().terms().iter().filter_map(|term| term.register()).collect())
    }
}

impl<'a> Effect<'a> {
    /// Puts something else in the place of registers that are read.
    pub(crate) fn replace(&mut self, by: &impl Fn(&str) -> Option<Source<'a>>) {
        for term in self.writes.iter_mut().flat_map(|write| write.result.terms()) {
            if let Source::Register(name) = term.source {
                term.source = by(name).unwrap_or(term.source);
            }
        }
    }

    /// It may write anything.
    pub(crate) fn everything() -> Self {
        Self { writes: vec![], everything: true }
    }

    /// It writes registers with what is not known.
    pub(crate) fn unknown(registers: impl IntoIterator<Item = &'a str>) -> Self {
        let write = |register| Write { register, bits: 64, result: Operation::Unknown };
        Self { writes: registers.into_iter().map(write).collect(), everything: false }
    }

    /// Whether it may write a register.
    pub(crate) fn may_write(&self, register: &str) -> bool {
        self.everything || self.writes.iter().any(|write| write.register == register)
    }
}
