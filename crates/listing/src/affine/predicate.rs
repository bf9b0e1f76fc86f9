//! Comparisons, and what is made of predicates.

use std::rc::Rc;

use crate::affine::bits::Logic;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::lanes::{as_type, mask_of};
use crate::affine::value::{Comparison, Kind, Truth, Value};
use warpspan_lift::Relation;

impl Context {
    /// The predicate that a comparison of two numbers gives. Unknown ones are none.
    pub(super) fn compare(
        &self,
        order: Relation,
        left: Option<&Form>,
        right: Option<&Form>,
        (bits, signed): (u32, bool),
    ) -> Value {
        let (Some(left), Some(right)) = (left, right) else { return Value::truth(Kind::Any) };
        let of = Comparison { order, left: left.clone(), right: right.clone(), bits, signed };
        let kind = self.kind_of(&of);
        Value::Truth(Rc::new(Truth { kind, of: Some(of) }))
    }

    fn kind_of(&self, of: &Comparison) -> Kind {
        let Comparison { order, left, right, bits, signed } = of;
        if left.is_known() && right.is_known() {
            let (left, right) = (left.known(), right.known());
            let typed = |value: i64| as_type(i128::from(value), *bits, *signed);
            return Kind::Known(mask_of(|lane| order.holds(typed(left[lane]), typed(right[lane]))));
        }
        if let (Some(one), Some(two)) = (self.fits(left, *bits, *signed), self.fits(right, *bits, *signed)) {
            let holds = |order: Relation| match order {
                Relation::Equal => false,
                Relation::NotEqual => one.1 < two.0 || one.0 > two.1,
                Relation::Less => one.1 < two.0,
                Relation::LessEqual => one.1 <= two.0,
                Relation::Greater => one.0 > two.1,
                Relation::GreaterEqual => one.0 >= two.1,
            };
            let (always, never) = (holds(*order), holds(order.denied()));
            if always || never {
                return Kind::Known(if always { u32::MAX } else { 0 });
            }
            if order.is_ordered()
                && !(self.is_uniform(left) && self.is_uniform(right))
                && let Some(difference) = left.minus(right)
                && !self.has_lane_atom(&difference)
            {
                return Kind::Threshold(Box::new(difference.known()), self.among(&difference));
            }
        }
        if self.is_uniform(left) && self.is_uniform(right) { Kind::Uniform } else { Kind::Any }
    }

    /// An operation on two predicates.
    pub(super) fn both(&self, logic: Logic, one: Kind, two: Kind) -> Kind {
        if let (Kind::Known(one), Kind::Known(two)) = (&one, &two) {
            return Kind::Known(match logic {
                Logic::And => one & two,
                Logic::Or => one | two,
                Logic::Xor => one ^ two,
            });
        }
        for kind in [&one, &two] {
            match (logic, kind.decided(self.mask)) {
                (Logic::And, Some(false)) => return Kind::Known(0),
                (Logic::Or, Some(true)) => return Kind::Known(u32::MAX),
                _ => {}
            }
        }
        match (one.is_uniform(self.mask), two.is_uniform(self.mask)) {
            (true, true) => Kind::Uniform,
            (true, false) if matches!(two, Kind::Threshold(..)) => two,
            (false, true) if matches!(one, Kind::Threshold(..)) => one,
            _ => Kind::Any,
        }
    }
}
