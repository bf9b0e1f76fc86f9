//! Words of numbers of two that are shifted.

use std::rc::Rc;

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::steps::Steps;
use crate::affine::value::Value;
use crate::affine::words::joined;
use warpspan_lift::{Operation, Term, Word};

impl Steps<'_> {
    pub(super) fn shift_left(
        &self,
        context: &mut Context,
        [low, high]: [Term; 2],
        by: u32,
        upper: bool,
    ) -> Value {
        if !upper {
            let form = self.form(context, low);
            let by = Form::number(by.into());
            return Value::maybe(form.and_then(|form| context.shift_left(&form, &by, 32)));
        }
        let (of_low, of_high) = (self.value(context, low), self.value(context, high));
        let Some(wide) = joined(context, &of_low, &of_high) else { return Value::Unknown };
        // The sign of a number of 32 bits is the upper half of its double, and of itself.
        let by = if by == 1 && self.is_sign(high) { 0 } else { by };
        Value::Upper(Rc::new(wide.scaled(1 << by)))
    }

    /// Whether a word is made of the sign of another.
    fn is_sign(&self, term: Term) -> bool {
        let Word::Step(step) = term.word else { return false };
        matches!(
            self.lifted.steps[step],
            Operation::Shift { left: false, signed: true, by: 63, upper: false, .. }
        )
    }

    pub(super) fn shift_right(
        &self,
        context: &mut Context,
        signed: bool,
        [low, value]: [Term; 2],
        by: u32,
        upper: bool,
    ) -> Value {
        if low.only() != Some(0) {
            return Value::Unknown;
        }
        let form = self.form(context, value);
        // The sign is the upper half of the number itself.
        let by = match (upper, by) {
            (true, by) => by,
            (false, 63) => 31,
            _ => return Value::Unknown,
        };
        // It is also the upper half of the number, shifted to the left.
        if let (true, 28..32, Some(form)) = (signed, by, form.as_ref().filter(|form| !form.is_known()))
            && let Some(number) = context.extend(form, 32, true)
        {
            // The sign is the upper half of the number itself, too.
            let places = if by == 31 { 0 } else { 32 - by };
            return Value::Upper(number.scaled(1 << places).into());
        }
        Value::maybe(context.shift_right(form.as_ref(), &Form::number(by.into()), 32, signed))
    }
}
