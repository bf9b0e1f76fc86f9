//! `XMAD`, with which multiprocessors up to 6.x multiply numbers of 32 bits half by half, and their sums of several words.

use crate::flow::analysis::counts::effect::{
    CARRY, Comparison, Condition, Effect, Half, Operation, Source, Term, Write, ZERO,
};
use crate::flow::analysis::counts::recurrence::Relation;
use crate::flow::analysis::counts::sass::{Reader, UNSIGNED};
use crate::isa::operand::{Operand, constant_address};

impl<'a> Reader<'_, 'a, '_> {
    /// An operand without the name of its half, and whether it is the upper one.
    fn half(&self, operand: &Operand<'a>) -> (Term<'a>, bool) {
        let text = operand.text.trim_end_matches(".reuse");
        let upper = text.ends_with(".H1");
        let text = text.trim_end_matches(".H1").trim_end_matches(".reuse");
        let packed: String = text.chars().filter(|c| *c != ' ').collect();
        let term = match constant_address(&packed) {
            Some(at) => Term::of(self.launch.word(at).map_or(Source::Unknown, Source::Known)),
            None => self.term(&Operand::new(text)),
        };
        (term, upper)
    }

    /// `XMAD.MRG t, a, b.H1, RZ`, `XMAD s, a, b, c`, `XMAD.PSL.CBCC d, a.H1, t.H1, s`, or `XMAD.PSL d, a.H1, b, s`.
    pub(super) fn part_of_product(&self) -> Option<Half<'a>> {
        let [_, first, second, third] = self.operands else { return None };
        let ((a, a_upper), (b, b_upper)) = (self.half(first), self.half(second));
        // Two words of the constant bank of which the same is known need not be the same, unless each is one number.
        let known = |term: Term<'a>| match term.source {
            Source::Register(_) => !term.negative,
            Source::Known(known) => !term.negative && known.only().is_some(),
            Source::Unknown => false,
        };
        if !known(a) {
            return None;
        }
        match (&self.modifiers[..], a_upper, b_upper) {
            (["MRG"], false, true) if third.is_zero() && known(b) => Some(Half::Crossed(a, b)),
            ([], false, false) if known(b) => Some(Half::Lower(a, b, self.term(third))),
            ([], false, true) if third.is_zero() && known(b) => Some(Half::LowerByUpper(a, b)),
            (["CHI"], true, false) if known(b) => Some(Half::Chained(a, b, self.term(third).register()?)),
            ([], true, true) if known(b) => Some(Half::Upper(a, b, self.term(third))),
            (["PSL", "CBCC"], true, true) => {
                Some(Half::Whole(a, b.register()?, self.term(third).register()?))
            }
            (["PSL"], true, false) if known(b) => Some(Half::Short(a, b, self.term(third).register()?)),
            _ => None,
        }
    }

    /// `IADD3.RS d, x, y, z`: z and the sum of x and y, without its lower half.
    pub(super) fn upper_word(&self) -> Option<Half<'a>> {
        let [_, x, y, z] = self.operands else { return None };
        let [x, y, z] = [x, y, z].map(|one| self.term(one).register());
        Some(Half::UpperWord([x?, y?], z?))
    }

    /// `IADD R0.CC, R1, R2`: the sum, and the carry. Where a word is subtracted there is one if it is not the larger.
    pub(super) fn sum_with_code(&self, effect: &mut Effect<'a>, name: &str) {
        let code = |register, result| Write { register, bits: 1, result };
        if !self.operands.first().is_some_and(|first| first.names_code) {
            return;
        }
        let known = matches!(name, "IADD" | "IADD32I") && self.modifiers.is_empty();
        let (Some(&[a, b]), true) = (self.sources().first_chunk(), known) else {
            effect.writes.extend([CARRY, ZERO].map(|register| code(register, Operation::Unknown)));
            return;
        };
        let (a, b) = (self.term(a), self.term(b));
        for write in &mut effect.writes {
            (write.bits, write.result) = (32, Operation::Sum(vec![a, b]));
        }
        let plain = |one: Term<'a>| Term { negative: false, ..one };
        let compared = |relation, left, right| Comparison { relation, kind: UNSIGNED, left, right };
        let added = |one: Term<'a>| match one.source {
            Source::Known(known) => known.only().map(|one| one.rem_euclid(1 << 32)).filter(|&one| one > 0),
            _ => None,
        };
        let no_less = compared(Relation::GreaterEqual, a, plain(b));
        effect.writes.push(code(
            CARRY,
            match (a.negative, b.negative) {
                (false, true) => Operation::All(Some(no_less), vec![]),
                // a + c needs a bit more if a is no less than 2^32 - c.
                (false, false) if added(b).is_some() => {
                    let limit = Term::number(UNSIGNED.most() + 1 - added(b).unwrap_or(0));
                    Operation::All(Some(compared(Relation::GreaterEqual, a, limit)), vec![])
                }
                _ => Operation::Carry(vec![a, b]),
            },
        ));
        // A difference is zero where both numbers are the same, and a sum where one is the other with its sign changed.
        let same = match (a.negative, b.negative) {
            (true, _) => compared(Relation::Equal, b, plain(a)),
            (false, _) => compared(Relation::Equal, a, Term { negative: !b.negative, ..b }),
        };
        effect.writes.push(code(ZERO, Operation::All(Some(same), vec![])));
    }

    /// `ISETP.GE.U32.X.AND P0, PT, R1, R3, PT` behind `IADD RZ.CC, R0, -R2`: the comparison of two words each. Where the upper ones
    /// are equal, it is that of the lower ones.
    pub(super) fn comparison_with_code(&self) -> Option<(u32, Operation<'a>)> {
        let [_, second, left, right, third] = self.operands else { return None };
        let ([relation, "X", "AND"] | [relation, "U32", "X", "AND"]) = self.modifiers[..] else {
            return None;
        };
        if ![second, third].into_iter().all(|one| one.is_always(true)) {
            return None;
        }
        let (register, negated) = match relation {
            "GE" => (CARRY, false),
            "LT" => (CARRY, true),
            "EQ" => (ZERO, false),
            "NE" => (ZERO, true),
            _ => return None,
        };
        let upper = [self.term(left), self.term(right)];
        let whole = self.whole(relation)?;
        Some((
            1,
            Operation::IfEqual { upper, lower: None, given: vec![Condition { register, negated }], whole },
        ))
    }
}
