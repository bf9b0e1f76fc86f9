//! What registers of SASS hold, alone and as pairs.

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::sass::{Sass, number};
use crate::affine::state::State;
use crate::affine::value::Value;
use crate::affine::words::joined;
use warpspan_isa::register::Register;

impl Sass<'_> {
    /// What a register holds.
    pub(super) fn held(state: &State, register: Register) -> &Value {
        number(register).and_then(|number| state.registers.get(number)).unwrap_or(&Value::Unknown)
    }

    /// The register behind one.
    pub(super) const fn behind(register: Register) -> Register {
        Register { number: register.number + 1, ..register }
    }

    /// The number of 64 bits that a register and the one behind it hold.
    pub(super) fn pair(context: &mut Context, state: &State, register: Register) -> Option<Form> {
        let (low, high) =
            (Self::held(state, register).clone(), Self::held(state, Self::behind(register)).clone());
        joined(context, &low, &high)
    }
}
