//! Words of 32 bits, alone and as the halves of numbers of 64.

use crate::affine::atom::Key;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::lanes::{Lanes, twos};
use crate::affine::value::Value;
use crate::interval::Interval;
use crate::params::Launch;

/// The zero of a form.
pub(super) fn zero() -> Form {
    Form::default()
}

/// The word of constant bank 0 that begins at a byte.
pub(super) fn word(context: &mut Context, launch: &Launch, at: u32) -> Form {
    let known = launch.word(at).unwrap_or(any_word(at));
    context.parameter(at as usize, Some(known), 32)
}

/// The word of another constant bank that begins at a byte. Nothing writes it while a kernel runs.
pub(super) fn fixed(context: &mut Context, bank: u32, at: u32) -> Form {
    context.unknown(Key::Fixed { bank, at }, any_word(at))
}

/// What stands at a multiple of 8 may be the lower half of a pair.
fn any_word(at: u32) -> Interval {
    let (low, end) = if at.is_multiple_of(8) { (0, 1_i128 << 32) } else { (-(1 << 31), 1 << 31) };
    Interval::new(low, end - 1)
}

/// The form of what a register of 32 bits holds.
pub(super) fn lower(context: &mut Context, value: &Value) -> Option<Form> {
    match value {
        Value::Form(form) => Some((**form).clone()),
        Value::Upper(form) => {
            // Multiples of 2^32 are added to the upper half alone.
            let is_above = |table: &Lanes| table.iter().all(|&one| twos(one) >= 32);
            let (above, rest): (Vec<_>, Vec<_>) = form
                .terms()
                .map(|(product, table)| (product, *table))
                .partition(|(_, table)| is_above(table));
            let above = Form::from_terms(above).map(|table| table.map(|one| one >> 32));
            let upper = context.shift_right(Some(&Form::from_terms(rest)), &Form::number(32), 64, true)?;
            Some(upper.plus(&above)?.modulo(32))
        }
        _ => None,
    }
}

/// The upper half of a number, plus a word.
pub(super) fn upper(number: Form, plus: &Form) -> Option<Value> {
    Some(Value::Upper(number.plus(&plus.scaled(1 << 32))?.into()))
}

/// The number of 64 bits of two halves.
pub(super) fn joined(context: &mut Context, low: &Value, high: &Value) -> Option<Form> {
    let low = lower(context, low)?;
    if let Value::Upper(form) = high
        && low.equals(form, 32)
    {
        return Some((**form).clone());
    }
    let high = lower(context, high)?;
    context.extend(&low, 32, false)?.plus(&high.scaled(1 << 32))
}

/// The sum of pairs, from the lower halves and the upper ones.
pub(super) fn sum_of_pairs(context: &mut Context, low: &[Form], high: Vec<Value>) -> Option<Form> {
    let mut low: Vec<Form> = low.to_vec();
    let mut sum = zero();
    let mut rest = Vec::new();
    for value in high {
        if let Value::Upper(form) = &value
            && let Some(at) = low.iter().position(|one| one.equals(form, 32))
        {
            low.remove(at);
            sum = sum.plus(form)?;
        } else if let Value::Upper(form) = &value
            && context.fits(form, 32, true).is_some()
            && let Some(at) = low.iter().position(|one| one.equals(&form.scaled(2), 32))
        {
            // The upper half of a number of 32 bits is that of its double, too: its sign.
            low.remove(at);
            sum = sum.plus(&form.scaled(2))?;
        } else {
            rest.push(value);
        }
    }
    for one in &low {
        sum = sum.plus(&context.extend(one, 32, false)?)?;
    }
    for value in rest {
        sum = sum.plus(&lower(context, &value)?.scaled(1 << 32))?;
    }
    Some(sum)
}
