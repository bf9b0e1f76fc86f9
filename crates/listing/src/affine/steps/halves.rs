//! Products that `XMAD` makes half by half, as values: the lower word, and the upper one of numbers without a sign.

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::steps::{Steps, product};
use crate::affine::value::{Halves, Value};
use crate::affine::words::{upper, zero};
use warpspan_lift::Term;
use warpspan_lift::halves::Part;

impl Steps<'_> {
    /// A part of a product that is made half by half.
    pub(super) fn part(&self, context: &mut Context, part: Part) -> Value {
        self.known_part(context, part).unwrap_or(Value::Unknown)
    }

    fn known_part(&self, context: &mut Context, part: Part) -> Option<Value> {
        let halves = |of: Halves| Value::Halves(of.into());
        Some(match part {
            Part::Crossed(a, b) => {
                let [a, b] = self.both(context, [a, b])?;
                halves(Halves::Merged(a, b))
            }
            Part::LowerByUpper(a, b) => {
                let [a, b] = self.both(context, [a, b])?;
                halves(Halves::LowerByUpper(a, b))
            }
            Part::Upper(a, b, c) => {
                let ([a, b], c) = (self.both(context, [a, b])?, self.form(context, c)?);
                halves(Halves::Upper(a, b, c))
            }
            Part::Lower(a, b, c) => {
                let ([a, b], c) = (self.both(context, [a, b])?, self.form(context, c)?);
                if is_half(context, &a) && is_half(context, &b) {
                    return whole(context, &a, &b, &c);
                }
                halves(Halves::Lower(a, b, c))
            }
            Part::Short(a, b, c) => {
                let a = self.form(context, a)?;
                let lower = self.value(context, c);
                if lower.as_form().is_some() && is_half(context, &a) {
                    return Some(lower);
                }
                let b = self.form(context, b)?;
                let Halves::Lower(of_a, of_b, c) = part_in(&lower)? else { return None };
                let same = a == *of_a && b == *of_b && is_half(context, &b);
                return same.then(|| whole(context, of_a, of_b, c))?;
            }
            Part::Whole(a, merged, c) => {
                let (a, merged) = (self.form(context, a)?, self.value(context, merged));
                let Halves::Merged(of_a, b) = part_in(&merged)? else { return None };
                let lower = self.value(context, c);
                if a != *of_a {
                    return None;
                }
                if lower.as_form().is_some() && is_half(context, &a) && is_half(context, b) {
                    return Some(lower);
                }
                let Halves::Lower(one, two, c) = part_in(&lower)? else { return None };
                return ((one, two) == (of_a, b)).then(|| whole(context, one, two, c))?;
            }
            Part::Chained(a, b, lower) => {
                let ([a, b], lower) = (self.both(context, [a, b])?, self.value(context, lower));
                let is_lower = match &lower {
                    Value::Halves(of) => **of == Halves::Lower(a.clone(), b.clone(), zero()),
                    // The upper halves of both are zero.
                    Value::Form(lower) => {
                        is_half(context, &a)
                            && is_half(context, &b)
                            && product(context, &a, &b, 32).as_ref() == Some(lower)
                    }
                    _ => false,
                };
                is_lower.then(|| halves(Halves::Chained(a, b)))?
            }
            Part::UpperWord(words, c) => return self.upper_word(context, words, c),
        })
    }

    /// The upper word of a product, from both products of an upper half and a lower one, and that of the upper halves.
    fn upper_word(&self, context: &mut Context, words: [Term; 2], c: Term) -> Option<Value> {
        let [one, two] = words.map(|word| self.value(context, word));
        let (a, b) = match (part_in(&one)?, part_in(&two)?) {
            (Halves::Chained(a, b), Halves::LowerByUpper(of_a, of_b))
            | (Halves::LowerByUpper(of_a, of_b), Halves::Chained(a, b))
                if (a, b) == (of_a, of_b) =>
            {
                (a, b)
            }
            _ => return None,
        };
        let c = self.value(context, c);
        let Halves::Upper(of_a, of_b, added) = part_in(&c)? else { return None };
        if (a, b) != (of_a, of_b) {
            return None;
        }
        if let Some(word) = context.reciprocal(a, b) {
            return Some(Value::form(context.rest(word.plus(added)?.modulo(32), 32)));
        }
        let [a, b] = [context.extend(a, 32, false)?, context.extend(b, 32, false)?];
        upper(product(context, &a, &b, 64)?, added)
    }
}

/// Whether a number has no upper half.
fn is_half(context: &Context, form: &Form) -> bool {
    context.fits(form, 16, false).is_some()
}

fn part_in(value: &Value) -> Option<&Halves> {
    if let Value::Halves(halves) = value { Some(halves) } else { None }
}

/// The lower word of a b + c.
fn whole(context: &mut Context, a: &Form, b: &Form, c: &Form) -> Option<Value> {
    let all = product(context, a, b, 32)?.plus(c)?;
    Some(Value::form(context.rest(all.modulo(32), 32)))
}
