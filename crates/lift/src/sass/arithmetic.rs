//! Sums, products, shifts, and the lesser of two numbers.

use crate::sass::Reader;
use crate::sass::spelling::is_whole;
use crate::{Bit, Flag, Operation, Origin, Relation, Sign, Term, Word};
use warpspan_isa::operand::{Kind, Operand};

/// Whether a word is zero whatever runs.
fn is_zero(term: Term) -> bool {
    term.only() == Some(0)
}

/// Whether a word adds nothing to a sum and to its carry, which a zero with a minus does.
fn is_nothing(term: Term) -> bool {
    is_zero(term) && term.sign == Sign::Plain
}

/// Whether a word is subtracted that is no number, so that a carry counts it as `~x` and 1.
pub(super) fn is_negated(term: Term) -> bool {
    term.sign == Sign::Negated && (term.only().is_none() || is_zero(term))
}

/// A word that is inverted instead of subtracted.
fn inverted(term: Term) -> Term {
    if is_negated(term) { Term { sign: Sign::Inverted, ..term } } else { term }
}

impl Reader<'_, '_> {
    /// `IADD3`, `IADD`, `IADD32I`, `VIADD`.
    pub(super) fn sum(&mut self, name: &str) -> Option<()> {
        match self.modifiers {
            ["RS"] if name == "IADD3" => return self.sum_of_upper_halves(),
            ["64"] if matches!(name, "IADD" | "IADD3") => return self.sum_of_pairs(name),
            _ => {}
        }
        let terms: Vec<Term> = self.sources.iter().map(|one| self.term(one)).collect::<Option<_>>()?;
        (terms.len() == if name == "IADD3" { 3 } else { 2 }).then_some(())?;
        // With a carry a minus is that of a number of two words, whose upper word adds `~x`. From 7.0 on it is written so.
        let terms: Vec<Term> = match self.has("X") {
            true if terms.iter().filter(|one| is_negated(**one)).count() > 1 => return None,
            true => terms.into_iter().map(inverted).collect(),
            false => terms,
        };
        if let (["X"], Some(carries)) = (self.modifiers, self.two_carries()) {
            self.give(Operation::SumOfCarries(terms, carries));
            self.give_any_bits();
            return Some(());
        }
        let carry = match self.modifiers {
            [] => self.ins.is_empty().then_some(Bit::CLEAR)?,
            ["U32" | "S32"] if name == "VIADD" => self.ins.is_empty().then_some(Bit::CLEAR)?,
            ["X"] if name != "VIADD" => self.carry()?,
            _ => return None,
        };
        let sum = self.give(Operation::Sum(terms.clone(), carry));
        let results = self.outs.iter().filter(|one| one.predicate().is_some()).count();
        // Where two words are subtracted, each may carry.
        let one_carry = terms.iter().filter(|one| is_negated(**one)).count() < 2;
        match (self.modifiers, &terms[..]) {
            // A sum of three words has two carries. Compilers put what is nothing last, so that there is one.
            ([], &[_, _, c]) if one_carry && (results == 2 || !is_nothing(c)) => {
                for (which, out) in self.outs.iter().enumerate() {
                    self.give_bit(out, Operation::OneCarry(terms.clone(), which));
                }
                self.give_code([Operation::UnknownBit, Operation::UnknownBit]);
            }
            ([], _) if one_carry => self.give_carries(sum, Operation::Carry(terms, carry)),
            ([], _) => self.give_carries(sum, Operation::UnknownBit),
            // What the zero of a sum with a carry says of the words below is not known.
            _ => self.give_any_bits(),
        }
        Some(())
    }

    /// The carries of a sum of three lower words that a sum of upper words reads.
    fn two_carries(&self) -> Option<[Bit; 2]> {
        let [one, two] = self.ins else { return None };
        let never = [one, two].iter().any(|carry| carry.is_always(false));
        Some([self.bit(one)?, self.bit(two)?]).filter(|_| !never)
    }

    /// The carry that a sum of upper words reads.
    fn carry(&self) -> Option<Bit> {
        match self.ins {
            [] => Some(Bit { of: Origin::Code(Flag::Carry), negated: false }),
            [carry] => self.bit(carry),
            [carry, none] if none.is_always(false) => self.bit(carry),
            _ => None,
        }
    }

    /// What is carried goes to the first predicate and the condition code; a second predicate may be anything.
    fn give_carries(&mut self, sum: usize, carried: Operation) {
        let mut outs = self.outs.iter();
        if let Some(first) = outs.next() {
            self.give_bit(first, carried.clone());
        }
        outs.for_each(|one| self.give_bit(one, Operation::UnknownBit));
        let of = [Term::step(sum), Term::number(0)];
        self.give_code([carried, Operation::Compare { relation: Relation::Equal, signed: false, of }]);
    }

    /// The places of a shift, if they are a number of fewer than 32.
    fn places(operand: &Operand<'_>) -> Option<u32> {
        match operand.kind {
            Kind::Number(by @ 0..32) if operand.sign.is_none() => Some(by),
            Kind::Zero(_) if operand.sign.is_none() => Some(0),
            _ => None,
        }
    }

    /// `LEA` and `ISCADD`: a number that is shifted to the left, and another.
    pub(super) fn scaled_sum(&mut self, name: &str) -> Option<()> {
        if name == "ISCADD" && !self.modifiers.is_empty() {
            return None;
        }
        let upper = self.has("HI");
        let carry = if self.has("X") { self.carry()? } else { Bit::CLEAR };
        let (words, added, by) = match (self.modifiers, self.sources) {
            ([], [a, b, by]) => ([self.term(a)?, Term::number(0)], b, by),
            (["HI"] | ["HI", "X"], [a, b, c, by]) => ([self.term(a)?, self.term(c)?], b, by),
            (["HI", "SX32"] | ["HI", "X", "SX32"], [a, b, by]) => {
                let a = self.term(a)?;
                let sign = Operation::Shift {
                    left: false,
                    signed: true,
                    words: [Term::number(0), a],
                    by: 63,
                    upper: false,
                };
                let sign = self.lifted.step(sign);
                ([a, Term::step(sign)], b, by)
            }
            _ => return None,
        };
        // Whether a minus is that of the word or of all of the number is not known.
        if upper && words.iter().any(|one| one.sign != Sign::Plain) {
            return None;
        }
        let (added, by) = (self.term(added)?, Self::places(by)?);
        let x = self.has("X");
        if !x && !self.ins.is_empty() || x && [words[0], added].into_iter().any(is_negated) {
            return None;
        }
        // The minus of `ISCADD` is that of the shifted number, as upper words show that are behind it.
        let (words, sign) = match (name, words[0]) {
            ("ISCADD", word) if is_negated(word) => ([Term::of(word.word), words[1]], Sign::Negated),
            _ => (words, Sign::Plain),
        };
        let shifted = self.lifted.step(Operation::Shift { left: true, signed: false, words, by, upper });
        let terms = vec![Term { word: Word::Step(shifted), sign }, added];
        let sum = self.give(Operation::Sum(terms.clone(), carry));
        let one_carry = !is_negated(words[0]) && (sign == Sign::Plain || !is_negated(added));
        match () {
            () if x => self.give_any_bits(),
            () if upper || !one_carry => self.give_carries(sum, Operation::UnknownBit),
            () => self.give_carries(sum, Operation::Carry(terms, carry)),
        }
        Some(())
    }

    /// `IMAD` with all that its modifiers choose of it.
    pub(super) fn multiply(&mut self) -> Option<()> {
        let [a, b, c] = self.sources else { return None };
        let factors = [self.term(a)?, self.term(b)?];
        let signed = !self.has("U32");
        let kind: Vec<&str> = self.modifiers.iter().copied().filter(|one| *one != "U32").collect();
        if kind != ["X"] && !self.ins.is_empty() || !matches!(self.modifiers, [] | [_] | [_, "U32"]) {
            return None;
        }
        // Before 7.0 the third operand of an upper word has one word, but then the name has the types of both factors: `IMAD.U32.U32.HI`.
        let is_exact = matches!(self.modifiers, ["WIDE" | "HI"] | ["WIDE" | "HI", "U32"])
            // Whether a minus is that of the word or of the whole product is not known.
            && factors.iter().all(|one| one.sign == Sign::Plain || one.only().is_some());
        // The bits of a number that is written with a minus are a number without a sign, too.
        let bits = |term: Term| term.only().filter(|_| !signed).map_or(term, Term::number);
        let part = |upper| Operation::Product { signed, factors: factors.map(bits), upper };
        match kind[..] {
            [] | ["MOV" | "IADD" | "SHL"] => {
                let c = self.term(c)?;
                let product = self.lifted.step(Operation::Product { signed, factors, upper: false });
                self.give(Operation::Sum(vec![Term::step(product), c], Bit::CLEAR));
                self.give_any_bits();
            }
            // A sum of upper words: mostly of one of them, or of two since a factor is 1.
            ["X"] => {
                let ([carry], c) = (self.ins, self.term(c)?) else { return None };
                (!is_negated(c)).then_some(())?;
                let carry = self.bit(carry)?;
                let product = match factors {
                    [a, b] if is_zero(a) || is_zero(b) => None,
                    [a, one] | [one, a] if one.only() == Some(1) => Some(a),
                    _ => Some(Term::step(self.lifted.step(Operation::Product {
                        signed,
                        factors,
                        upper: false,
                    }))),
                };
                self.give(Operation::Sum(product.into_iter().chain([c]).collect(), carry));
                self.give_any_bits();
            }
            ["WIDE"] if is_exact => {
                let steps = self.wide_sum(c, part)?;
                self.give_pair(steps);
                self.give_any_bits();
            }
            ["HI"] if is_exact && (!signed || c.is_zero()) => {
                let [_, upper] = self.wide_sum(c, part)?;
                self.give_step(upper);
                self.give_any_bits();
            }
            _ => return None,
        }
        Some(())
    }

    /// The words of a product and a number of two words.
    fn wide_sum(&mut self, c: &Operand<'_>, part: impl Fn(bool) -> Operation) -> Option<[usize; 2]> {
        let [low, high] = self.pair(c)?;
        let [of_low, of_high] = [false, true].map(|upper| Term::step(self.lifted.step(part(upper))));
        let words = vec![of_low, low];
        let lower = self.lifted.step(Operation::Sum(words.clone(), Bit::CLEAR));
        let carry = self.lifted.step(Operation::Carry(words, Bit::CLEAR));
        let upper = self.lifted.step(Operation::Sum(vec![of_high, high], Bit::step(carry)));
        Some([lower, upper])
    }

    /// `SHF`, `SHL`, `SHR`: one word, or the upper one of two by a number that is written.
    pub(super) fn shift(&mut self, name: &str) -> Option<()> {
        let zero = Term::number(0);
        let (left, signed, words, by, upper) = match (name, self.modifiers, self.sources) {
            ("SHL", [], [value, by]) => (true, false, [self.plain(value)?, zero], by, false),
            ("SHR", _, [value, by]) => (false, self.signed()?, [zero, self.plain(value)?], by, true),
            ("SHF", ["L", "U32"], [value, by, other]) if other.is_zero() => {
                (true, false, [self.plain(value)?, zero], by, false)
            }
            ("SHF", ["L", "U64", "HI"], [low, by, high]) => {
                (true, false, [self.plain(low)?, self.plain(high)?], by, true)
            }
            ("SHF", ["R", kind @ ("U32" | "S32"), "HI"], [other, by, value]) if other.is_zero() => {
                (false, *kind == "S32", [zero, self.plain(value)?], by, true)
            }
            _ => return None,
        };
        let shift = match (Self::places(by), left, upper) {
            (Some(by), ..) => Operation::Shift { left, signed, words, by, upper },
            (None, true, true) => return None,
            (None, ..) => {
                let by = self.plain(by)?;
                Operation::ShiftBy { left, signed, of: words[usize::from(!left)], by }
            }
        };
        self.give(shift);
        self.give_any_bits();
        Some(())
    }

    /// `IABS`.
    pub(super) fn absolute(&mut self) -> Option<()> {
        let [a] = self.terms()?;
        let sign = match a.sign {
            Sign::Plain => Sign::Negated,
            Sign::Negated => Sign::Plain,
            Sign::Inverted => return None,
        };
        self.modifiers.is_empty().then_some(())?;
        self.give_greater(a, Term { sign, ..a });
        Some(())
    }

    fn give_greater(&mut self, a: Term, b: Term) {
        self.give(Operation::Extreme { least: false, signed: true, of: [a, b] });
    }

    /// `I2I.S32.S32` of `|R0|`, up to 6.x.
    pub(super) fn without_sign(&mut self) -> Option<()> {
        let ([from], ["S32", "S32"]) = (self.sources, self.modifiers) else { return None };
        let operand = Operand::new(from.text.strip_prefix('|')?.strip_suffix('|')?);
        let is_word = matches!(operand.kind, Kind::Register { .. } | Kind::Address { .. } | Kind::Zero(_));
        (is_word && operand.sign.is_none() && is_whole(&operand)).then_some(())?;
        let a = self.term(&operand)?;
        self.give_greater(a, Term { sign: Sign::Negated, ..a });
        Some(())
    }

    /// `IADD3.RS`: the sum of two words without its lower half, and a third.
    fn sum_of_upper_halves(&mut self) -> Option<()> {
        let [a, b, c] = self.terms()?;
        if !self.outs.is_empty() || !self.ins.is_empty() || [a, b].into_iter().any(is_negated) {
            return None;
        }
        let (words, zero) = (vec![a, b], Term::number(0));
        let sum = self.lifted.step(Operation::Sum(words.clone(), Bit::CLEAR));
        let carry = self.lifted.step(Operation::Carry(words, Bit::CLEAR));
        let above = self.lifted.step(Operation::Select(Bit::step(carry), [Term::number(1), zero]));
        let words = [Term::step(sum), Term::step(above)];
        let upper = Operation::Shift { left: false, signed: false, words, by: 16, upper: false };
        let upper = self.lifted.step(upper);
        self.give(Operation::Sum(vec![Term::step(upper), c], Bit::CLEAR));
        self.give_any_bits();
        Some(())
    }

    /// `IADD.64`, and `IADD3.64` of two numbers, at 12.0.
    fn sum_of_pairs(&mut self, name: &str) -> Option<()> {
        let (a, b) = match self.sources {
            [a, b] if name == "IADD" => (a, b),
            [a, b, none] if self.outs.len() == 2 && none.is_zero() && none.sign.is_none() => (a, b),
            _ => return None,
        };
        // What a sum of two numbers carries into predicates is not known.
        (self.ins.is_empty() && self.outs.iter().all(|one| one.predicate().is_none())).then_some(())?;
        let ([a, higher_a], [b, higher_b]) = (self.addend(a)?, self.addend(b)?);
        // Two lower words that are subtracted may carry twice.
        if self.to.names_code || a.sign == Sign::Negated && b.sign == Sign::Negated {
            return None;
        }
        let sum = self.lifted.step(Operation::Sum(vec![a, b], Bit::CLEAR));
        let carry = self.lifted.step(Operation::Carry(vec![a, b], Bit::CLEAR));
        let upper = self.lifted.step(Operation::Sum(vec![higher_a, higher_b], Bit::step(carry)));
        self.give_pair([sum, upper]);
        self.give_any_bits();
        Some(())
    }

    /// `I2F`, `I2FP`, `MUFU.RCP` and `F2I`, with which compilers divide integers.
    pub(super) fn float(&mut self, name: &str) -> Option<()> {
        let [from] = self.sources else { return None };
        // The number without its sign is no word.
        let of = match from.text.contains('|') {
            true => Term::of(Word::Unknown),
            false if is_whole(from) => self.term(from)?,
            false => return None,
        };
        // The minus of a floating-point number is another bit.
        (of.sign == Sign::Plain).then_some(())?;
        let known = |all: &[&str]| self.modifiers.iter().all(|one| all.contains(one));
        let operation = match name {
            "I2F" | "I2FP" if known(&["RP", "RN", "RM", "RZ", "U32", "S32", "F32"]) => {
                Operation::Float { signed: !self.has("U32"), of }
            }
            "MUFU" if self.has_only(&["RCP"]) => Operation::Reciprocal(of),
            "F2I"
                if known(&["FTZ", "U32", "F32", "TRUNC", "NTZ"]) && self.has("U32") && self.has("TRUNC") =>
            {
                Operation::Truncated(of)
            }
            _ => return None,
        };
        self.give(operation);
        Some(())
    }

    /// Whether the last operand chooses the lesser one; none if a predicate decides.
    fn chooses_least(&self) -> Option<bool> {
        let [which] = self.ins else { return None };
        [true, false].into_iter().find(|least| which.is_always(*least))
    }

    /// `IMNMX`, `VIMNMX`.
    pub(super) fn extreme(&mut self) -> Option<()> {
        let of = self.plain_terms()?;
        self.give_extreme(of)
    }

    /// The lesser or the greater of two words; with `RELU` zero if that is less.
    fn give_extreme(&mut self, of: [Term; 2]) -> Option<()> {
        let least = self.chooses_least()?;
        if let ["RELU"] | ["S32", "RELU"] = self.modifiers {
            let one = self.lifted.step(Operation::Extreme { least, signed: true, of });
            self.give_greater(Term::step(one), Term::of(Word::Number(0)));
        } else {
            let signed = self.signed()?;
            self.give(Operation::Extreme { least, signed, of });
        }
        Some(())
    }

    /// `VMNMX.MX.MIN`, up to 6.x: the lesser of the third word and the greater of the first two.
    pub(super) fn clamp(&mut self) -> Option<()> {
        let ([a, b, c], ["MX", "MIN"]) = (self.plain_terms()?, self.modifiers) else { return None };
        let most = self.lifted.step(Operation::Extreme { least: false, signed: true, of: [a, b] });
        self.give(Operation::Extreme { least: true, signed: true, of: [Term::step(most), c] });
        Some(())
    }

    /// `VIADDMNMX`: the sum of two words, and the lesser or the greater of that and a third.
    pub(super) fn extreme_of_sum(&mut self) -> Option<()> {
        let [a, b, c] = self.plain_terms()?;
        let sum = self.lifted.step(Operation::Sum(vec![a, b], Bit::CLEAR));
        self.give_extreme([Term::step(sum), c])
    }
}
