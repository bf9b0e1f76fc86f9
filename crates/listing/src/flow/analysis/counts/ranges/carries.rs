//! Sums of several words: carries, and the upper words.

use crate::flow::analysis::counts::effect::{Source, Term};
use crate::flow::analysis::counts::ranges::state::State;
use crate::interval::{IntegerType, Interval, WORD};

impl<'a> State<'a> {
    /// The upper word of a sum of 64 bits. The sum of the integers, divided by 2^32 and rounded down, is what the upper word is
    /// modulo 2^32, whether or not the sum fits into 64 bits. Factors and lower words have to be the integers themselves, which lie
    /// in their types if nothing else is known; an upper word may be any that has its bits.
    pub(crate) fn upper(
        &self,
        product: Option<(IntegerType, Term<'a>, Term<'a>)>,
        pairs: &[[Term<'a>; 2]],
    ) -> Option<Interval> {
        let any = |term: Term<'a>, kind: IntegerType| self.seen(term, kind).unwrap_or(Interval::all(kind));
        let product = match product {
            Some((kind, a, b)) => any(a, kind).times(any(b, kind))?,
            None => Interval::point(0),
        };
        let words = 1 << WORD.bits;
        let sum = pairs.iter().try_fold(product, |sum, &[lower, upper]| {
            let upper = self.value(upper, WORD.bits)?.modular().times(Interval::point(words))?;
            sum.plus(any(lower, WORD))?.plus(upper)
        })?;
        // Its ends are closed: they are as near as those of what it is made of.
        let upper = sum.quotients(words);
        Some(Interval { low_open: false, high_open: false, ..upper })
    }

    /// Whether the sum of words, as numbers without a sign, has a carry into the next word, if that is known. A word that is
    /// subtracted is added as 2^32 less it.
    pub(crate) fn carry(&self, terms: &[Term<'a>]) -> Option<bool> {
        let size = WORD.most() + 1;
        let sum = |sum: Interval, term: &Term<'a>| {
            let plain = Term { negative: false, ..*term };
            let word = self.seen(plain, WORD).unwrap_or(Interval::all(WORD));
            if term.negative {
                sum.plus(word.negative()?)?.plus(Interval::point(size))
            } else {
                sum.plus(word)
            }
        };
        let total = terms.iter().try_fold(Interval::point(0), sum)?;
        // A sum of three words may have two carries, of which one says nothing by itself.
        let zero = |term: &&Term<'a>| !term.negative && term.source == Source::Known(Interval::point(0));
        let two = terms.len() - terms.iter().filter(zero).count() <= 2;
        let two = two && terms.iter().filter(|term| term.negative).count() <= 1;
        match () {
            () if total.high < size => Some(false),
            () if two && total.low >= size && total.high < 2 * size => Some(true),
            () => None,
        }
    }

    /// Whether two words are the same number.
    pub(crate) fn are_equal(&self, [one, other]: [Term<'a>; 2]) -> bool {
        let only = |term| self.seen(term, WORD).and_then(Interval::only);
        only(one).zip(only(other)).is_some_and(|(one, other)| one == other)
    }
}
