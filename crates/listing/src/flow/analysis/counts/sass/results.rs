//! Operations with one result of 32 bits, and predicates.

use crate::flow::analysis::counts::effect::{CARRY, Condition, Operation, Source, Term};
use crate::flow::analysis::counts::half::half_words;
use crate::flow::analysis::counts::interval::Interval;
use crate::flow::analysis::counts::sass::{Reader, SIGNED, UNSIGNED};
use crate::isa::operand::{Kind, Operand};

impl<'a> Reader<'_, 'a, '_> {
    /// The bits and the operation of an instruction with one result, if it is understood.
    pub(super) fn result(&self, name: &str) -> Option<(u32, Operation<'a>)> {
        let modifiers = &self.modifiers[..];
        if matches!(name, "ISETP" | "UISETP") {
            return self.comparison();
        }
        if matches!(name, "PLOP3" | "UPLOP3") {
            return self.logic();
        }
        if name == "PSETP" {
            return self.both();
        }
        if name == "ISET" {
            return self.mask();
        }
        if name == "LOP" && modifiers == ["AND", "NZ"] {
            return self.no_mask();
        }
        if name == "IADD3" && modifiers == ["RS"] {
            return self.upper_word().map(|part| (32, Operation::Half(part)));
        }
        if name == "XMAD" {
            return self.part_of_product().map(|part| (32, Operation::Half(part)));
        }
        let sources = self.sources();
        let at = |index: usize| sources.get(index).map(|operand| self.term(operand));
        let whole = |result: Operation<'a>| Some((32, result));
        let kind = if modifiers.contains(&"U32") { UNSIGNED } else { SIGNED };
        let one_or_no =
            |known: &[&str]| modifiers.is_empty() || modifiers.len() == 1 && known.contains(&modifiers[0]);
        match (name, sources.len()) {
            ("MOV" | "UMOV" | "MOV32I", 1) if modifiers.is_empty() => whole(Operation::Sum(vec![at(0)?])),
            ("MOV", 2) if modifiers.is_empty() && sources[1].is(0xf) => whole(Operation::Sum(vec![at(0)?])),
            // The number of some lane, not of each.
            ("R2UR", 1) if modifiers.is_empty() => whole(Operation::Either(at(0)?, at(0)?, None)),
            ("IADD3" | "UIADD3", 3) if modifiers.is_empty() => {
                whole(Operation::Sum(vec![at(0)?, at(1)?, at(2)?]))
            }
            ("IADD" | "IADD32I", 2) if modifiers == ["X"] => {
                let carry = Condition { register: CARRY, negated: false };
                let addends = sources.iter().flat_map(|one| self.addends(one)).collect();
                whole(Operation::SumWithCarry(addends, carry))
            }
            ("IADD3" | "UIADD3", 4) if modifiers == ["X"] => {
                let carry = self.condition(sources[3])?;
                let addends = sources[..3].iter().flat_map(|one| self.addends(one)).collect();
                whole(Operation::SumWithCarry(addends, carry))
            }
            ("IMAD" | "UIMAD", 4) if modifiers == ["X"] && (sources[0].is_zero() || sources[1].is_zero()) => {
                whole(Operation::SumWithCarry(self.addends(sources[2]), self.condition(sources[3])?))
            }
            ("IADD" | "IADD32I" | "VIADD", 2) if modifiers.is_empty() => {
                whole(Operation::Sum(vec![at(0)?, at(1)?]))
            }
            ("IMAD" | "UIMAD", 3)
                if one_or_no(&["MOV", "IADD", "SHL", "U32"])
                    || modifiers == ["MOV", "U32"]
                    || modifiers == ["SHL", "U32"] =>
            {
                whole(Operation::Product(at(0)?, at(1)?, Some(at(2)?)))
            }
            ("LEA" | "ULEA", 3) if modifiers.is_empty() => self.scaled(at(0)?, at(1)?, at(2)?),
            // The upper word of a number shifted left by n is what a shift right by 32 - n leaves. Whether a minus is that of the word or of all
            // of the number is not known.
            ("LEA" | "ULEA", 4) if modifiers == ["HI"] && sources[2].is_zero() => {
                let Source::Known(left) = amount(at(3)?)?.source else { return None };
                let by = 32 - left.only().filter(|&left| left > 0)?;
                let shifted = Some(at(0)?).filter(|one| !one.negative)?;
                whole(Operation::ShiftedSum(UNSIGNED, shifted, Term::number(by), at(1)?))
            }
            // The same of a number that has its sign in its upper word.
            ("LEA" | "ULEA", 3) if modifiers == ["HI", "SX32"] => {
                let Source::Known(left) = amount(at(2)?)?.source else { return None };
                let by = 32 - left.only().filter(|&left| left > 0)?;
                let shifted = Some(at(0)?).filter(|one| !one.negative)?;
                whole(Operation::ShiftedSum(SIGNED, shifted, Term::number(by), at(1)?))
            }
            ("ISCADD", 3) if modifiers.is_empty() => self.scaled(at(0)?, at(1)?, at(2)?),
            ("SHL", 2) if modifiers.is_empty() => whole(Operation::ShiftLeft(at(0)?, amount(at(1)?)?)),
            ("SHR", 2) if one_or_no(&["U32", "S32"]) => {
                whole(Operation::ShiftRight(kind, at(0)?, amount(at(1)?)?))
            }
            ("SHF" | "USHF", 3) if modifiers == ["L", "U32"] && sources[2].is_zero() => {
                whole(Operation::ShiftLeft(at(0)?, amount(at(1)?)?))
            }
            ("SHF" | "USHF", 3)
                if sources[0].is_zero() && matches!(modifiers, ["R", "U32" | "S32", "HI"]) =>
            {
                whole(Operation::ShiftRight(kind, at(2)?, amount(at(1)?)?))
            }
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[2].is_zero() && sources[3].is(0xc0) => {
                whole(Operation::And(at(0)?, at(1)?))
            }
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[2].is_zero() && sources[3].is(0xfc) => {
                whole(Operation::Or(at(0)?, at(1)?))
            }
            ("LOP" | "LOP32I", 2) if modifiers == ["OR"] => whole(Operation::Or(at(0)?, at(1)?)),
            // The tables of the negations of one operand: ~x is -x - 1.
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[3].is(0x0f) => whole(complement(at(0)?)),
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[3].is(0x33) => whole(complement(at(1)?)),
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[3].is(0x55) => whole(complement(at(2)?)),
            ("LOP" | "LOP32I", 2) if modifiers == ["AND"] => whole(Operation::And(at(0)?, at(1)?)),
            ("LOP", 2) if modifiers == ["PASS_B"] && sources[1].sign == Some('~') => {
                whole(complement(Term::of(self.source(sources[1]))))
            }
            // The upper word of a product of 64 bits plus a number of 64 bits.
            ("IMAD" | "UIMAD", 3) if matches!(modifiers, ["HI"] | ["HI", "U32"]) => {
                let (a, b) = (at(0)?, at(1)?);
                let kind = if modifiers.len() == 2 { UNSIGNED } else { SIGNED };
                // Before 7.0 the third operand has one word, but then the name has the types of both factors.
                if a.negative || b.negative || kind == SIGNED && !sources[2].is_zero() {
                    return None;
                }
                whole(Operation::Upper(Some((kind, a, b)), vec![self.pair(sources[2])?]))
            }
            ("IABS", 1) if modifiers.is_empty() => {
                let a = at(0)?;
                whole(Operation::Most(SIGNED, a, Term { negative: !a.negative, ..a }))
            }
            ("I2F" | "I2FP", 1)
                if is_conversion(modifiers, &["RP", "RN", "RM", "RZ", "U32", "S32", "F32"]) =>
            {
                whole(Operation::Float(kind, unsigned(at(0)?)?))
            }
            ("MUFU", 1) if modifiers == ["RCP"] => whole(Operation::Reciprocal(unsigned(at(0)?)?)),
            ("F2I", 1)
                if modifiers.contains(&"U32")
                    && modifiers.contains(&"TRUNC")
                    && is_conversion(modifiers, &["FTZ", "U32", "F32", "TRUNC", "NTZ"]) =>
            {
                whole(Operation::Truncated(unsigned(at(0)?)?))
            }
            ("IMNMX" | "UIMNMX" | "VIMNMX", 2 | 3) if one_or_no(&["U32", "S32"]) => {
                let (which, a, b) = (self.operands.last()?, at(0)?, at(1)?);
                match () {
                    () if which.is_always(true) => whole(Operation::Least(kind, a, b)),
                    () if which.is_always(false) => whole(Operation::Most(kind, a, b)),
                    () => None,
                }
            }
            ("VIADDMNMX", 3 | 4) if one_or_no(&["U32"]) => {
                let (which, sum, c) = (self.operands.last()?, [at(0)?, at(1)?], at(2)?);
                match () {
                    () if which.is_always(true) => whole(Operation::LeastOfSum(kind, sum, c)),
                    () if which.is_always(false) => whole(Operation::MostOfSum(kind, sum, c)),
                    () => None,
                }
            }
            ("SEL" | "USEL", 3) if modifiers.is_empty() => {
                let which = self.operands.last().and_then(|last| self.condition(last));
                whole(Operation::Either(at(0)?, at(1)?, which))
            }
            ("S2R" | "S2UR", 1) => {
                let known = self.special(sources[0])?;
                whole(Operation::Sum(vec![Term::of(Source::Known(known))]))
            }
            ("HFMA2", 4)
                if matches!(modifiers, [] | ["MMA"])
                    && sources[0].text == "-RZ"
                    && sources[1].text == "RZ" =>
            {
                whole(Operation::Sum(vec![Term::number(half_words(sources[2].text, sources[3].text)?)]))
            }
            _ => None,
        }
    }

    /// `a` shifted by a constant, plus `b`.
    pub(super) fn scaled(&self, a: Term<'a>, b: Term<'a>, by: Term<'a>) -> Option<(u32, Operation<'a>)> {
        let Source::Known(by) = amount(by)?.source else { return None };
        let factor = Term::number(1 << u32::try_from(by.only()?).ok()?);
        Some((32, Operation::Product(a, factor, Some(b))))
    }

    pub(super) fn special(&self, operand: &Operand<'_>) -> Option<Interval> {
        match operand.kind {
            Kind::Special("SR_TID", Some(axis)) => Some(self.launch.index(false, axis)),
            Kind::Special("SR_CTAID", Some(axis)) => Some(self.launch.index(true, axis)),
            Kind::Special("SR_LANEID", None) => Some(Interval::new(0, 31)),
            _ => None,
        }
    }
}

/// What all bits of a number changed make of it.
fn complement(of: Term<'_>) -> Operation<'_> {
    Operation::Sum(vec![Term { negative: !of.negative, ..of }, Term::number(-1)])
}

/// An operand without a sign, which for floating-point numbers would be another bit.
fn unsigned(term: Term<'_>) -> Option<Term<'_>> {
    (!term.negative).then_some(term)
}

/// Whether a conversion has no other modifiers than these.
fn is_conversion(modifiers: &[&str], known: &[&str]) -> bool {
    modifiers.iter().all(|one| known.contains(one))
}

/// The amount of a shift, if it is a number that does not shift everything out.
fn amount(term: Term<'_>) -> Option<Term<'_>> {
    let Source::Known(by) = term.source else { return None };
    (!term.negative && (0..32).contains(&by.only()?)).then_some(term)
}
