//! Products of 32 bits that `XMAD` makes half by half, as values.

use std::rc::Rc;

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::steps::{Steps, product};
use crate::affine::value::{Halves, Value};
use warpspan_lift::halves::Part;

impl Steps<'_> {
    /// A part of a product that is made half by half.
    pub(super) fn part(&self, context: &mut Context, part: Part) -> Value {
        let small = |context: &Context, form: &Form| context.fits(form, 16, false).is_some();
        let whole = |context: &mut Context, a: &Form, b: &Form, c: &Form| {
            let all = product(context, a, b, 32).and_then(|all| all.plus(c));
            Value::maybe(all.map(|all| all.modulo(32)))
        };
        match part {
            Part::Crossed(a, b) => match self.both(context, [a, b]) {
                Some([a, b]) => Value::Halves(Halves::Merged(a, b).into()),
                None => Value::Unknown,
            },
            Part::Lower(a, b, c) => {
                let (Some([a, b]), Some(c)) = (self.both(context, [a, b]), self.form(context, c)) else {
                    return Value::Unknown;
                };
                if small(context, &a) && small(context, &b) {
                    return whole(context, &a, &b, &c);
                }
                Value::Halves(Halves::Lower(a, b, c).into())
            }
            Part::Short(a, b, c) => {
                let (Some(a), lower) = (self.form(context, a), self.value(context, c)) else {
                    return Value::Unknown;
                };
                match &lower {
                    // The upper half of a is zero.
                    Value::Form(lower) if small(context, &a) => Value::Form(Rc::clone(lower)),
                    Value::Halves(halves) => match (&**halves, self.form(context, b)) {
                        (Halves::Lower(of_a, of_b, c), Some(b))
                            if a == *of_a && b == *of_b && small(context, &b) =>
                        {
                            whole(context, of_a, of_b, c)
                        }
                        _ => Value::Unknown,
                    },
                    _ => Value::Unknown,
                }
            }
            Part::Whole(a, merged, c) => {
                let (Some(a), Value::Halves(merged)) = (self.form(context, a), self.value(context, merged))
                else {
                    return Value::Unknown;
                };
                let Halves::Merged(of_a, of_b) = &*merged else { return Value::Unknown };
                if a != *of_a {
                    return Value::Unknown;
                }
                match &self.value(context, c) {
                    // The upper halves of both are zero.
                    Value::Form(lower) if small(context, &a) && small(context, of_b) => {
                        Value::Form(Rc::clone(lower))
                    }
                    Value::Halves(halves) => match &**halves {
                        Halves::Lower(one, two, c) if (one, two) == (of_a, of_b) => {
                            whole(context, one, two, c)
                        }
                        _ => Value::Unknown,
                    },
                    _ => Value::Unknown,
                }
            }
            Part::LowerByUpper(..) | Part::Chained(..) | Part::Upper(..) | Part::UpperWord(..) => {
                Value::Unknown
            }
        }
    }
}
