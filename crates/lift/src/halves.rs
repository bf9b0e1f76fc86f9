//! Products that are made half by half, with `XMAD`: which of the parts a step gives.

use crate::{Bit, Operation, Sign, TABLES, Term, Word};

/// What a step makes of a b + c, of which some together give the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The lower half of a times the upper one of b, below the lower half of b.
    Crossed(Term, Term),
    /// The product of the lower halves, plus c.
    Lower(Term, Term, Term),
    /// The whole, from a, a word that holds the first of these, and one that holds the second.
    Whole(Term, Term, Term),
    /// The lower half of a times the upper one of b.
    LowerByUpper(Term, Term),
    /// The upper half of a times the lower one of b, and what a word has above its lower half.
    Chained(Term, Term, Term),
    /// The product of the upper halves, plus c.
    Upper(Term, Term, Term),
    /// The sum of two words without its lower half, and a third.
    UpperWord([Term; 2], Term),
    /// The whole where b has no upper half, from a, b, and a word that holds the second of these.
    Short(Term, Term, Term),
}

/// The part of a product that a step of these gives.
pub fn part_of(steps: &[Operation], step: usize) -> Option<Part> {
    Steps(steps).part(step)
}

struct Steps<'s>(&'s [Operation]);

impl Steps<'_> {
    /// The step that a word is, if it is one without a sign.
    fn step(&self, term: Term) -> Option<&Operation> {
        let Word::Step(step) = term.word else { return None };
        (term.sign == Sign::Plain).then(|| &self.0[step])
    }

    fn part(&self, step: usize) -> Option<Part> {
        let Operation::Sum(terms, Bit::CLEAR) = &self.0[step] else { return None };
        match terms[..] {
            // Above the lower half of a product the lower half of its second factor.
            [low, high] if self.lower_half(low).is_some() => {
                let Operation::Sum(product, Bit::CLEAR) = self.step(self.lower_half(low)?)? else {
                    return None;
                };
                let &[product, none] = &product[..] else { return None };
                let [(a, false), (b, true)] = self.factors(product)? else { return None };
                (none.only() == Some(0) && self.moved(high)? == b).then_some(Part::Crossed(a, b))
            }
            [product, c] => self.product_and(product, c),
            [product, c, b] => {
                let [(a, true), (t, true)] = self.factors(self.moved(product)?)? else { return None };
                (self.moved(b)? == t).then_some(Part::Whole(a, t, c))
            }
            _ => None,
        }
    }

    fn product_and(&self, product: Term, c: Term) -> Option<Part> {
        if let Some(product) = self.moved(product) {
            let [(a, true), (b, false)] = self.factors(product)? else { return None };
            return Some(Part::Short(a, b, c));
        }
        if let Some(&Operation::Shift { left: false, words: [sum, _], by: 16, upper: false, .. }) =
            self.step(product)
            && let Some(Operation::Sum(words, Bit::CLEAR)) = self.step(sum)
            && let &[x, y] = &words[..]
        {
            return Some(Part::UpperWord([x, y], c));
        }
        let [(a, a_upper), (b, b_upper)] = self.factors(product)?;
        match (a_upper, b_upper) {
            (true, false) => Some(Part::Chained(a, b, self.upper_half(c)?)),
            (false, false) => Some(Part::Lower(a, b, c)),
            (false, true) if c.only() == Some(0) => Some(Part::LowerByUpper(a, b)),
            (true, true) => Some(Part::Upper(a, b, c)),
            (false, true) => None,
        }
    }

    /// The factors of a product of halves, with whether each is an upper one.
    fn factors(&self, product: Term) -> Option<[(Term, bool); 2]> {
        let &Operation::Product { upper: false, signed: false, factors: [a, b] } = self.step(product)? else {
            return None;
        };
        let half = |term| {
            let lower = self.lower_half(term).map(|of| (of, false));
            lower.or_else(|| self.upper_half(term).map(|of| (of, true)))
        };
        Some([half(a)?, half(b)?])
    }

    /// The word whose lower half a word is.
    fn lower_half(&self, term: Term) -> Option<Term> {
        let &Operation::Logic(table, [of, mask, _]) = self.step(term)? else { return None };
        (table == TABLES[0] & TABLES[1] && mask.only() == Some(0xffff)).then_some(of)
    }

    /// The word whose upper half a word is.
    fn upper_half(&self, term: Term) -> Option<Term> {
        match *self.step(term)? {
            Operation::Shift { left: false, signed: false, words: [_, of], by: 16, upper: true } => Some(of),
            _ => None,
        }
    }

    /// The word whose lower half a word has above zeros.
    fn moved(&self, term: Term) -> Option<Term> {
        match *self.step(term)? {
            Operation::Shift { left: true, words: [of, _], by: 16, upper: false, .. } => Some(of),
            _ => None,
        }
    }
}
