//! Numbers in more or fewer bits.

use crate::affine::bits::Logic;
use crate::affine::context::{Context, limits};
use crate::affine::form::Form;
use crate::affine::steps::Steps;
use warpspan_lift::Term;

impl Steps<'_> {
    /// Some bits of a number, where it is known which.
    pub(super) fn extract(
        &self,
        context: &mut Context,
        signed: bool,
        of: Term,
        [at, length]: [Term; 2],
    ) -> Option<Form> {
        let bits = self.lifted.bits;
        let (form, [at, length]) = (self.form(context, of), self.both(context, [at, length])?);
        let known = u32::try_from(context.constant(&length)?).ok().filter(|&known| known < bits)?;
        // Only the low eight bits of the place count.
        let place = context.constant(&at).filter(|place| (0..256).contains(place))?;
        if let Some(form) = form
            .as_ref()
            .filter(|form| place == 0 && known > 0 && context.fits(form, known, signed).is_some())
        {
            return Some(form.clone());
        }
        if signed {
            return None;
        }
        let shifted = context.shift_right(form.as_ref(), &at, bits, false);
        let mask = Form::number((1 << known) - 1);
        context.logic(Logic::And, shifted.as_ref(), Some(&mask), bits)
    }
}

/// A number of a type, as one of another type.
pub(super) fn convert(
    context: &mut Context,
    form: Option<&Form>,
    (from, from_signed): (u32, bool),
    (to, to_signed): (u32, bool),
) -> Option<Form> {
    let any = |context: &mut Context, bits: u32, signed: bool| {
        let (least, end) = limits(bits, signed);
        if bits < 32 { context.any_of_lane(least, end - 1) } else { None }
    };
    let number = match form {
        Some(form) => context.extend(&form.modulo(from), from, from_signed),
        None => any(context, from, from_signed),
    };
    if to >= from {
        return number.map(|form| form.modulo(to));
    }
    match number {
        Some(form) if to >= 32 => Some(form.modulo(to)),
        Some(form) => context.extend(&form.modulo(to), to, to_signed),
        None => any(context, to, to_signed),
    }
}

/// The lower bits of a number in reverse order.
pub(super) fn reversed(value: i64, bits: u32) -> i64 {
    let bytes = u64::from_le_bytes(value.to_le_bytes());
    Form::number(i128::from(bytes.reverse_bits() >> (64 - bits))).known()[0]
}
