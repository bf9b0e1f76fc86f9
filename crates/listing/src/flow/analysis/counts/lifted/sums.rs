//! Sums and their carries.

use crate::flow::analysis::counts::effect::{Comparison, Operation, Source, Term};
use crate::flow::analysis::counts::lifted::{SIGNED, Steps, UNSIGNED, number};
use warpspan_lift::Relation;
use warpspan_lift::{self as lift, Bit, Origin, Place};

impl<'a> Steps<'_, 'a> {
    /// A sum: of words, of a word and what one step gave, or with a carry.
    pub(super) fn sum(&self, terms: &[lift::Term], carry: Bit) -> Option<Operation<'a>> {
        if let Origin::Step(step) = carry.of {
            let lift::Operation::Carry(lower, Bit::CLEAR) = &self.all[step] else { return None };
            return if carry.negated { None } else { self.upper_sum(lower, terms) };
        }
        let made: Vec<&lift::Term> = terms.iter().filter(|one| self.is_made(**one)).collect();
        let others: Vec<lift::Term> = terms.iter().filter(|one| !self.is_made(**one)).copied().collect();
        match (&made[..], carry) {
            ([], Bit::CLEAR) => {
                let all: Option<Vec<_>> = terms.iter().map(|&one| self.addends(one)).collect();
                Some(Operation::Sum(all?.concat()))
            }
            ([], carry) => {
                let all: Option<Vec<_>> = terms.iter().map(|&one| self.addends(one)).collect();
                Some(Operation::SumWithCarry(all?.concat(), self.condition(carry)?))
            }
            (&[made], Bit::CLEAR) => self.sum_with(self.step(*made)?, &others),
            _ => None,
        }
    }

    /// The sum of what a step gave and of at most one word.
    fn sum_with(&self, made: &lift::Operation, others: &[lift::Term]) -> Option<Operation<'a>> {
        let added = match others {
            [] => Term::number(0),
            &[one] => self.term(one)?,
            _ => return None,
        };
        match *made {
            lift::Operation::Product { upper: false, factors: [a, b], .. } => {
                Some(Operation::Product(self.term(a)?, self.term(b)?, Some(added)))
            }
            lift::Operation::WideProduct { signed, factors: [a, b] } => {
                let kind = self.half_kind(signed);
                Some(Operation::WideProduct(kind, self.term(a)?, self.term(b)?, Some(added)))
            }
            lift::Operation::Shift { left: true, upper: false, words: [a, _], by, .. } => {
                Some(Operation::Product(self.term(a)?, number(1 << by), Some(added)))
            }
            // The upper word of a number that is shifted to the left by n is what a shift to the right by 32 - n leaves.
            lift::Operation::Shift { left: true, upper: true, words: [a, high], by: by @ 1.., .. } => {
                let of = if high.only() == Some(0) {
                    UNSIGNED
                } else if self.is_sign_of(high, a) {
                    SIGNED
                } else {
                    return None;
                };
                Some(Operation::ShiftedSum(of, self.factor(a)?, number(32 - by), added))
            }
            _ => None,
        }
    }

    /// Whether a word has the sign of another in all of its bits.
    fn is_sign_of(&self, high: lift::Term, a: lift::Term) -> bool {
        let sign = self.step(high);
        matches!(sign, Some(&lift::Operation::Shift { left: false, signed: true, words: [low, of], by: 63, upper: false })
            if of == a && low.only() == Some(0))
    }

    /// The upper word of a sum of two numbers of two words, of which one may be a product. The words stand in the same order.
    fn upper_sum(&self, lower: &[lift::Term], upper: &[lift::Term]) -> Option<Operation<'a>> {
        let (mut product, mut pairs) = (None, Vec::new());
        for (&low, &high) in lower.iter().zip(upper) {
            match (self.step(low), self.step(high)) {
                (
                    Some(lift::Operation::Product { upper: false, factors, .. }),
                    Some(lift::Operation::Product { upper: true, signed, factors: others }),
                ) if factors == others && product.is_none() => {
                    product = Some((self.kind(*signed), self.factor(factors[0])?, self.factor(factors[1])?));
                }
                (None, None) => pairs.push([self.term(low)?, self.term(high)?]),
                _ => return None,
            }
        }
        (lower.len() == upper.len()).then_some(Operation::Upper(product, pairs))
    }

    /// What a sum carries. Where a word is subtracted there is a carry if it is not the larger.
    pub(super) fn carried(&self, place: Place, terms: &[lift::Term]) -> Option<Operation<'a>> {
        // As the bits of a word without a sign `~x` is no number here.
        if terms.iter().any(|one| one.sign == lift::Sign::Inverted) {
            return None;
        }
        let terms: Vec<Term<'a>> = terms.iter().map(|&one| self.term(one)).collect::<Option<_>>()?;
        let (Place::Code(_), &[a, b]) = (place, &terms[..]) else { return Some(Operation::Carry(terms)) };
        let no_less = |right| {
            let compared = Comparison { relation: Relation::GreaterEqual, kind: UNSIGNED, left: a, right };
            Some(Operation::All(Some(compared), vec![]))
        };
        let added = match b.source {
            Source::Known(known) => known.only().map(|one| one.rem_euclid(1 << 32)).filter(|&one| one > 0),
            _ => None,
        };
        match (a.negative, b.negative, added) {
            (false, true, _) => no_less(Term { negative: false, ..b }),
            // a + c needs a bit more if a is no less than 2^32 - c.
            (false, false, Some(added)) => no_less(Term::number(UNSIGNED.most() + 1 - added)),
            _ => Some(Operation::Carry(terms)),
        }
    }
}
