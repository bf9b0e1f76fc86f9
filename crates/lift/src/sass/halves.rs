//! Halves of words: `XMAD`, with which multiprocessors up to 6.x multiply, and constants of two numbers of 16 bits.

use crate::sass::Reader;
use crate::sass::spelling::is_whole;
use crate::{Bit, Operation, Place, TABLES, Term};
use warpspan_isa::operand::Operand;

/// The lower half of a word.
const LOWER: u32 = 0xffff;

impl Reader<'_, '_> {
    /// A word that is read, without the name of its half, and whether the upper half is meant.
    fn named_half(&self, operand: &Operand<'_>) -> Option<(Term, bool)> {
        let text = operand.text.trim_end_matches(".reuse");
        let half = text.strip_suffix(".H1");
        let (whole, upper) = (Operand::new(half.unwrap_or(text)), half.is_some());
        let term = self.term(&whole).filter(|one| one.sign == crate::Sign::Plain && is_whole(&whole))?;
        // A number has no more bits than a half, and no halves.
        let fits = term.only().is_none_or(|number| number <= LOWER && (number == 0 || !upper));
        Some((term, upper)).filter(|_| fits)
    }

    fn both(&mut self, a: Term, b: Term) -> Term {
        let [one, two, _] = TABLES;
        Term::step(self.lifted.step(Operation::Logic(one & two, [a, b, Term::number(0)])))
    }

    /// A half of a word as a number.
    fn half(&mut self, (term, upper): (Term, bool)) -> Term {
        if upper { self.shifted(term, false) } else { self.both(term, Term::number(LOWER)) }
    }

    /// A word that is shifted by half of its bits.
    fn shifted(&mut self, term: Term, left: bool) -> Term {
        let zero = Term::number(0);
        let words = if left { [term, zero] } else { [zero, term] };
        Term::step(self.lifted.step(Operation::Shift { left, signed: false, words, by: 16, upper: !left }))
    }

    /// `XMAD`: the product of two halves, plus a third word.
    ///
    /// `PSL` shifts the product to the left by 16 bits. `CHI` adds the upper half of the third word alone. `CBCC` also adds the second word,
    /// shifted to the left by 16 bits. `MRG` replaces the upper half of the result by the lower half of the second word.
    pub(super) fn halves(&mut self) -> Option<()> {
        let [a, b, c] = self.sources else { return None };
        let (a, (whole_b, upper_b)) = (self.named_half(a)?, self.named_half(b)?);
        let mut c = self.plain(c).filter(|_| is_whole(c))?;
        let known = [&[][..], &["MRG"], &["CHI"], &["PSL"], &["PSL", "CBCC"]];
        known.contains(&self.modifiers).then_some(())?;
        let factors = [self.half(a), self.half((whole_b, upper_b))];
        let mut product =
            Term::step(self.lifted.step(Operation::Product { signed: false, factors, upper: false }));
        if self.has("PSL") {
            product = self.shifted(product, true);
        }
        if self.has("CHI") {
            c = self.shifted(c, false);
        }
        let mut terms = vec![product, c];
        if self.has("CBCC") {
            terms.push(self.shifted(whole_b, true));
        }
        let mut sum = self.lifted.step(Operation::Sum(terms, Bit::CLEAR));
        if self.has("MRG") {
            let low = self.both(Term::step(sum), Term::number(LOWER));
            let high = self.shifted(whole_b, true);
            sum = self.lifted.step(Operation::Sum(vec![low, high], Bit::CLEAR));
        }
        self.give_step(sum);
        self.give_any_bits();
        Some(())
    }

    /// `HFMA2 R0, -RZ, RZ, 1, 2`: a constant of two numbers of 16 bits.
    pub(super) fn half_words(&mut self) -> Option<()> {
        let ([a, b, high, low], [] | ["MMA"]) = (self.sources, self.modifiers) else { return None };
        let register = self.to.plain()?;
        if a.text != "-RZ" || b.text != "RZ" {
            return None;
        }
        let number = warpspan_isa::half::half_words(high.text, low.text)?;
        self.lifted.gives(Place::Register(register), Operation::Sum(vec![Term::number(number)], Bit::CLEAR));
        Some(())
    }
}
