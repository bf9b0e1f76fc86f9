//! What registers of SASS hold, alone and as pairs.

use crate::affine::atom::Key;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::sass::{Sass, number};
use crate::affine::state::State;
use crate::affine::value::Value;
use crate::flow::Interval;
use crate::isa::register::Register;

/// The zero of a form.
pub(super) fn zero() -> Form {
    Form::default()
}

impl Sass<'_> {
    /// What a register holds.
    pub(super) fn held(state: &State, register: Register) -> &Value {
        number(register).and_then(|number| state.registers.get(number)).unwrap_or(&Value::Unknown)
    }

    /// The word of constant bank 0 that begins at a byte.
    pub(super) fn word(&self, context: &mut Context, at: u32) -> Form {
        let known = self.launch.word(at).unwrap_or(Self::any_word(at));
        context.parameter(at as usize, Some(known), 32)
    }

    /// The word of another constant bank that begins at a byte. Nothing writes it while a kernel runs.
    pub(super) fn fixed(context: &mut Context, bank: u32, at: u32) -> Form {
        context.unknown(Key::Fixed { bank, at }, Self::any_word(at))
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
                let upper = context.shift_right(Some(form), &Form::number(32), 64, true)?;
                Some(upper.modulo(32))
            }
            _ => None,
        }
    }

    /// The number of 64 bits of two halves.
    pub(super) fn joined(context: &mut Context, low: &Value, high: &Value) -> Option<Form> {
        let low = Self::lower(context, low)?;
        if let Value::Upper(form) = high
            && low.equals(form, 32)
        {
            return Some((**form).clone());
        }
        let high = Self::lower(context, high)?;
        context.extend(&low, 32, false)?.plus(&high.scaled(1 << 32))
    }

    /// The register behind one.
    pub(super) const fn behind(register: Register) -> Register {
        Register { number: register.number + 1, ..register }
    }

    /// The number of 64 bits that a register and the one behind it hold.
    pub(super) fn pair(context: &mut Context, state: &State, register: Register) -> Option<Form> {
        let (low, high) =
            (Self::held(state, register).clone(), Self::held(state, Self::behind(register)).clone());
        Self::joined(context, &low, &high)
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
            sum = sum.plus(&Self::lower(context, &value)?.scaled(1 << 32))?;
        }
        Some(sum)
    }
}
