//! What registers hold in a pass, in terms of what a register had at the header.

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::counter::origins::Origin;
use crate::flow::analysis::counts::effect::{Half, Operation, Source, Term};
use crate::flow::graph::Edge;
use crate::interval::{IntegerType, Interval, Value};

/// Copies and sums that are followed from a use to its origin.
pub(crate) const LONGEST_CHAIN: u32 = 12;

/// What a register holds in a pass, in terms of what a register had at the header in this pass.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Held<'a> {
    /// `factor` times the register, plus an integer of the interval.
    Linear { of: &'a str, factor: i128, plus: Interval, bits: u32 },
    /// The register shifted right by so many bits, as a number of the type.
    Shifted { of: &'a str, by: u32, kind: IntegerType },
    /// The register without the lowest bit that is set in it, of so many bits.
    Cleared { of: &'a str, bits: u32 },
}

impl<'a> CountedLoop<'a, '_> {
    /// What a register of the header holds when control comes back to the header, in terms of itself.
    pub(crate) fn next(&self, numbers: &Numbers<'a>, name: &'a str, bits: u32) -> Option<Held<'a>> {
        let mut back = None;
        for node in self.pass.subgraph.nodes() {
            if !self.pass.subgraph.edges(node).contains(&Edge::Back) {
                continue;
            }
            let end = self.pass.subgraph.block(node).instructions.end;
            let Origin::Write(at) = self.origin_at_end(numbers, name, node, end)? else { return None };
            if back.is_some_and(|known| known != at) {
                return None;
            }
            back = Some(at);
        }
        let at = back?;
        let write = numbers.ranges.effects[at].writes.iter().find(|write| write.register == name)?;
        let held = self.held_after(numbers, &write.result, write.bits, at, bits, LONGEST_CHAIN)?;
        match held {
            Held::Linear { of, .. } | Held::Shifted { of, .. } | Held::Cleared { of, .. } if of == name => {
                Some(held)
            }
            _ => None,
        }
    }

    /// What an operand holds at an instruction of a pass, if it depends on a register of the header that a
    /// pass changes.
    pub(crate) fn held_by(
        &self,
        numbers: &Numbers<'a>,
        term: Term<'a>,
        at: usize,
        bits: u32,
        depth: u32,
    ) -> Option<Held<'a>> {
        let Source::Register(name) = term.source else { return None };
        if numbers.untracked.contains(name) || !self.may_search() {
            return None;
        }
        let depth = depth.checked_sub(1)?;
        let held = match self.origin(numbers, name, at)? {
            Origin::Header => {
                let changes = self.inside().any(|at| numbers.ranges.effects[at].may_write(name));
                changes.then_some(Held::Linear { of: name, factor: 1, plus: Interval::point(0), bits })?
            }
            Origin::Write(at) => {
                let write = numbers.ranges.effects[at].writes.iter().find(|write| write.register == name)?;
                self.held_after(numbers, &write.result, write.bits, at, bits, depth)?
            }
        };
        match held {
            Held::Linear { of, factor, plus, bits } if term.negative => {
                Some(Held::Linear { of, factor: factor.checked_neg()?, plus: plus.negative()?, bits })
            }
            Held::Shifted { .. } | Held::Cleared { .. } if term.negative => None,
            held => Some(held),
        }
    }

    /// What the result of an operation holds. It must have at least so many bits, since sums are those of
    /// numbers of this length.
    pub(crate) fn held_after(
        &self,
        numbers: &Numbers<'a>,
        operation: &Operation<'a>,
        has: u32,
        at: usize,
        bits: u32,
        depth: u32,
    ) -> Option<Held<'a>> {
        if has < bits {
            return None;
        }
        if let Some(term) = operation.copies() {
            return self.held_by(numbers, term, at, bits, depth);
        }
        let state = self.state(numbers, at)?;
        let known = |term: Term<'a>| state.value(term, bits).map(Value::modular);
        // An amount has 32 bits, whatever is shifted.
        let amount = |term: Term<'a>| {
            state.value(term, 32).map(Value::modular)?.only().and_then(|by| u32::try_from(by).ok())
        };
        let held = |term: Term<'a>| self.held_by(numbers, term, at, bits, depth);
        match operation {
            Operation::Sum(terms) => {
                let mut sum: Option<Held<'a>> = None;
                let mut more = Interval::point(0);
                for &term in terms {
                    match held(term) {
                        Some(one) => sum = Some(add(sum, one)?),
                        None => more = more.plus(known(term)?)?,
                    }
                }
                plus(sum?, more)
            }
            Operation::Product(a, b, more) => {
                let product = match (held(*a), held(*b)) {
                    (Some(one), None) => times(one, known(*b)?.only()?)?,
                    (None, Some(one)) => times(one, known(*a)?.only()?)?,
                    (None, None) => {
                        // Compilers write a move as a product with zero.
                        let product = known(*a)?.times(known(*b)?)?;
                        return plus(held((*more)?)?, product);
                    }
                    (Some(_), Some(_)) => return None,
                };
                match more {
                    None => Some(product),
                    Some(more) => match held(*more) {
                        Some(one) => add(Some(product), one),
                        None => plus(product, known(*more)?),
                    },
                }
            }
            Operation::Half(part) => self.held_by_halves(numbers, *part, at, bits, depth),
            Operation::ShiftLeft(a, by) => {
                let by = amount(*by).filter(|&by| by < bits && has == bits)?;
                times(held(*a)?, 1 << by)
            }
            Operation::ShiftRight(kind, a, by) if kind.bits == bits => {
                let by = amount(*by).filter(|by| (1..bits).contains(by))?;
                match held(*a)? {
                    Held::Linear { of, factor: 1, plus, .. } if plus.only() == Some(0) => {
                        Some(Held::Shifted { of, by, kind: *kind })
                    }
                    _ => None,
                }
            }
            // x & (x - 1): both are of the same register, as it was at the header.
            Operation::And(a, b) if has == bits => match (held(*a)?, held(*b)?) {
                (
                    Held::Linear { of, factor: 1, plus: one, .. },
                    Held::Linear { of: same, factor: 1, plus: other, .. },
                ) if of == same => {
                    let less = |value: Interval| value.only().map(|value| value.rem_euclid(1 << bits));
                    let (zero, minus_one) = (Some(0), Some((1 << bits) - 1));
                    let [one, other] = [less(one), less(other)];
                    let clears = (one, other) == (zero, minus_one) || (one, other) == (minus_one, zero);
                    clears.then_some(Held::Cleared { of, bits })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a product holds that is made half by half: the parts must be those of the same factors, of which each comes from one
    /// place wherever a part is made.
    pub(crate) fn held_by_halves(
        &self,
        numbers: &Numbers<'a>,
        part: Half<'a>,
        at: usize,
        bits: u32,
        depth: u32,
    ) -> Option<Held<'a>> {
        let made = |name: &'a str| {
            let Origin::Write(made) = self.origin(numbers, name, at)? else { return None };
            let write = numbers.ranges.effects[made].writes.iter().find(|write| write.register == name)?;
            let Operation::Half(part) = write.result else { return None };
            Some((made, part))
        };
        let (a, b, c, made_at) = match part {
            Half::Whole(a, crossed, lower) => {
                let ((first, Half::Crossed(of, by)), (second, Half::Lower(x, y, c))) =
                    (made(crossed)?, made(lower)?)
                else {
                    return None;
                };
                let same = [a, x].into_iter().all(|one| one == of) && by == y;
                let same = same
                    && self.is_same(numbers, of, [first, at])
                    && self.is_same(numbers, by, [first, second]);
                same.then_some((of, by, c, second))?
            }
            Half::Short(a, b, lower) => {
                let (second, Half::Lower(x, y, c)) = made(lower)? else { return None };
                let Source::Known(known) = b.source else { return None };
                let short = known.low >= 0 && known.high <= 0xffff;
                (short && a == x && b == y).then_some((x, y, c, second))?
            }
            _ => return None,
        };
        if !self.is_same(numbers, a, [made_at, at]) {
            return None;
        }
        let product = Operation::Product(a, b, Some(c));
        self.held_after(numbers, &product, 32, made_at, bits, depth.checked_sub(1)?)
    }

    /// Whether an operand has the same value at two instructions of a pass.
    pub(crate) fn is_same(&self, numbers: &Numbers<'a>, term: Term<'a>, [one, other]: [usize; 2]) -> bool {
        let Source::Register(name) = term.source else { return true };
        let origin = |at: usize| self.origin(numbers, name, at);
        !numbers.untracked.contains(name) && origin(one).is_some() && origin(one) == origin(other)
    }
}

fn add<'a>(one: Option<Held<'a>>, other: Held<'a>) -> Option<Held<'a>> {
    match (one, other) {
        (None, other) => Some(other),
        (
            Some(Held::Linear { of, factor, plus, bits }),
            Held::Linear { of: same, factor: more, plus: also, .. },
        ) if of == same => {
            Some(Held::Linear { of, factor: factor.checked_add(more)?, plus: plus.plus(also)?, bits })
        }
        _ => None,
    }
}

fn plus(held: Held<'_>, more: Interval) -> Option<Held<'_>> {
    match held {
        Held::Linear { of, factor, plus, bits } => {
            Some(Held::Linear { of, factor, plus: plus.plus(more)?, bits })
        }
        Held::Shifted { .. } | Held::Cleared { .. } => (more.only() == Some(0)).then_some(held),
    }
}

fn times(held: Held<'_>, by: i128) -> Option<Held<'_>> {
    match held {
        Held::Linear { of, factor, plus, bits } => Some(Held::Linear {
            of,
            factor: factor.checked_mul(by)?,
            plus: plus.times(Interval::point(by))?,
            bits,
        }),
        Held::Shifted { .. } | Held::Cleared { .. } => (by == 1).then_some(held),
    }
}
