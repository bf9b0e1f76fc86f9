//! What registers hold on a path, in terms of what registers held at the header.

use std::collections::BTreeMap;

use crate::interval::{IntegerType, Interval, Value};

/// What a form is a sum of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom<'a> {
    /// What a register held at the header.
    Header(&'a str),
    /// Half the sum of what two registers held there, rounded down, as long as the [`Need`]s hold.
    Middle([&'a str; 2]),
}

/// Multiples of atoms and a number of an interval, modulo 2 to a number of bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form<'a> {
    terms: BTreeMap<Atom<'a>, i128>,
    plus: Interval,
}

/// What must hold of two registers of the header, so that forms are right that are made of their shifted sum or difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Need<'a> {
    pub(super) of: [&'a str; 2],
    /// The type that was shifted.
    pub(super) kind: IntegerType,
    pub(super) what: Halved,
}

/// What was shifted right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halved {
    /// The sum.
    Sum,
    /// The second less the first.
    Difference,
    /// A sum that may not be below zero.
    SumFromZero,
    /// A difference that may not be below zero.
    DifferenceFromZero,
}

impl<'a> Form<'a> {
    pub(super) fn number(plus: Interval) -> Self {
        Self { terms: BTreeMap::new(), plus: plus.with_ends([None; 2]) }
    }

    pub(super) fn header(name: &'a str) -> Self {
        Self { terms: BTreeMap::from([(Atom::Header(name), 1)]), plus: Interval::point(0) }
    }

    pub(super) fn sum(mut self, other: Self) -> Option<Self> {
        for (atom, factor) in other.terms {
            let sum = self.terms.remove(&atom).unwrap_or(0).checked_add(factor)?;
            if sum != 0 {
                self.terms.insert(atom, sum);
            }
        }
        Some(Self { plus: self.plus.plus(other.plus)?, ..self })
    }

    pub(super) fn times(mut self, by: i128) -> Option<Self> {
        if by == 0 {
            return Some(Self::number(Interval::point(0)));
        }
        for factor in self.terms.values_mut() {
            *factor = factor.checked_mul(by)?;
        }
        Some(Self { plus: self.plus.times(Interval::point(by))?, ..self })
    }

    pub(super) fn less(self, other: Self) -> Option<Self> {
        self.sum(other.times(-1)?)
    }

    /// The number that it is, if it does not depend on atoms: as one with a sign of so many bits.
    pub(super) fn constant(&self, bits: u32) -> Option<Interval> {
        self.terms.is_empty().then(|| Value::new(bits, self.plus).map(Value::modular))?
    }

    /// The register of the header that it is, and the number that is added to that.
    pub(super) fn moved(&self, bits: u32) -> Option<(&'a str, i128)> {
        let mut terms = self.terms.iter();
        let (Some((&Atom::Header(name), 1)), None) = (terms.next(), terms.next()) else { return None };
        Some((name, Value::new(bits, self.plus)?.modular().only()?))
    }

    /// How far it is from the middle of two registers, if that is a number.
    pub(super) fn beside_middle(&self, of: [&'a str; 2], bits: u32) -> Option<i128> {
        let mut terms = self.terms.iter();
        let (Some((&Atom::Middle(found), 1)), None) = (terms.next(), terms.next()) else { return None };
        let plus = Value::new(bits, self.plus)?.modular().only()?;
        (found == sorted(of)).then_some(plus)
    }

    /// What a shift to the right by one leaves of a sum or a difference of two registers, as numbers of a type.
    pub(super) fn half(&self, kind: IntegerType) -> Option<(Self, Need<'a>)> {
        let (of, difference) = self.pair()?;
        let middle =
            Self { terms: BTreeMap::from([(Atom::Middle(sorted(of)), 1)]), plus: Interval::point(0) };
        let what = if difference { Halved::Difference } else { Halved::Sum };
        let half = if difference { middle.less(Self::header(of[0]))? } else { middle };
        Some((half, Need { of, kind, what }))
    }

    /// The sign of such a sum or difference: zero, as long as it is not below that.
    pub(super) fn sign(&self, kind: IntegerType) -> Option<(Self, Need<'a>)> {
        let (of, difference) = self.pair()?;
        let what = if difference { Halved::DifferenceFromZero } else { Halved::SumFromZero };
        Some((Self::number(Interval::point(0)), Need { of, kind, what }))
    }

    /// Two registers of which it is the sum, or the second less the first.
    fn pair(&self) -> Option<([&'a str; 2], bool)> {
        let terms: Vec<_> = self.terms.iter().map(|(&atom, &factor)| (atom, factor)).collect();
        let [(Atom::Header(one), first), (Atom::Header(other), second)] = terms[..] else { return None };
        match (first, second, self.plus.only()?) {
            (1, 1, 0) => Some(([one, other], false)),
            (-1, 1, 0) => Some(([one, other], true)),
            (1, -1, 0) => Some(([other, one], true)),
            _ => None,
        }
    }
}

fn sorted(mut of: [&str; 2]) -> [&str; 2] {
    of.sort_unstable();
    of
}
