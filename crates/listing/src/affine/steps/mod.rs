//! What the steps of an instruction ([`warpspan_lift`]) give, as values.
//!
//! | file | is |
//! |---|---|
//! | `sums`, `halves` | sums, carries and products; products made half by half |
//! | `shifts`, `conversions` | words of numbers of two that are shifted; numbers in more or fewer bits |
//! | `bits`, `tables` | comparisons, and functions of bits; functions of the bits of three words |

mod bits;
mod conversions;
mod halves;
mod shifts;
mod sums;
mod tables;

use std::rc::Rc;

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::launched::Warp;
use crate::affine::state::State;
use crate::affine::steps::conversions::{convert, reversed};
use crate::affine::value::{Kind, Value};
use crate::affine::words::{fixed, lower, word, zero};
use crate::float;
use crate::params::Launch;
use warpspan_lift::halves::part_of;
use warpspan_lift::{Bit, Lifted, Operation, Origin, Place, Sign, Special, Term, Word};

/// Where the steps of an instruction read from.
pub(super) trait Reads {
    /// What a register, a predicate or a part of the condition code holds.
    fn held<'s>(&self, state: &'s State, place: Place) -> &'s Value;
    /// What a symbol of PTX stands for, if it is a symbol.
    fn symbol(&self, context: &mut Context, name: usize) -> Option<Form>;
    /// What a parameter of the kernel holds from a byte on, as so many bits.
    fn parameter(&self, context: &mut Context, name: usize, byte: u32, bits: u32) -> Option<Form>;
    /// A number that stands in the instruction.
    fn number(&self, number: i128) -> Form;
    /// The launch, and the warp of it that executes the instruction.
    fn launch(&self) -> (&Launch, &Warp);
}

/// What an instruction gives: each place that it writes, with its value.
pub(super) fn results(
    of: &dyn Reads,
    context: &mut Context,
    state: &State,
    lifted: &Lifted,
) -> Vec<(Place, Value)> {
    let mut steps = Steps { of, state, lifted, given: Vec::new(), whole: None };
    for step in 0..lifted.steps.len() {
        let value = steps.value_of_step(context, step);
        steps.given.push(value);
    }
    lifted.writes.iter().map(|&(place, step)| (place, steps.given[step].clone())).collect()
}

/// What a special register holds.
fn special(context: &mut Context, (launch, warp): (&Launch, &Warp), special: Special) -> Form {
    match special {
        Special::Thread(axis) => context.thread(warp, launch, axis),
        Special::Block(axis) => context.block_index(launch, axis),
        Special::Threads(axis) => context.size(launch, false, axis),
        Special::Blocks(axis) => context.size(launch, true, axis),
        Special::Lane => Form::lanes(std::array::from_fn(|lane| i64::try_from(lane).unwrap_or(0))),
        // Code computes from it where the shared memory of a block in the cluster lies.
        Special::InCluster => context.any_function(&[], 32),
    }
}

/// The product of two numbers, in this many bits.
pub(super) fn product(context: &mut Context, one: &Form, two: &Form, bits: u32) -> Option<Form> {
    if let Some(product) = context.times(one, two) {
        return Some(product.modulo(bits));
    }
    let same = context.is_uniform(one) && context.is_uniform(two);
    same.then(|| context.any_function(&[one, two], bits))
}

/// The steps of an instruction, and what those before have given.
pub(super) struct Steps<'s> {
    of: &'s dyn Reads,
    state: &'s State,
    lifted: &'s Lifted,
    given: Vec<Value>,
    /// The product of two words, once its lower one is given.
    whole: Option<Form>,
}

impl Steps<'_> {
    /// A word that is read.
    pub(super) fn value(&self, context: &mut Context, term: Term) -> Value {
        if term.sign != Sign::Plain {
            return Value::maybe(self.form(context, term));
        }
        match term.word {
            Word::Number(number) => Value::form(self.of.number(number)),
            Word::Register(register) => self.of.held(self.state, Place::Register(register)).clone(),
            Word::Named(name) => match self.of.symbol(context, name) {
                Some(symbol) => Value::form(symbol),
                None => self.of.held(self.state, Place::Named(name)).clone(),
            },
            Word::Literal => Value::form(context.any_function(&[], self.lifted.bits)),
            Word::Constant(at) => Value::form(word(context, self.of.launch().0, at)),
            Word::Step(step) => self.given[step].clone(),
            Word::Fixed { bank, at } => Value::form(fixed(context, bank, at)),
            Word::Unknown => Value::Unknown,
        }
    }

    /// The form of a word that is read.
    pub(super) fn form(&self, context: &mut Context, term: Term) -> Option<Form> {
        let value = self.value(context, Term { sign: Sign::Plain, ..term });
        let form = lower(context, &value)?;
        Some(match term.sign {
            Sign::Plain => form,
            Sign::Negated => form.scaled(-1).modulo(self.lifted.bits),
            Sign::Inverted => Form::number(-1).minus(&form)?.modulo(self.lifted.bits),
        })
    }

    fn forms(&self, context: &mut Context, terms: &[Term]) -> Option<Vec<Form>> {
        terms.iter().map(|&term| self.form(context, term)).collect()
    }

    pub(super) fn both(&self, context: &mut Context, [a, b]: [Term; 2]) -> Option<[Form; 2]> {
        Some([self.form(context, a)?, self.form(context, b)?])
    }

    /// What a bit is.
    fn bit(&self, bit: Bit) -> Value {
        let value = match bit.of {
            Origin::Set => Value::truth(Kind::Known(u32::MAX)),
            Origin::Predicate(register) => self.of.held(self.state, Place::Register(register)).clone(),
            Origin::Named(name) => self.of.held(self.state, Place::Named(name)).clone(),
            Origin::Code(flag) => self.of.held(self.state, Place::Code(flag)).clone(),
            Origin::Step(step) => self.given[step].clone(),
        };
        match value {
            Value::Truth(_) if bit.negated => Value::truth(value.kind().not()),
            _ if bit.negated => Value::Unknown,
            value => value,
        }
    }

    fn value_of_step(&mut self, context: &mut Context, step: usize) -> Value {
        let lifted = self.lifted;
        let bits = lifted.bits;
        match &lifted.steps[step] {
            Operation::Sum(terms, carry) => match part_of(&self.lifted.steps, step) {
                Some(part) => self.part(context, part),
                None => self.sum(context, terms, *carry),
            },
            Operation::Carry(terms, Bit::CLEAR) => {
                let Some(mut numbers) = self.carried(context, terms) else { return Value::Unknown };
                numbers.retain(|form| *form != zero());
                // What two numbers carry is 0 or 1.
                if numbers.len() > 2 { Value::Unknown } else { Value::Carry(Rc::new(numbers)) }
            }
            // Which carry is which may depend on the places of the words, so that zeros count.
            Operation::OneCarry(terms, which) => match self.carried(context, terms) {
                Some(numbers) => Value::OneCarry(Rc::new(numbers), *which),
                None => Value::Unknown,
            },
            Operation::SumOfCarries(terms, carries) => self.sum_of_carries(context, terms, *carries),
            Operation::Product { signed, factors, upper } => self.product(context, *signed, *factors, *upper),
            Operation::Shift { left: true, words, by, upper, .. } => {
                self.shift_left(context, *words, *by, *upper)
            }
            Operation::Shift { left: false, signed, words, by, upper } => {
                self.shift_right(context, *signed, *words, *by, *upper)
            }
            Operation::ShiftBy { left, signed, of, by } => {
                let (form, by) = (self.form(context, *of), self.form(context, *by));
                Value::maybe(by.and_then(|by| match left {
                    true => context.shift_left(&form?, &by, bits),
                    false => context.shift_right(form.as_ref(), &by, bits, *signed),
                }))
            }
            Operation::Logic(table, words) => {
                let forms = words.map(|word| self.form(context, word));
                Value::maybe(context.by_table(&forms, *table, bits))
            }
            Operation::Bits(table, bits) => self.bits(context, *table, *bits),
            Operation::Select(which, of) => {
                let Some([a, b]) = self.both(context, *of) else { return Value::Unknown };
                let which = context.which(&self.bit(*which));
                context.join(&Value::form(a), &Value::form(b), &which)
            }
            Operation::Extreme { least, signed, of } => {
                let both = self.both(context, *of);
                Value::maybe(both.and_then(|[a, b]| context.extreme(*least, &a, &b, (bits, *signed))))
            }
            Operation::Compare { relation, signed, of } => self.compare(context, *relation, *signed, *of),
            // A number with a sign that is widened is not that of its bits.
            Operation::Parameter { number: (bits, signed), .. } if *signed && *bits < 32 => Value::Unknown,
            Operation::Parameter { name, byte, number: (bits, _) } => {
                Value::maybe(self.of.parameter(context, *name, *byte, *bits))
            }
            Operation::Special(of) => Value::form(special(context, self.of.launch(), *of)),
            Operation::SomeLane(of) => {
                let form = self.form(context, *of).filter(|form| context.is_uniform(form));
                Value::maybe(form.or_else(|| context.given((-(1 << 31), (1 << 31) - 1), 0)))
            }
            Operation::WideProduct { signed, factors: of } => {
                let both = self.both(context, *of);
                let of_half = |context: &mut Context, form: &Form| context.extend(form, bits / 2, *signed);
                let product = both.and_then(|[a, b]| {
                    let (a, b) = (of_half(context, &a)?, of_half(context, &b)?);
                    product(context, &a, &b, bits)
                });
                self.or_function(context, product, of)
            }
            Operation::Quotient { signed, of, remainder } => {
                let both = self.both(context, *of);
                let found = both.and_then(|[a, b]| context.divide(*remainder, &a, &b, (bits, *signed)));
                self.or_function(context, found, of)
            }
            Operation::Convert { from, signed, of } => {
                let form = self.form(context, *of);
                let found = convert(context, form.as_ref(), *from, (bits, *signed));
                self.or_function(context, found, &[*of])
            }
            Operation::Extract { signed, of, at, length } => {
                let found = self.extract(context, *signed, *of, [*at, *length]);
                self.or_function(context, found, &[*of, *at, *length])
            }
            Operation::Magnitude(of) => {
                let form = self.form(context, *of);
                let is_own = |form: &Form| context.fits(form, bits, true).is_some_and(|range| range.0 >= 0);
                let found = form.filter(is_own);
                self.or_function(context, found, &[*of])
            }
            Operation::Reverse(of) => {
                let form = self.form(context, *of).filter(Form::is_known);
                let found =
                    form.map(|form| form.map(|table| table.map(|one| reversed(one, bits))).modulo(bits));
                self.or_function(context, found, &[*of])
            }
            Operation::Ones(of) | Operation::Zeros(of) => {
                let most = i128::from(bits);
                let form = self.form(context, *of).filter(|form| context.is_uniform(form));
                Value::maybe(match form {
                    Some(form) => Some(context.function(&[&form], (0, most), 0)),
                    None => context.any_of_lane(0, most),
                })
            }
            Operation::Function(of) => self.or_function(context, None, of),
            Operation::Test(of) => {
                let forms = self.forms(context, of);
                let same = forms.is_some_and(|forms| forms.iter().all(|form| context.is_uniform(form)));
                Value::truth(if same { Kind::Uniform } else { Kind::Any })
            }
            Operation::Float { signed, of } => {
                let integer = self.form(context, *of);
                let fits = integer.as_ref().is_some_and(|form| context.fits(form, bits, *signed).is_some());
                Value::maybe(context.of_float(integer.filter(|_| fits), float::of_integers))
            }
            Operation::Reciprocal(of) => {
                let number = self.form(context, *of);
                Value::maybe(context.of_float(number, float::reciprocals))
            }
            Operation::Truncated(of) => {
                let number = self.form(context, *of);
                Value::maybe(context.of_float(number, float::truncated))
            }
            Operation::Carry(..) | Operation::UnknownBit => Value::Unknown,
        }
    }

    /// What is found, or else a function of what is read, where that is the same for all lanes.
    fn or_function(&self, context: &mut Context, found: Option<Form>, of: &[Term]) -> Value {
        let found = found.or_else(|| {
            let forms = self.forms(context, of)?;
            let of: Vec<&Form> = forms.iter().collect();
            let same = of.iter().all(|form| context.is_uniform(form));
            same.then(|| context.any_function(&of, self.lifted.bits.max(32)))
        });
        Value::maybe(found)
    }
}
