//! Sums, their carries and products.
//!
//! What the lower halves x of a sum of pairs carry is the sum of them, as numbers without a sign, divided by 2^32. With the upper halves y
//! the sum of the pairs is the sum of x plus 2^32 times the sum of y, whichever x belongs to whichever y. Where y is the upper half of a
//! form and an x is equal to it modulo 2^32, both together are that form.

use std::rc::Rc;

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::steps::{Steps, product};
use crate::affine::value::Value;
use crate::affine::words::{lower, sum_of_pairs, upper, zero};
use warpspan_lift::{Bit, Operation, Origin, Place, Sign, Term, Word};

/// The upper word of a sum of pairs, from the lower words and the upper ones.
fn upper_sum(context: &mut Context, low: &[Form], high: Vec<Value>) -> Value {
    sum_of_pairs(context, low, high).map_or(Value::Unknown, |sum| Value::Upper(sum.into()))
}

impl Steps<'_> {
    pub(super) fn sum(&self, context: &mut Context, terms: &[Term], carry: Bit) -> Value {
        let values = self.addends(context, terms);
        if carry == Bit::CLEAR {
            // What is moved stays what it is.
            if let [one] = &values[..] {
                return match one {
                    Value::Form(form) if terms.len() > 1 => Value::form(form.modulo(self.lifted.bits)),
                    one => one.clone(),
                };
            }
            return self.sum_of(context, values).unwrap_or(Value::Unknown);
        }
        if let (&[product, high], false) = (terms, self.is_wide())
            && matches!(product.word, Word::Step(step) if matches!(self.lifted.steps[step], Operation::Product { .. }))
        {
            // The upper word of a product, to the lower word of which nothing is added.
            let is_alone = self.lower_of_sum(carry).and_then(|low| self.form(context, low)) == Some(zero());
            let values = [product, high].map(|term| self.value(context, term));
            let sum = if is_alone { self.sum_of(context, values.to_vec()) } else { None };
            return sum.unwrap_or(Value::Unknown);
        }
        let Value::Carry(low) = self.bit(carry) else { return Value::Unknown };
        upper_sum(context, &low, values)
    }

    fn sum_of(&self, context: &mut Context, mut values: Vec<Value>) -> Option<Value> {
        // What is added to the upper half of a number is added to it 2^32 times. The sign of a word is better known as a word.
        let is_half =
            |one: &Value| matches!(one, Value::Upper(number) if context.fits(number, 33, true).is_none());
        let half = values.iter().position(is_half);
        let half = half.map(|at| values.remove(at));
        let words: Option<Vec<Form>> = values.iter().map(|one| lower(context, one)).collect();
        let sum = words?.iter().try_fold(zero(), |all, one| all.plus(one))?;
        match half {
            Some(Value::Upper(number)) => upper((*number).clone(), &sum),
            _ => Some(Value::form(context.rest(sum.modulo(self.lifted.bits), self.lifted.bits))),
        }
    }

    /// What is added, without zeros.
    fn addends(&self, context: &mut Context, terms: &[Term]) -> Vec<Value> {
        let values: Vec<Value> = terms.iter().map(|&term| self.value(context, term)).collect();
        values.into_iter().filter(|one| one.as_form() != Some(&zero())).collect()
    }

    /// What was added to a lower word, where a bit is the carry of that sum.
    fn lower_of_sum(&self, carry: Bit) -> Option<Term> {
        let Origin::Step(step) = carry.of else { return None };
        let Operation::Carry(terms, Bit::CLEAR) = &self.lifted.steps[step] else { return None };
        let &[_, low] = &terms[..] else { return None };
        Some(low)
    }

    /// A sum of upper words and of both bits that the lower ones carry.
    pub(super) fn sum_of_carries(&self, context: &mut Context, terms: &[Term], carries: [Bit; 2]) -> Value {
        let [Value::OneCarry(low, one), Value::OneCarry(same, two)] = carries.map(|carry| self.bit(carry))
        else {
            return Value::Unknown;
        };
        if one == two || low != same {
            return Value::Unknown;
        }
        let values = self.addends(context, terms);
        upper_sum(context, &low, values)
    }

    /// The numbers of a sum of lower words. Of a number that is subtracted the carry is another; of zero it is always 1.
    pub(super) fn carried(&self, context: &mut Context, terms: &[Term]) -> Option<Vec<Form>> {
        if terms.iter().any(|one| one.sign == Sign::Negated && matches!(one.only(), None | Some(0))) {
            return None;
        }
        self.forms(context, terms)
    }

    /// Whether the instruction gives both words of a number of two.
    fn is_wide(&self) -> bool {
        let is_word = |place: Place| match place {
            Place::Register(register) => !register.file.is_of_predicates(),
            Place::Code(_) | Place::Named(_) => false,
        };
        self.lifted.writes.iter().filter(|write| is_word(write.0)).count() > 1
    }

    pub(super) fn product(
        &mut self,
        context: &mut Context,
        signed: bool,
        factors: [Term; 2],
        upper: bool,
    ) -> Value {
        if factors.iter().any(|one| one.only() == Some(0)) {
            return Value::form(zero());
        }
        let Some([a, b]) = self.both(context, factors) else { return Value::Unknown };
        if !self.is_wide() {
            return Value::maybe(match upper {
                true => context.upper_product(&a, &b, (self.lifted.bits, signed)),
                false => product(context, &a, &b, self.lifted.bits),
            });
        }
        // Both words are of one number, whose unknown parts are the same.
        if !upper {
            let of_64 = |context: &mut Context, form: &Form| context.extend(form, 32, signed);
            let (a, b) = (of_64(context, &a), of_64(context, &b));
            self.whole = a.zip(b).and_then(|(a, b)| product(context, &a, &b, 64));
        }
        match &self.whole {
            None => Value::Unknown,
            Some(whole) if upper => Value::Upper(Rc::new(whole.clone())),
            Some(whole) => Value::form(whole.modulo(32)),
        }
    }
}
