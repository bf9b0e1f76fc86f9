//! Remainders by powers of two, sums, and numbers without their remainders.

use crate::flow::analysis::counts::effect::{Operation, Source, Term, Write};
use crate::flow::analysis::counts::ranges::state::State;
use crate::interval::{IntegerType, Interval, WORD};

impl<'a> State<'a> {
    /// The register of which a result is the remainder by a power of two, which a mask of the lowest bits leaves, after a
    /// number was added to it.
    pub(crate) fn remainder(&self, write: &Write<'a>) -> Option<(&'a str, [i128; 2])> {
        let Operation::And(a, b) = write.result else { return None };
        let kind = IntegerType { signed: false, bits: write.bits };
        let of = |number: Term<'a>, mask: Term<'a>| {
            let size = self.seen(mask, kind)?.only()? + 1;
            let name = number.register()?;
            let (of, plus) = match self.sums.get(name) {
                Some((first, more)) if write.bits == WORD.bits && more.only().is_some() => (first, more.low),
                _ => (name, 0),
            };
            (size & (size - 1) == 0 && size <= kind.most()).then_some((of, [plus, size]))
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// The register and the interval of numbers of which a result of 32 bits is the sum.
    pub(crate) fn part_of_sum(&self, write: &Write<'a>) -> Option<(&'a str, Interval)> {
        let terms = match &write.result {
            Operation::Sum(terms) => terms.clone(),
            // Compilers write a sum as a product with 1.
            Operation::Product(a, b, Some(more))
                if self.value(*b, WORD.bits)?.modular().only() == Some(1) =>
            {
                vec![*a, *more]
            }
            _ => return None,
        };
        if write.bits != WORD.bits {
            return None;
        }
        let at = terms.iter().position(|term| term.register().is_some())?;
        let of = terms[at].register()?;
        let others = terms.iter().enumerate().filter(|(other, _)| *other != at);
        let plus = others
            .map(|(_, &term)| self.value(term, WORD.bits))
            .try_fold(Interval::point(0), |sum, value| {
                Some(sum.plus(value?.modular())?.with_ends([None; 2]))
            })?;
        Some((of, plus))
    }

    /// The same of the first register of several sums.
    pub(crate) fn sum(&self, write: &Write<'a>) -> Option<(&'a str, Interval)> {
        let (of, plus) = self.part_of_sum(write)?;
        match self.sums.get(of) {
            Some((first, more)) => Some((first, more.plus(plus)?)),
            None => Some((of, plus)),
        }
    }

    /// A number without its remainder, where a sum is one: x - ((x + c) mod m) is x + c rounded down to a multiple of m, less c. All
    /// are numbers without a sign, and x + c must be one, since m divides 2 to the number of bits, but not what is left of it.
    pub(crate) fn multiples(&self, terms: &[Term<'a>], bits: u32) -> Option<Interval> {
        let zero = Source::Known(Interval::point(0));
        let mut real = terms.iter().filter(|term| term.source != zero);
        let (one, other, None) = (real.next()?, real.next()?, real.next()) else { return None };
        let (whole, rest) = if one.negative { (other, one) } else { (one, other) };
        let Source::Register(rest) = rest.source else { return None };
        let (of, [plus, size]) = self.remainders.get(rest)?;
        let is_rest = terms.iter().any(|term| term.negative && term.source == Source::Register(rest));
        // The whole may itself be the register and a number.
        let name = whole.register()?;
        let more = match self.sums.get(name) {
            _ if name == of => 0,
            Some((first, more)) if first == of && bits == WORD.bits => more.only()?,
            _ => return None,
        };
        let kind = IntegerType { signed: false, bits };
        let number = self.seen(Term::of(Source::Register(of)), kind)?.plus(Interval::point(plus))?;
        let fits = is_rest && kind.contains(number.low) && kind.contains(number.high);
        let multiples = number.quotients(size).times(Interval::point(size)).filter(|_| fits)?;
        multiples.plus(Interval::point(more - plus))
    }
}
