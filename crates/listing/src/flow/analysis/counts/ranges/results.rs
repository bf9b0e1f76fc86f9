//! The results of operations on numbers of which a state says something.

use crate::float;
use crate::flow::analysis::counts::effect::{Condition, Operation, Term};
use crate::flow::analysis::counts::ranges::state::State;
use crate::interval::{IntegerType, Interval, Value, WORD};

impl<'a> State<'a> {
    /// The result of an operation in so many bits.
    pub(crate) fn result(&self, operation: &Operation<'a>, bits: u32) -> Option<Value> {
        let modular = |term: Term<'a>| self.value(term, bits).map(Value::modular);
        let interval = match operation {
            Operation::Unknown
            | Operation::All(..)
            | Operation::Any(..)
            | Operation::NotZero(_)
            | Operation::Carry(_)
            | Operation::IfEqual { .. } => return None,
            Operation::Sum(terms) => {
                if let Some(multiples) = self.multiples(terms, bits) {
                    return Value::new(bits, multiples);
                }
                let sum = |sum: Interval, term: &Term<'a>| sum.plus(modular(*term)?);
                terms.iter().try_fold(Interval::point(0), sum)?
            }
            Operation::SumWithCarry(terms, carry) => {
                let carry = match () {
                    () if self.impossible(*carry) => Interval::point(0),
                    () if self.impossible(carry.denied()) => Interval::point(1),
                    () => Interval::new(0, 1),
                };
                terms.iter().try_fold(carry, |sum, term| sum.plus(modular(*term)?))?
            }
            Operation::Upper(product, pairs) => self.upper(*product, pairs)?,
            Operation::Product(a, b, more) => {
                // A product with zero is known whatever the other factor is.
                let zero = |term: Term<'a>| modular(term).and_then(Interval::only) == Some(0);
                // A sum may be written as a product with 1.
                if let (Some(more), Some(1)) = (more, modular(*b).and_then(Interval::only))
                    && let Some(multiples) = self.multiples(&[*a, *more], bits)
                {
                    return Value::new(bits, multiples);
                }
                let product = if zero(*a) || zero(*b) {
                    Interval::point(0)
                } else {
                    modular(*a)?.times(modular(*b)?)?
                };
                product.plus(more.map_or(Some(Interval::point(0)), modular)?)?
            }
            Operation::WideProduct(kind, a, b, more) => {
                let product = self.seen(*a, *kind)?.times(self.seen(*b, *kind)?)?;
                product.plus(more.map_or(Some(Interval::point(0)), modular)?)?
            }
            Operation::ShiftLeft(a, by) => {
                modular(*a)?.times(Interval::point(1 << self.shift(*by, bits)?))?
            }
            Operation::ShiftRight(kind, a, by) => {
                let by = self.shift(*by, bits)?;
                match self.seen(*a, *kind) {
                    Some(seen) => seen.quotients(1 << by),
                    // Of any number of the type.
                    None if kind.bits == bits => Interval::all(*kind).quotients(1 << by),
                    None => return None,
                }
            }
            Operation::ShiftedSum(kind, a, by, more) => {
                let by = self.shift(*by, bits)?;
                // The sign of a number, all of its bits the same, may be either.
                let shifted = match self.seen(*a, *kind) {
                    Some(seen) => seen.map(|value| value >> by),
                    None => Interval::new(kind.least() >> by, kind.most() >> by),
                };
                shifted.plus(modular(*more)?)?
            }
            Operation::And(a, b) => return self.and(*a, *b, bits),
            Operation::Or(a, b) => self.or(*a, *b, bits)?,
            Operation::LeastOfSum(kind, sum, other) => {
                let (a, b) = self.sum_and_other(*kind, *sum, *other)?;
                a.negative()?.greater(b.negative()?).negative()?
            }
            Operation::MostOfSum(kind, sum, other) => {
                let (a, b) = self.sum_and_other(*kind, *sum, *other)?;
                a.greater(b)
            }
            Operation::Least(kind, a, b) => {
                let (a, b) = self.compared(*kind, [*a, *b])?;
                a.negative()?.greater(b.negative()?).negative()?
            }
            Operation::Most(kind, a, b) => {
                let (a, b) = self.compared(*kind, [*a, *b])?;
                a.greater(b)
            }
            Operation::Quotient(kind, a, b) => {
                let by = self.seen(*b, *kind)?.only().filter(|&by| by > 0)?;
                let a = self.seen(*a, *kind)?;
                if a.low >= 0 { a.quotients(by) } else { a.map(|value| value / by) }
            }
            Operation::Remainder(kind, a, b) => {
                let by = self.seen(*b, *kind)?.only().filter(|&by| by > 0)?;
                match self.seen(*a, *kind) {
                    Some(a) if a.only().is_some() => a.map(|value| value % by),
                    Some(a) if a.low >= 0 => Interval::new(0, by - 1),
                    None if !kind.signed => Interval::new(0, by - 1),
                    _ => Interval::new(1 - by, by - 1),
                }
            }
            Operation::Either(a, b, which) => self.either([*a, *b], *which, bits)?,
            Operation::Half(part) => return self.half(*part),
            Operation::Float(kind, a) => float::of_integers(self.seen(*a, *kind)?)?,
            Operation::Reciprocal(a) => float::reciprocals(self.seen(*a, WORD)?)?,
            Operation::Truncated(a) => float::truncated(self.seen(*a, WORD)?)?,
            Operation::Converted(from, a) => match self.value(*a, from.bits)?.seen_as(*from) {
                Some(seen) => seen,
                None if bits <= from.bits => modular(*a)?,
                None => return None,
            },
        };
        Value::new(bits, interval)
    }

    /// Two numbers of a type, of which one may be any.
    pub(crate) fn compared(&self, kind: IntegerType, terms: [Term<'a>; 2]) -> Option<(Interval, Interval)> {
        let [a, b] = terms.map(|term| self.seen(term, kind));
        let any = Interval::all(kind);
        (a.is_some() || b.is_some()).then(|| (a.unwrap_or(any), b.unwrap_or(any)))
    }

    /// The sum of two numbers of a type, where it is one of the type, and another number. Whether a sum that is none goes once around
    /// before it is compared is not documented.
    fn sum_and_other(
        &self,
        kind: IntegerType,
        [a, b]: [Term<'a>; 2],
        other: Term<'a>,
    ) -> Option<(Interval, Interval)> {
        let sum = self.seen(a, kind)?.plus(self.seen(b, kind)?)?;
        let fits = kind.contains(sum.low) && kind.contains(sum.high);
        fits.then(|| (sum, self.seen(other, kind).unwrap_or(Interval::all(kind))))
    }

    /// The first where a condition holds, and else the second.
    pub(crate) fn either(
        &self,
        [a, b]: [Term<'a>; 2],
        which: Option<Condition<'a>>,
        bits: u32,
    ) -> Option<Interval> {
        let of = |condition: Option<Condition<'a>>, term: Term<'a>| match condition {
            Some(condition) if !self.implied(condition).is_empty() => {
                self.where_it_holds(condition).map(|state| state.value(term, bits))
            }
            // Nothing follows from it.
            _ => Some(self.value(term, bits)),
        };
        let both = match (of(which, a), of(which.map(Condition::denied), b)) {
            (Some(a), Some(b)) => a?.hull(b?)?,
            (Some(one), None) | (None, Some(one)) => one?,
            (None, None) => return None,
        };
        Some(both.modular())
    }

    /// The amount of a shift that leaves some bits.
    pub(crate) fn shift(&self, by: Term<'a>, bits: u32) -> Option<u32> {
        // An amount has 32 bits, whatever is shifted.
        let by = self.value(by, 32)?.modular().only()?;
        u32::try_from(by).ok().filter(|&by| by < bits)
    }
}
