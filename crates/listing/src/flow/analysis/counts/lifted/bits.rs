//! Predicates, and registers whose bits are all those of one.

use crate::flow::analysis::counts::effect::{Comparison, Condition, Operation, Term};
use crate::flow::analysis::counts::lifted::{Steps, UNSIGNED};
use crate::interval::IntegerType;
use warpspan_isa::register::File;
use warpspan_lift::Relation;
use warpspan_lift::{self as lift, Bit, Origin, Place, Sign, TABLES, Word};

const AND: u8 = TABLES[0] & TABLES[1];
const OR: u8 = TABLES[0] | TABLES[1];
/// All of three bits.
const ALL: u8 = AND & TABLES[2];
/// How numbers of two words compare: as the upper ones, and as the lower ones where those are equal.
const STRICT: u8 = TABLES[0] | TABLES[1] & TABLES[2];
const OR_EQUAL: u8 = TABLES[0] & (!TABLES[1] | TABLES[2]);

/// What a predicate is made of.
enum Part<'a> {
    Compared(Comparison<'a>),
    Given(Condition<'a>),
    Constant(bool),
}

impl<'a> Steps<'_, 'a> {
    /// The operation of a step that gives a bit.
    pub(super) fn predicate(&self, step: usize) -> Option<Operation<'a>> {
        match self.all[step] {
            lift::Operation::Compare { relation, of, .. } => match self.test(relation, of) {
                Some(test) => Some(test),
                None => Some(Operation::All(Some(self.comparison(step)?), vec![])),
            },
            lift::Operation::Bits(table, bits @ [a, b, _]) => {
                if let (AND, Origin::Step(inner), Bit::SET) = (table, a.of, b)
                    && !a.negated
                    && let Some(found) = self.wide_comparison(inner)
                {
                    return Some(found);
                }
                match table {
                    AND => self.all_of(&bits[..2]),
                    ALL => self.all_of(&bits),
                    OR => self.any_of([a, b]),
                    // A constant of compilers: the table of bits that are set.
                    _ if bits.iter().all(|one| *one == Bit::SET) => Some(constant(table & 0x80 != 0)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a bit is.
    fn part(&self, bit: Bit) -> Option<Part<'a>> {
        let Origin::Step(step) = bit.of else {
            return Some(match bit.of {
                Origin::Set => Part::Constant(!bit.negated),
                _ => Part::Given(self.condition(bit)?),
            });
        };
        let compared = self.comparison(step)?;
        Some(Part::Compared(if bit.negated { compared.denied() } else { compared }))
    }

    /// The comparison that a step is.
    fn comparison(&self, step: usize) -> Option<Comparison<'a>> {
        let lift::Operation::Compare { relation, signed, of: [a, b] } = self.all[step] else { return None };
        Some(Comparison { relation, kind: self.kind(signed), left: self.term(a)?, right: self.term(b)? })
    }

    /// All of these bits.
    fn all_of(&self, bits: &[Bit]) -> Option<Operation<'a>> {
        let mut leaves = Vec::new();
        for &bit in bits {
            match bit.of {
                Origin::Step(step) if !bit.negated => match self.all[step] {
                    lift::Operation::Bits(AND, [a, b, _]) => leaves.extend([a, b]),
                    _ => leaves.push(bit),
                },
                _ => leaves.push(bit),
            }
        }
        let (mut compared, mut given) = (None, Vec::new());
        for bit in leaves {
            match self.part(bit)? {
                Part::Constant(true) => {}
                Part::Constant(false) => return Some(constant(false)),
                Part::Given(one) => given.push(one),
                Part::Compared(one) if compared.is_none() => compared = Some(one),
                Part::Compared(_) => return None,
            }
        }
        if compared.is_none() && given.is_empty() {
            return Some(constant(true));
        }
        Some(Operation::All(compared, given))
    }

    /// One of two bits, of which at most the first one is a comparison.
    fn any_of(&self, [a, b]: [Bit; 2]) -> Option<Operation<'a>> {
        Some(match (self.part(a)?, self.part(b)?) {
            (Part::Compared(compared), Part::Constant(false)) => Operation::All(Some(compared), vec![]),
            (Part::Compared(_), Part::Constant(true)) => constant(true),
            (Part::Compared(compared), Part::Given(given)) => Operation::Any(Some(compared), vec![given]),
            (Part::Given(a), Part::Given(b)) => Operation::Any(None, vec![a, b]),
            _ => return None,
        })
    }

    /// The comparison of numbers of two words.
    fn wide_comparison(&self, step: usize) -> Option<Operation<'a>> {
        let lift::Operation::Bits(STRICT | OR_EQUAL, [upper, equal, below]) = self.all[step] else {
            return None;
        };
        let (Origin::Step(upper), Origin::Step(_)) = (upper.of, equal.of) else { return None };
        let lift::Operation::Compare { relation, signed, of: [a, b] } = self.all[upper] else { return None };
        let (lower, given) = match self.part(below)? {
            Part::Compared(lower) => (Some(lower), vec![]),
            Part::Given(given) => (None, vec![given]),
            Part::Constant(_) => return None,
        };
        let whole = (relation, IntegerType { signed, bits: 64 });
        Some(Operation::IfEqual { upper: [self.term(a)?, self.term(b)?], lower, given, whole })
    }

    /// Whether what a step gave is zero or not, which some operations say in another way.
    fn test(&self, how: Relation, [a, zero]: [lift::Term; 2]) -> Option<Operation<'a>> {
        let Word::Step(made) = a.word else { return None };
        if zero.only() != Some(0) || a.sign != Sign::Plain || self.bits != 32 {
            return None;
        }
        match (&self.all[made], how) {
            // A difference is zero where both numbers are the same, and a sum where one is the other with its sign changed.
            (lift::Operation::Sum(terms, Bit::CLEAR), Relation::Equal) => {
                let &[a, b] = &terms[..] else { return None };
                let (a, b) = (self.term(a)?, self.term(b)?);
                let plain = Term { negative: false, ..a };
                let [left, right] =
                    if a.negative { [b, plain] } else { [a, Term { negative: !b.negative, ..b }] };
                let same = Comparison { relation: Relation::Equal, kind: UNSIGNED, left, right };
                Some(Operation::All(Some(same), vec![]))
            }
            (&lift::Operation::Logic(table, [a, b, _]), Relation::NotEqual) => {
                let own = self.writes.iter().find_map(|&(place, step)| match place {
                    Place::Register(register) if step == made => register.name(),
                    _ => None,
                });
                match own {
                    Some(own) => Some(Operation::NotZero(own)),
                    // Whether a bit is in none of two masks.
                    None if table != AND => None,
                    None => Some(Operation::All(None, vec![self.no_mask(a)?, self.no_mask(b)?])),
                }
            }
            _ => None,
        }
    }

    /// That a register which has all of its bits set, or none, has none.
    fn no_mask(&self, term: lift::Term) -> Option<Condition<'a>> {
        let Word::Register(register) = term.word else { return None };
        let is_denied = term.sign == Sign::Inverted && register.file == File::General;
        is_denied.then_some(Condition { register: register.name()?, negated: true })
    }

    /// All bits of a register, or none: it is followed as a predicate, and nothing is known of it as a number.
    pub(super) fn mask(&self, which: Bit, [all, none]: [lift::Term; 2]) -> Option<Operation<'a>> {
        let Origin::Step(step) = which.of else { return None };
        let is_mask = all.only() == Some(u32::MAX) && none.only() == Some(0) && !which.negated;
        is_mask.then(|| self.predicate(step)).flatten()
    }
}

/// A predicate that always or never holds.
fn constant<'a>(value: bool) -> Operation<'a> {
    let relation = if value { Relation::Equal } else { Relation::NotEqual };
    let zero = Term::number(0);
    Operation::All(Some(Comparison { relation, kind: UNSIGNED, left: zero, right: zero }), vec![])
}
