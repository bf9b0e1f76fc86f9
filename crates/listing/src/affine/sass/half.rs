//! `XMAD`, with which multiprocessors up to 6.x multiply numbers of 32 bits half by half.
//!
//! `ptxas` writes a b + c as three of them: `XMAD.MRG t, a, b.H1, RZ` gives the lower half of a times the upper one of b, and above it the
//! lower half of b; `XMAD s, a, b, c` the product of the lower halves plus c; and `XMAD.PSL.CBCC d, a.H1, t.H1, s` puts them together. If
//! b has 16 bits the first is left out, and the last one is `XMAD.PSL d, a.H1, b, s`.

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::ptx_compute::product;
use crate::affine::sass::{Results, Sass};
use crate::affine::state::State;
use crate::affine::value::{Halves, Value};
use crate::isa::operand::Operand;
use crate::routine::Instruction;

impl Sass<'_> {
    /// An operand without the name of its half, and whether it is the upper one.
    fn half(&self, context: &mut Context, state: &State, one: &Operand<'_>) -> (Option<Form>, bool) {
        let text = one.text.trim_end_matches(".reuse");
        let upper = text.ends_with(".H1");
        let text = text.trim_end_matches(".H1").trim_end_matches(".reuse");
        (self.form(context, state, &Operand::new(text)), upper)
    }

    /// `XMAD`.
    pub(super) fn halves(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let [to, a, b, c] = one.operands() else { return vec![] };
        let modifiers: Vec<&str> = one.modifiers().collect();
        let value = match &modifiers[..] {
            ["MRG"] if c.is_zero() => {
                let ((Some(a), false), (Some(b), true)) =
                    (self.half(context, state, a), self.half(context, state, b))
                else {
                    return vec![];
                };
                Value::Halves(Halves::Merged(a, b).into())
            }
            [] => {
                let ((Some(a), false), (Some(b), false)) =
                    (self.half(context, state, a), self.half(context, state, b))
                else {
                    return vec![];
                };
                let Some(c) = self.form(context, state, c) else { return vec![] };
                let small = |form: &Form| context.fits(form, 16, false).is_some();
                if small(&a) && small(&b) {
                    let all = product(context, &a, &b, 32).and_then(|all| all.plus(&c));
                    Value::maybe(all.map(|all| all.modulo(32)))
                } else {
                    Value::Halves(Halves::Lower(a, b, c).into())
                }
            }
            ["PSL"] | ["PSL", "CBCC"] => {
                let (Some(a), true) = self.half(context, state, a) else { return vec![] };
                let lower = self.unsigned(context, state, c);
                if let (["PSL"], Some(lower), Some((0, 0..=0xffff))) =
                    (&modifiers[..], lower.as_form(), context.fits(&a, 16, false))
                {
                    // The upper half of a is zero.
                    return Self::result(to, Value::form(lower.clone()));
                }
                let merged = |context: &mut Context| {
                    let text =
                        b.text.trim_end_matches(".reuse").trim_end_matches(".H1").trim_end_matches(".reuse");
                    let value = self.unsigned(context, state, &Operand::new(text));
                    if let (Value::Halves(halves), true) = (value, b.text.contains(".H1")) {
                        Some(halves)
                    } else {
                        None
                    }
                };
                if let (["PSL", "CBCC"], Some(lower), Some(halves)) =
                    (&modifiers[..], lower.as_form(), merged(context))
                    && let Halves::Merged(of_a, of_b) = &*halves
                    && a == *of_a
                    && [&a, of_b].into_iter().all(|one| context.fits(one, 16, false).is_some())
                {
                    // The upper halves of both are zero.
                    return Self::result(to, Value::form(lower.clone()));
                }
                let Value::Halves(lower) = lower else { return vec![] };
                let Halves::Lower(of_a, of_b, c) = &*lower else { return vec![] };
                let same = if modifiers.len() == 1 {
                    let (b, upper) = self.half(context, state, b);
                    !upper && b.is_some_and(|b| b == *of_b && context.fits(&b, 16, false).is_some())
                } else {
                    merged(context)
                        .is_some_and(|merged| *merged == Halves::Merged(of_a.clone(), of_b.clone()))
                };
                if !same || a != *of_a {
                    return vec![];
                }
                let all = product(context, of_a, of_b, 32).and_then(|all| all.plus(c));
                Value::maybe(all.map(|all| all.modulo(32)))
            }
            _ => return vec![],
        };
        Self::result(to, value)
    }
}
