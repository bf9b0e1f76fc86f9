//! What the steps of an instruction ([`crate::lift`]) give, as values.
//!
//! What the lower halves x of a sum of pairs carry is the sum of them, as numbers without a sign, divided by 2^32. With the upper halves y
//! the sum of the pairs is the sum of x plus 2^32 times the sum of y, whichever x belongs to whichever y. Where y is the upper half of a
//! form and an x is equal to it modulo 2^32, both together are that form.

use std::rc::Rc;

use crate::affine::bits::Logic;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::ptx_compute::product;
use crate::affine::sass::registers::zero;
use crate::affine::sass::{CODE, Results, Sass, number};
use crate::affine::state::State;
use crate::affine::value::{Kind, Truth, Value};
use crate::lift::halves::part_of;
use crate::lift::sass::lift;
use crate::lift::{Bit, Flag, Lifted, Operation, Origin, Place, Relation, Sign, Special, TABLES, Term, Word};
use crate::routine::Instruction;

impl Sass<'_> {
    /// What an instruction gives, as far as that is known.
    pub(super) fn compute(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let Some(lifted) = lift(one) else { return vec![] };
        let mut steps = Steps { sass: self, state, lifted: &lifted, given: Vec::new(), whole: None };
        for step in 0..lifted.steps.len() {
            let value = steps.value_of_step(context, step);
            steps.given.push(value);
        }
        let number_of = |place: Place| match place {
            Place::Register(register) => number(register),
            Place::Code(Flag::Carry) => Some(CODE),
            Place::Code(Flag::Zero) => None,
        };
        let result = |&(place, step): &(Place, usize)| Some((number_of(place)?, steps.given[step].clone()));
        lifted.writes.iter().filter_map(result).collect()
    }

    fn special(&self, context: &mut Context, special: Special) -> Form {
        match special {
            Special::Thread(axis) => context.thread(&self.warp, self.launch, axis),
            Special::Block(axis) => context.block_index(self.launch, axis),
            Special::Threads(axis) => context.size(self.launch, false, axis),
            Special::Blocks(axis) => context.size(self.launch, true, axis),
            Special::Lane => Form::lanes(std::array::from_fn(|lane| i64::try_from(lane).unwrap_or(0))),
            // Code computes from it where the shared memory of a block in the cluster lies.
            Special::InCluster => context.any_function(&[], 32),
        }
    }
}

/// The steps of an instruction, and what those before have given.
pub(super) struct Steps<'s> {
    sass: &'s Sass<'s>,
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
            Word::Number(number) => Value::form(Form::number(i128::from(number)).modulo(32)),
            Word::Register(register) => Sass::held(self.state, register).clone(),
            Word::Constant(at) => Value::form(self.sass.word(context, at)),
            Word::Step(step) => self.given[step].clone(),
            Word::Fixed { bank, at } => Value::form(Sass::fixed(context, bank, at)),
            Word::Unknown => Value::Unknown,
        }
    }

    /// The form of a word that is read.
    pub(super) fn form(&self, context: &mut Context, term: Term) -> Option<Form> {
        let value = self.value(context, Term { sign: Sign::Plain, ..term });
        let form = Sass::lower(context, &value)?;
        Some(match term.sign {
            Sign::Plain => form,
            Sign::Negated => form.scaled(-1).modulo(32),
            Sign::Inverted => Form::number(-1).minus(&form)?.modulo(32),
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
            Origin::Predicate(register) => Sass::held(self.state, register).clone(),
            Origin::Code(Flag::Carry) => self.state.registers[CODE].clone(),
            Origin::Code(Flag::Zero) => Value::Unknown,
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
        match &lifted.steps[step] {
            Operation::Sum(terms, carry) => match part_of(&self.lifted.steps, step) {
                Some(part) => self.part(context, part),
                None => self.sum(context, terms, *carry),
            },
            Operation::Carry(terms, Bit::CLEAR) => self.carry(context, terms),
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
                    true => context.shift_left(&form?, &by, 32),
                    false => context.shift_right(form.as_ref(), &by, 32, *signed),
                }))
            }
            Operation::Logic(table, words) => {
                let forms = words.map(|word| self.form(context, word));
                Value::maybe(context.by_table(&forms, *table))
            }
            Operation::Bits(table, bits) => self.bits(context, *table, *bits),
            Operation::Select(which, of) => {
                let Some([a, b]) = self.both(context, *of) else { return Value::Unknown };
                let which = context.which(&self.bit(*which).kind());
                context.join(&Value::form(a), &Value::form(b), &which)
            }
            Operation::Extreme { least, signed, of } => {
                let both = self.both(context, *of);
                Value::maybe(both.and_then(|[a, b]| context.extreme(*least, &a, &b, (32, *signed))))
            }
            Operation::Compare { relation, signed, of } => self.compare(context, *relation, *signed, *of),
            Operation::Special(special) => Value::form(self.sass.special(context, *special)),
            Operation::SomeLane(of) => {
                let form = self.form(context, *of).filter(|form| context.is_uniform(form));
                Value::maybe(form.or_else(|| context.given((-(1 << 31), (1 << 31) - 1), 0)))
            }
            Operation::Carry(..)
            | Operation::Float { .. }
            | Operation::Reciprocal(_)
            | Operation::Truncated(_)
            | Operation::UnknownBit => Value::Unknown,
        }
    }

    fn sum(&self, context: &mut Context, terms: &[Term], carry: Bit) -> Value {
        let values: Vec<Value> = terms.iter().map(|&term| self.value(context, term)).collect();
        let values: Vec<Value> = values.into_iter().filter(|one| one.as_form() != Some(&zero())).collect();
        if carry == Bit::CLEAR {
            // What is moved stays what it is.
            if let [one] = &values[..] {
                return one.clone();
            }
            let forms: Option<Vec<Form>> = values.iter().map(|one| Sass::lower(context, one)).collect();
            let sum = forms.and_then(|forms| forms.iter().try_fold(zero(), |all, one| all.plus(one)));
            return Value::maybe(sum.map(|sum| sum.modulo(32)));
        }
        if let (&[product, high], false) = (terms, self.is_wide())
            && matches!(product.word, Word::Step(step) if matches!(self.lifted.steps[step], Operation::Product { .. }))
        {
            // The upper word of a product, to which nothing is added.
            let is_alone = high.only() == Some(0) && self.lower_of_sum(carry) == Some(0);
            return if is_alone { self.value(context, product) } else { Value::Unknown };
        }
        let Value::Carry(low) = self.bit(carry) else { return Value::Unknown };
        let sum = Sass::sum_of_pairs(context, &low, values);
        sum.map_or(Value::Unknown, |sum| Value::Upper(sum.into()))
    }

    /// The number that was added to a lower word, where a bit is the carry of that sum and the number is written in the instruction.
    fn lower_of_sum(&self, carry: Bit) -> Option<u32> {
        let Origin::Step(step) = carry.of else { return None };
        let Operation::Carry(terms, Bit::CLEAR) = &self.lifted.steps[step] else { return None };
        let &[_, low] = &terms[..] else { return None };
        low.only()
    }

    /// What two numbers carry is 0 or 1. Of a number that is subtracted the carry is another; of zero it is always 1.
    fn carry(&self, context: &mut Context, terms: &[Term]) -> Value {
        if terms.iter().any(|one| one.sign == Sign::Negated && matches!(one.only(), None | Some(0))) {
            return Value::Unknown;
        }
        let Some(forms) = self.forms(context, terms) else { return Value::Unknown };
        let numbers: Vec<Form> = forms.into_iter().filter(|form| *form != zero()).collect();
        if numbers.len() > 2 { Value::Unknown } else { Value::Carry(Rc::new(numbers)) }
    }

    /// Whether the instruction gives both words of a number of two.
    fn is_wide(&self) -> bool {
        let is_word = |place: Place| match place {
            Place::Register(register) => !register.file.is_of_predicates(),
            Place::Code(_) => false,
        };
        self.lifted.writes.iter().filter(|write| is_word(write.0)).count() > 1
    }

    fn product(&mut self, context: &mut Context, signed: bool, factors: [Term; 2], upper: bool) -> Value {
        if factors.iter().any(|one| one.only() == Some(0)) {
            return Value::form(zero());
        }
        let Some([a, b]) = self.both(context, factors) else { return Value::Unknown };
        if !self.is_wide() {
            return Value::maybe(match upper {
                true => context.upper_product(&a, &b, (32, signed)),
                false => product(context, &a, &b, 32),
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

    fn shift_left(&self, context: &mut Context, [low, high]: [Term; 2], by: u32, upper: bool) -> Value {
        if !upper {
            let form = self.form(context, low);
            let by = Form::number(by.into());
            return Value::maybe(form.and_then(|form| context.shift_left(&form, &by, 32)));
        }
        let (of_low, of_high) = (self.value(context, low), self.value(context, high));
        let Some(wide) = Sass::joined(context, &of_low, &of_high) else { return Value::Unknown };
        // The sign of a number of 32 bits is the upper half of its double, and of itself.
        let by = if by == 1 && self.is_sign(high) { 0 } else { by };
        Value::Upper(Rc::new(wide.scaled(1 << by)))
    }

    /// Whether a word is made of the sign of another.
    fn is_sign(&self, term: Term) -> bool {
        let Word::Step(step) = term.word else { return false };
        matches!(
            self.lifted.steps[step],
            Operation::Shift { left: false, signed: true, by: 63, upper: false, .. }
        )
    }

    fn shift_right(
        &self,
        context: &mut Context,
        signed: bool,
        [low, value]: [Term; 2],
        by: u32,
        upper: bool,
    ) -> Value {
        if low.only() != Some(0) {
            return Value::Unknown;
        }
        let form = self.form(context, value);
        // The sign is the upper half of the number itself.
        let by = match (upper, by) {
            (true, by) => by,
            (false, 63) => 31,
            _ => return Value::Unknown,
        };
        // It is also the upper half of the number, shifted to the left.
        if let (true, 28..32, Some(form)) = (signed, by, form.as_ref().filter(|form| !form.is_known()))
            && let Some(number) = context.extend(form, 32, true)
        {
            // The sign is the upper half of the number itself, too.
            let places = if by == 31 { 0 } else { 32 - by };
            return Value::Upper(number.scaled(1 << places).into());
        }
        Value::maybe(context.shift_right(form.as_ref(), &Form::number(by.into()), 32, signed))
    }

    fn compare(&self, context: &mut Context, relation: Relation, signed: bool, of: [Term; 2]) -> Value {
        let of_warp = |term: Term| match term.word {
            Word::Number(_) => true,
            Word::Register(register) => register.file.is_of_warp(),
            _ => false,
        };
        let [a, b] = of.map(|term| self.form(context, term));
        let value = context.compare(relation, a.as_ref(), b.as_ref(), (32, signed));
        // Whatever they hold, it is the same for all lanes.
        if value.kind() == Kind::Any && of.into_iter().all(of_warp) && context.together {
            return Value::truth(Kind::Uniform);
        }
        value
    }

    /// A function of bits. A comparison that the other bit leaves as it is stays a comparison.
    fn bits(&self, context: &Context, table: u8, bits: [Bit; 3]) -> Value {
        let [one, two, _] = TABLES;
        let values = bits.map(|bit| self.bit(bit));
        let kinds = values.each_ref().map(Value::kind);
        let logic = [(one & two, Logic::And), (one | two, Logic::Or), (one ^ two, Logic::Xor)];
        let logic = logic.into_iter().find(|(of, _)| *of == table).map(|(_, logic)| logic);
        if let Some(logic) = logic {
            let [value, _, _] = values;
            let [kind, other, _] = kinds;
            return match (logic, &other) {
                (Logic::And, Kind::Known(u32::MAX)) | (Logic::Or | Logic::Xor, Kind::Known(0)) => value,
                _ => Value::truth(context.both(logic, kind, other)),
            };
        }
        let known =
            kinds.each_ref().map(|kind| if let Kind::Known(mask) = kind { Some(*mask) } else { None });
        let kind = match known {
            [Some(a), Some(b), Some(c)] => Kind::Known(by_bits([a, b, c], table)),
            _ if kinds.iter().all(|kind| kind.is_uniform(context.mask)) => Kind::Uniform,
            _ => Kind::Any,
        };
        Value::Truth(Rc::new(Truth { kind, of: None }))
    }
}

/// What a table of three bits gives for each bit of three numbers.
fn by_bits(of: [u32; 3], table: u8) -> u32 {
    (0..32).fold(0, |all, bit| {
        let index = of.iter().fold(0, |index, one| index << 1 | one >> bit & 1);
        all | (u32::from(table) >> index & 1) << bit
    })
}
