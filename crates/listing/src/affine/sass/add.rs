//! Sums of SASS, with what is carried from the lower halves to the upper ones.
//!
//! What the lower halves x carry is the sum of them, as numbers without a sign, divided by 2^32. With the upper halves y the sum of the pairs
//! is the sum of x plus 2^32 times the sum of y, whichever x belongs to whichever y. Where y is the upper half of a form and
//! an x is equal to it modulo 2^32, both together are that form.

use std::rc::Rc;

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::sass::operands::zero;
use crate::affine::sass::{CODE, Results, Sass, number};
use crate::affine::state::State;
use crate::affine::value::Value;
use crate::isa::operand::Operand;
use crate::routine::Instruction;

impl Sass<'_> {
    /// `IADD3`, `UIADD3`, `IADD`, `IADD32I`, `VIADD`, `IMAD.IADD` and their like.
    pub(super) fn sum(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let operands = one.operands();
        let Some((first, rest)) = operands.split_first() else { return vec![] };
        let outs = rest.iter().take_while(|one| one.is_predicate()).count();
        let (carried, rest) = rest.split_at(outs);
        let terms: Vec<&Operand<'_>> = rest.iter().take_while(|one| !one.is_predicate()).collect();
        let ins: Vec<&Operand<'_>> = rest[terms.len()..].iter().collect();
        if one.has_any(&["RS", "LS", "PO"]) {
            return vec![];
        }
        if one.has_modifier("X") {
            let carry = match &ins[..] {
                [] => state.registers[CODE].clone(),
                [carry] => Self::carry(state, carry),
                [carry, none] if none.is_always(false) => Self::carry(state, carry),
                _ => return vec![],
            };
            let Value::Carry(low) = carry else { return vec![] };
            let high: Vec<Value> = terms
                .iter()
                .filter(|one| !one.is_zero())
                .map(|one| self.signed(context, state, one))
                .collect();
            let sum = Self::sum_of_pairs(context, &low, high);
            return sum.map_or(vec![], |sum| Self::result(first, Value::Upper(sum.into())));
        }
        let forms: Option<Vec<Form>> = terms.iter().map(|one| self.form(context, state, one)).collect();
        let Some(forms) = forms else { return vec![] };
        let sum = forms.iter().try_fold(zero(), |all, one| all.plus(one));
        let mut results = Self::result(first, Value::maybe(sum.map(|sum| sum.modulo(32))));
        let numbers: Vec<Form> = forms.into_iter().filter(|form| *form != zero()).collect();
        // What two numbers carry is 0 or 1. Of a number that is subtracted the carry is another.
        let plain = terms
            .iter()
            .all(|one| one.sign != Some('-') || matches!(one.kind, crate::isa::operand::Kind::Number(_)));
        if plain && numbers.len() <= 2 {
            results.extend(Self::carries(first, carried, numbers));
        }
        results
    }

    /// What holds a carry, and which.
    pub(super) fn carries(first: &Operand<'_>, carried: &[Operand<'_>], numbers: Vec<Form>) -> Results {
        let carry = Value::Carry(Rc::new(numbers));
        let mut results: Results = Vec::new();
        if let [one, ..] = carried
            && let Some(register) = one.predicate().and_then(number)
        {
            results.push((register, carry.clone()));
        }
        if first.names_code {
            results.push((CODE, carry));
        }
        results
    }

    /// The carry that a predicate is.
    pub(super) fn carry(state: &State, one: &Operand<'_>) -> Value {
        match one.predicate() {
            Some(register) => Self::held(state, register).clone(),
            None if one.is_always(false) => Value::Carry(Rc::new(vec![])),
            None => Value::Unknown,
        }
    }

    /// The value of an operand with its sign.
    pub(super) fn signed(&self, context: &mut Context, state: &State, one: &Operand<'_>) -> Value {
        match one.sign {
            None => self.unsigned(context, state, one),
            Some(_) => Value::maybe(self.form(context, state, one)),
        }
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

    /// `LEA` and `ULEA`, `ISCADD`: a number times a power of two, and another.
    pub(super) fn scaled_sum(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let Some((first, rest)) = one.operands().split_first() else { return vec![] };
        let outs = rest.iter().take_while(|one| one.is_predicate()).count();
        let (carried, rest) = rest.split_at(outs);
        let ins = rest.iter().position(|one| one.is_predicate()).unwrap_or(rest.len());
        let (terms, ins) = rest.split_at(ins);
        let by = |one: &Operand<'_>| match one.kind {
            crate::isa::operand::Kind::Number(by) if by < 32 && one.sign.is_none() => Some(i64::from(by)),
            _ => None,
        };
        if !one.has_modifier("HI") {
            let [a, b, by_operand] = terms else { return vec![] };
            let (Some(a), Some(b), Some(by)) =
                (self.form(context, state, a), self.form(context, state, b), by(by_operand))
            else {
                return vec![];
            };
            let scaled = a.scaled(1 << by).modulo(32);
            let sum = scaled.plus(&b).map(|sum| sum.modulo(32));
            let mut results = Self::result(first, Value::maybe(sum));
            results.extend(Self::carries(
                first,
                carried,
                vec![scaled, b].into_iter().filter(|one| *one != zero()).collect(),
            ));
            return results;
        }
        // The upper half of a pair that is shifted, and a number.
        let wide = match terms {
            [a, _, by_operand] if one.has_modifier("SX32") => {
                let a = self.form(context, state, a);
                let number = a.and_then(|a| context.extend(&a, 32, true));
                number.zip(by(by_operand))
            }
            [a, _, c, by_operand] => {
                let (low, high) = (self.signed(context, state, a), self.signed(context, state, c));
                Self::joined(context, &low, &high).zip(by(by_operand))
            }
            // Up to 6.x the operand is left out.
            _ => None,
        };
        let Some((wide, by)) = wide else { return vec![] };
        // The sign of a number of 32 bits is the upper half of its double, and of itself.
        let by = if one.has_modifier("SX32") && by == 1 { 0 } else { by };
        let shifted = wide.scaled(1 << by);
        let b = self.signed(context, state, &terms[1]);
        let upper = Value::Upper(Rc::new(shifted));
        if one.has_modifier("X") {
            let carry = match ins {
                [] => state.registers[CODE].clone(),
                [carry, ..] => Self::carry(state, carry),
            };
            let Value::Carry(low) = carry else { return vec![] };
            let high = [upper, b].into_iter().filter(|one| one.as_form() != Some(&zero())).collect();
            let sum = Self::sum_of_pairs(context, &low, high);
            return sum.map_or(vec![], |sum| Self::result(first, Value::Upper(sum.into())));
        }
        let sum =
            Self::lower(context, &upper).zip(Self::lower(context, &b)).and_then(|(one, two)| one.plus(&two));
        Self::result(first, Value::maybe(sum.map(|sum| sum.modulo(32))))
    }
}
