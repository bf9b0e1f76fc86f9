//! Numbers of several words.

use crate::flow::analysis::counts::effect::{Operation, Source, Term};
use crate::flow::analysis::counts::sass::{Reader, SIGNED, UNSIGNED, pair_of};
use crate::isa::operand::{Kind, Operand};

impl<'a> Reader<'_, 'a, '_> {
    /// The words of a number of 64 bits.
    pub(super) fn pair(&self, operand: &Operand<'_>) -> Option<[Term<'a>; 2]> {
        match operand.kind {
            _ if operand.sign.is_some() => None,
            Kind::Zero(_) => Some([Term::number(0), Term::number(0)]),
            Kind::Register { .. } => Some(pair_of(operand)?.map(|name| Term::of(Source::Register(name)))),
            Kind::Address { of: "c", .. } => Some([0, 1].map(|word| Term::of(self.bank(operand, word)))),
            // A larger one might have a sign.
            Kind::Number(value) if value < 1 << 31 => Some([Term::number(value.into()), Term::number(0)]),
            _ => None,
        }
    }

    /// The lower and the upper word of a result of 64 bits, if it is understood.
    pub(super) fn wide(&self, name: &str) -> Option<[Operation<'a>; 2]> {
        let sources = self.sources();
        match (name, &self.modifiers[..], &sources[..]) {
            ("IMAD" | "UIMAD", ["WIDE", kind @ ..], &[a, b, more]) if matches!(kind, [] | ["U32"]) => {
                let (a, b, more) = (self.term(a), self.term(b), self.pair(more)?);
                if a.negative || b.negative {
                    return None;
                }
                let kind = if kind.is_empty() { SIGNED } else { UNSIGNED };
                let lower = Operation::Product(a, b, Some(more[0]));
                Some([lower, Operation::Upper(Some((kind, a, b)), vec![more])])
            }
            ("IADD", ["64"], &[a, b]) => {
                let pairs = vec![self.pair(a)?, self.pair(b)?];
                Some([Operation::Sum(vec![pairs[0][0], pairs[1][0]]), Operation::Upper(None, pairs)])
            }
            ("MOV" | "UMOV", ["64"], &[a]) => Some(self.pair(a)?.map(|word| Operation::Sum(vec![word]))),
            _ => None,
        }
    }

    /// The values that the registers of a load from the constant bank get, one after the other, or those of
    /// `CS2R`.
    pub(super) fn words(&self, name: &str) -> Option<Vec<Term<'a>>> {
        let loads = matches!(name, "LDC" | "ULDC" | "LDCU") && self.operands.len() == 2;
        match (name, &self.modifiers[..]) {
            ("CS2R", []) if self.operands.get(1).is_some_and(|one| one.text == "SRZ") => {
                Some(vec![Term::number(0), Term::number(0)])
            }
            (_, []) if loads => Some(vec![Term::of(self.bank(&self.operands[1], 0))]),
            (_, ["64"]) if loads => {
                Some((0..2).map(|word| Term::of(self.bank(&self.operands[1], word))).collect())
            }
            (_, ["128"]) if loads => {
                Some((0..4).map(|word| Term::of(self.bank(&self.operands[1], word))).collect())
            }
            _ => None,
        }
    }
}
