//! Products that are made half by half, by `XMAD`.

use crate::flow::analysis::counts::effect::{Half, Source, Term};
use crate::flow::analysis::counts::sass::Steps;
use crate::isa::register::Register;
use crate::lift::{self, Bit, TABLES, Word};

impl Steps<'_> {
    /// The part of a product that a sum is.
    pub(super) fn half<'a>(&self, step: usize) -> Option<Half<'a>> {
        let lift::Operation::Sum(terms, Bit::CLEAR) = &self.all[step] else { return None };
        match terms[..] {
            // Above the lower half of a product the lower half of its second factor.
            [low, high] if self.lower_half(low).is_some() => {
                let lift::Operation::Sum(product, Bit::CLEAR) = self.step(self.lower_half(low)?)? else {
                    return None;
                };
                let &[product, none] = &product[..] else { return None };
                let [(a, false), (b, true)] = self.factors(product)? else { return None };
                let is_whole = none.only() == Some(0) && self.moved(high)? == b;
                is_whole.then_some(())?;
                Some(Half::Crossed(self.known(a)?, self.known(b)?))
            }
            [product, c] => self.product_and(product, c),
            [product, c, b] => {
                let [(a, true), (t, true)] = self.factors(self.moved(product)?)? else { return None };
                (self.moved(b)? == t).then_some(())?;
                Some(Half::Whole(self.known(a)?, self.register(t)?, self.register(c)?))
            }
            _ => None,
        }
    }

    fn product_and<'a>(&self, product: lift::Term, c: lift::Term) -> Option<Half<'a>> {
        if let Some(product) = self.moved(product) {
            let [(a, true), (b, false)] = self.factors(product)? else { return None };
            return Some(Half::Short(self.known(a)?, self.known(b)?, self.register(c)?));
        }
        // The sum of two words without its lower half, and a third.
        if let Some(&lift::Operation::Shift { left: false, words: [sum, _], by: 16, upper: false, .. }) =
            self.step(product)
            && let Some(lift::Operation::Sum(words, Bit::CLEAR)) = self.step(sum)
            && let &[x, y] = &words[..]
        {
            return Some(Half::UpperWord([self.register(x)?, self.register(y)?], self.register(c)?));
        }
        let [(a, a_upper), (b, b_upper)] = self.factors(product)?;
        let (a, b) = (self.known(a)?, self.known(b)?);
        match (a_upper, b_upper) {
            (true, false) => Some(Half::Chained(a, b, self.register(self.upper_half(c)?)?)),
            (false, false) => Some(Half::Lower(a, b, self.term(c)?)),
            (false, true) if c.only() == Some(0) => Some(Half::LowerByUpper(a, b)),
            (true, true) => Some(Half::Upper(a, b, self.term(c)?)),
            (false, true) => None,
        }
    }

    /// The factors of a product of halves, with whether each is an upper one.
    fn factors(&self, product: lift::Term) -> Option<[(lift::Term, bool); 2]> {
        let &lift::Operation::Product { upper: false, signed: false, factors: [a, b] } =
            self.step(product)?
        else {
            return None;
        };
        let half = |term| {
            let lower = self.lower_half(term).map(|of| (of, false));
            lower.or_else(|| self.upper_half(term).map(|of| (of, true)))
        };
        Some([half(a)?, half(b)?])
    }

    /// The word whose lower half a word is.
    fn lower_half(&self, term: lift::Term) -> Option<lift::Term> {
        let &lift::Operation::Logic(table, [of, mask, _]) = self.step(term)? else { return None };
        (table == TABLES[0] & TABLES[1] && mask.only() == Some(0xffff)).then_some(of)
    }

    /// The word whose upper half a word is.
    fn upper_half(&self, term: lift::Term) -> Option<lift::Term> {
        match *self.step(term)? {
            lift::Operation::Shift { left: false, signed: false, words: [_, of], by: 16, upper: true } => {
                Some(of)
            }
            _ => None,
        }
    }

    /// The word whose lower half a word has above zeros.
    fn moved(&self, term: lift::Term) -> Option<lift::Term> {
        match *self.step(term)? {
            lift::Operation::Shift { left: true, words: [of, _], by: 16, upper: false, .. } => Some(of),
            _ => None,
        }
    }

    /// A factor. Two words of the constant bank of which the same is known need not be the same, unless each is one number.
    fn known<'a>(&self, term: lift::Term) -> Option<Term<'a>> {
        let term = self.factor(term)?;
        let is_known = match term.source {
            Source::Register(_) => true,
            Source::Known(known) => known.only().is_some(),
            Source::Unknown => false,
        };
        is_known.then_some(term)
    }

    fn register<'a>(&self, term: lift::Term) -> Option<&'a str> {
        match (term.word, term.sign) {
            (Word::Register(register), lift::Sign::Plain) => Register::name(register),
            _ => None,
        }
    }
}
