//! What operands of SASS hold.

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::sass::{Sass, number};
use crate::affine::state::State;
use crate::affine::value::{Kind, Value};
use crate::flow::Interval;
use crate::isa::operand::{self, Operand, constant_address};
use crate::isa::register::Register;

/// The zero of a form.
pub(super) fn zero() -> Form {
    Form::default()
}

/// Whether it is a word of a constant bank at an address that is written there: `c[0x2][0x10]`.
fn is_fixed(text: &str) -> bool {
    let inside = text.strip_prefix("c[0x").and_then(|text| text.strip_suffix(']'));
    let halves = inside.and_then(|text| text.split_once("][0x"));
    halves.is_some_and(|(bank, at)| [bank, at].iter().all(|one| u32::from_str_radix(one, 16).is_ok()))
}

impl Sass<'_> {
    /// What a register holds.
    pub(super) fn held(state: &State, register: Register) -> &Value {
        number(register).and_then(|number| state.registers.get(number)).unwrap_or(&Value::Unknown)
    }

    /// The 32 bits at a byte of the constant bank 0.
    pub(super) fn word(&self, context: &mut Context, at: u32) -> Form {
        // What stands at a multiple of 8 may be the lower half of a pair.
        let end = if at.is_multiple_of(8) { (0, 1_i128 << 32) } else { (-(1 << 31), 1 << 31) };
        let known = self.launch.word(at).unwrap_or(Interval::new(end.0, end.1 - 1));
        context.parameter(at as usize, Some(known), 32)
    }

    /// The value of an operand of 32 bits, without its sign.
    pub(super) fn unsigned(&self, context: &mut Context, state: &State, one: &Operand<'_>) -> Value {
        match one.kind {
            operand::Kind::Zero(_) => Value::form(zero()),
            operand::Kind::Number(number) => Value::form(Form::number(i128::from(number)).modulo(32)),
            operand::Kind::Register { register, whole: true } => Self::held(state, register).clone(),
            operand::Kind::Register { .. } if one.names_code && one.text.ends_with(".CC") => {
                one.register().map_or(Value::Unknown, |register| Self::held(state, register).clone())
            }
            operand::Kind::Address { .. } => {
                let text: String = one.unsigned().chars().filter(|c| *c != ' ').collect();
                match constant_address(&text).or_else(|| one.constant()) {
                    Some(at) if !text.contains('R') || text.contains("[RZ]") => {
                        Value::form(self.word(context, at))
                    }
                    _ if is_fixed(&text) => Value::form(context.any_function(&[], 32)),
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }

    /// The form of an operand of 32 bits.
    pub(super) fn form(&self, context: &mut Context, state: &State, one: &Operand<'_>) -> Option<Form> {
        let value = self.unsigned(context, state, one);
        let form = Self::lower(context, &value)?;
        Some(match one.sign {
            None => form,
            Some('-') => form.scaled(-1).modulo(32),
            Some('~') => Form::number(-1).minus(&form)?.modulo(32),
            Some(_) => return None,
        })
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

    /// The number of 64 bits that an operand holds.
    pub(super) fn wide(&self, context: &mut Context, state: &State, one: &Operand<'_>) -> Option<Form> {
        if one.sign.is_some() {
            return None;
        }
        match one.kind {
            operand::Kind::Zero(_) => Some(zero()),
            operand::Kind::Number(number) => Some(Form::number(i128::from(number))),
            operand::Kind::Register { register, whole: true } => Self::pair(context, state, register),
            operand::Kind::Address { .. } => {
                let at = one.constant()?;
                let (low, high) = (self.word(context, at), self.word(context, at + 4));
                Self::joined(context, &Value::form(low), &Value::form(high))
            }
            _ => None,
        }
    }

    /// For which lanes a predicate operand holds.
    pub(super) fn kind(state: &State, one: &Operand<'_>) -> Kind {
        let kind = match one.kind {
            operand::Kind::True(_) => Kind::Known(u32::MAX),
            operand::Kind::Register { register, .. } => Self::held(state, register).kind(),
            _ => Kind::Any,
        };
        if one.sign == Some('!') { kind.not() } else { kind }
    }

    /// A register of 32 bits, and what it gets.
    pub(super) fn result(one: &Operand<'_>, value: Value) -> Vec<(usize, Value)> {
        one.register().and_then(number).map(|number| (number, value)).into_iter().collect()
    }

    /// A pair of registers, and what it gets.
    pub(super) fn result_pair(one: &Operand<'_>, form: Option<Form>) -> Vec<(usize, Value)> {
        let (Some(register), Some(form)) = (one.register(), form) else { return vec![] };
        let Some(first) = number(register) else { return vec![] };
        vec![(first, Value::form(form.modulo(32))), (first + 1, Value::Upper(form.into()))]
    }
}
