//! Products that are made half by half.

use crate::flow::analysis::counts::effect::{Half, Operation, Source, Term, Write};
use crate::flow::analysis::counts::ranges::state::State;
use crate::interval::{Value, WORD};

impl<'a> State<'a> {
    /// The value of a part of a product. The whole has been computed with the part that is the product of the lower halves, and no
    /// factor was written since, so that the three parts are of the same numbers.
    pub(crate) fn half(&self, part: Half<'a>) -> Option<Value> {
        let halves = |term: Term<'a>| self.seen(term, WORD);
        let short = |term: Term<'a>| halves(term).filter(|seen| (0..=0xffff).contains(&seen.high));
        match part {
            Half::Crossed(..)
            | Half::LowerByUpper(..)
            | Half::Chained(..)
            | Half::Linked(..)
            | Half::Upper(..) => None,
            Half::UpperWord([one, other], upper) => {
                let (&(Half::Upper(a, b, _), whole), parts) =
                    (self.halves.get(upper)?, [self.halves.get(one)?.0, self.halves.get(other)?.0])
                else {
                    return None;
                };
                let both = [Half::Linked(a, b), Half::LowerByUpper(a, b)];
                let same = parts == both || parts == [both[1], both[0]];
                whole.filter(|_| same)
            }
            Half::Lower(a, b, c) => {
                let product = short(a)?.times(short(b)?)?;
                Value::new(WORD.bits, product.plus(self.value(c, WORD.bits)?.modular())?)
            }
            Half::Whole(a, crossed, lower) => match (self.halves.get(crossed)?, self.halves.get(lower)?) {
                ((Half::Crossed(first, second), _), (Half::Lower(of, by, _), whole))
                    if a == *first && a == *of && second == by =>
                {
                    *whole
                }
                _ => None,
            },
            Half::Short(a, b, lower) => match self.halves.get(lower)? {
                (Half::Lower(of, by, _), whole) if a == *of && b == *by && short(b).is_some() => *whole,
                _ => None,
            },
        }
    }

    /// What is kept of a part of a product: the part, with the whole if it is the one that c is added to.
    pub(crate) fn part(&self, write: &Write<'a>) -> Option<(Half<'a>, Option<Value>)> {
        let Operation::Half(part) = write.result else { return None };
        let [a, b] = part.factors()?;
        let own = Source::Register(write.register);
        let (part, whole) = match part {
            Half::Lower(.., c) => (part, self.result(&Operation::Product(a, b, Some(c)), WORD.bits)),
            Half::Upper(.., c) => {
                let upper = self.result(&Operation::Upper(Some((WORD, a, b)), vec![]), WORD.bits);
                let sum = || upper?.modular().plus(self.value(c, WORD.bits)?.modular());
                (part, sum().and_then(|sum| Value::new(WORD.bits, sum)))
            }
            // Only the product of the lower halves has nothing but a carry above.
            Half::Chained(_, _, lower) => {
                let zero = Term::number(0);
                let is_lower = self.halves.get(lower)?.0 == Half::Lower(a, b, zero);
                (is_lower.then_some(Half::Linked(a, b))?, None)
            }
            _ => (part, None),
        };
        (a.source != own && b.source != own).then_some((part, whole))
    }
}
