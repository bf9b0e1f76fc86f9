//! The instructions of PTX that compute.

use std::rc::Rc;

use crate::affine::bits::Logic;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::ptx::{Ptx, Source, integer_type, logic_of};
use crate::affine::state::State;
use crate::affine::value::{Kind, Truth, Value};
use crate::isa::ptx::row;
use crate::isa::ptx_operand::Operand;
use crate::lift::Relation;
use crate::routine::Instruction;

/// What an instruction gives, in the order of the registers that it writes.
pub(super) fn step(ptx: &Ptx<'_>, context: &mut Context, state: &State, one: &Instruction<'_>) -> Vec<Value> {
    let operands = one.ptx_operands();
    let Some((first, sources)) = operands.split_first() else { return vec![] };
    let parts: Vec<&str> = one.opcode.split('.').collect();
    let last = parts.last().copied().unwrap_or_default();
    match (parts[0], last) {
        ("setp", _) => return compare(ptx, context, state, (&parts, sources)),
        ("selp", _) => return vec![select(ptx, context, state, sources)],
        ("and" | "or" | "xor" | "not" | "mov", "pred") => {
            return vec![logic(ptx, context, state, (parts[0], sources))];
        }
        _ => {}
    }
    if first.text.contains('{') || sources.iter().any(|one| one.text.contains('{')) || parts.contains(&"cc") {
        return vec![];
    }
    let all: Vec<Source> = sources.iter().map(|one| ptx.source(context, state, one)).collect();
    let forms: Vec<Option<&Form>> =
        all.iter().map(|one| if let Source::Form(form) = one { Some(form) } else { None }).collect();
    if let Some(found) = integer(context, &parts, &forms) {
        return vec![Value::maybe(found)];
    }
    // Whatever it computes, it is a function of its operands.
    let computes = row(parts[0]).is_some_and(|row| row.computes) && parts[0] != "testp";
    let same = all.iter().all(|one| match one {
        Source::Form(form) => context.is_uniform(form),
        Source::Literal => true,
        Source::Unknown => false,
    });
    // The type of the result is not always the last one: `cvt.s64.f32`, `mul.wide.s32`.
    let is_wide = parts.iter().any(|part| part.ends_with("64") || *part == "wide");
    let bits = if is_wide { 64 } else { 32 };
    let args: Vec<&Form> = forms.iter().flatten().copied().collect();
    vec![if computes && same { Value::form(context.any_function(&args, bits)) } else { Value::Unknown }]
}

/// What an instruction on integers gives; none if it is not one of those that are looked into.
fn integer(context: &mut Context, parts: &[&str], forms: &[Option<&Form>]) -> Option<Option<Form>> {
    let name = parts[0];
    if name == "cvt" {
        return convert(context, parts, forms.first().copied().flatten());
    }
    let kind @ (bits, signed) = integer_type(parts.last()?)?;
    if parts.contains(&"sat") {
        return None;
    }
    let one = forms.first().copied().flatten();
    let two = forms.get(1).copied().flatten();
    let three = forms.get(2).copied().flatten();
    let both = one.zip(two);
    let has = |part: &str| parts.contains(&part);
    Some(match name {
        "mov" if forms.len() == 1 => one.cloned(),
        // Global memory begins at zero of all memory. Where the others lie is not known.
        "cvta" if has("global") => one.cloned(),
        "cvta" => one?.plus(&context.any_function(&[], bits)),
        "add" => both.and_then(|(one, two)| one.plus(two)).map(|sum| sum.modulo(bits)),
        "sub" => both.and_then(|(one, two)| one.minus(two)).map(|sum| sum.modulo(bits)),
        "neg" => one.map(|one| one.scaled(-1).modulo(bits)),
        "not" => one.and_then(|one| Form::number(-1).minus(one)).map(|form| form.modulo(bits)),
        "abs" => {
            let one = one.filter(|one| context.fits(one, bits, true).is_some_and(|range| range.0 >= 0));
            return one.map(|one| Some(one.clone()));
        }
        "mul" | "mad" if has("wide") => {
            let (one, two) = both?;
            let (one, two) = (context.extend(one, bits, signed)?, context.extend(two, bits, signed)?);
            let product = product(context, &one, &two, 2 * bits);
            if name == "mul" { product } else { product?.plus(three?).map(|sum| sum.modulo(2 * bits)) }
        }
        "mul" | "mad" if has("hi") => {
            let (one, two) = both?;
            let product = context.upper_product(one, two, kind);
            if name == "mul" { product } else { product?.plus(three?).map(|sum| sum.modulo(bits)) }
        }
        "mul" | "mad" | "mul24" | "mad24" if has("lo") => {
            let (one, two) = both?;
            let small = |form: &Form| context.fits(form, 24, signed).is_some();
            if name.ends_with("24") && !(small(one) && small(two)) {
                return None;
            }
            let product = product(context, one, two, bits);
            if name.starts_with("mul") { product } else { product?.plus(three?).map(|sum| sum.modulo(bits)) }
        }
        "shl" => both.and_then(|(one, two)| context.shift_left(one, two, bits)),
        "shr" => context.shift_right(one, two?, bits, signed),
        "and" | "or" | "xor" => context.logic(logic_of(name)?, one, two, bits),
        "min" | "max" if has("relu") => None,
        "min" | "max" => both.and_then(|(one, two)| context.extreme(name == "min", one, two, kind)),
        "div" | "rem" => both.and_then(|(one, two)| context.divide(name == "rem", one, two, kind)),
        "bfe" if !signed => {
            let length = u32::try_from(context.constant(three?)?).ok().filter(|&length| length < bits)?;
            // Only the low eight bits of the position count.
            context.constant(two?).filter(|position| (0..256).contains(position))?;
            let shifted = context.shift_right(one, two?, bits, false);
            let mask = Form::number((1 << length) - 1);
            context.logic(Logic::And, shifted.as_ref(), Some(&mask), bits)
        }
        "brev" => {
            let one = one.filter(|one| one.is_known())?;
            let reversed = |value: i64| {
                let bytes = u64::from_le_bytes(value.to_le_bytes());
                Form::number(i128::from(bytes.reverse_bits() >> (64 - bits))).known()[0]
            };
            Some(one.map(|table| table.map(reversed)).modulo(bits))
        }
        "popc" | "clz" => match one.filter(|one| context.is_uniform(one)) {
            Some(one) => Some(context.function(&[one], (0, i128::from(bits)), 0)),
            None => context.any_of_lane(0, i128::from(bits)),
        },
        _ => return None,
    })
}

/// The product of two numbers, of so many bits.
pub(super) fn product(context: &mut Context, one: &Form, two: &Form, bits: u32) -> Option<Form> {
    if let Some(product) = context.times(one, two) {
        return Some(product.modulo(bits));
    }
    let same = context.is_uniform(one) && context.is_uniform(two);
    same.then(|| context.any_function(&[one, two], bits))
}

/// A conversion between integers.
fn convert(context: &mut Context, parts: &[&str], form: Option<&Form>) -> Option<Option<Form>> {
    let types: Vec<(u32, bool)> = parts.iter().skip(1).filter_map(|part| integer_type(part)).collect();
    let [(to, to_signed), (from, from_signed)] = types[..] else { return None };
    if parts.contains(&"sat") || parts.len() != 3 {
        return None;
    }
    let any = |context: &mut Context, bits: u32, signed: bool| {
        let (least, end) = crate::affine::context::limits(bits, signed);
        if bits < 32 { context.any_of_lane(least, end - 1) } else { None }
    };
    let number = match form {
        Some(form) => context.extend(&form.modulo(from), from, from_signed),
        None => any(context, from, from_signed),
    };
    if to >= from {
        return Some(number.map(|form| form.modulo(to)));
    }
    Some(match number {
        Some(form) if to >= 32 => Some(form.modulo(to)),
        Some(form) => context.extend(&form.modulo(to), to, to_signed),
        None => any(context, to, to_signed),
    })
}

fn compare(
    ptx: &Ptx<'_>,
    context: &mut Context,
    state: &State,
    (parts, sources): (&[&str], &[Operand<'_>]),
) -> Vec<Value> {
    let all: Vec<Source> = sources.iter().take(2).map(|one| ptx.source(context, state, one)).collect();
    let [left, right] = &all[..] else { return vec![] };
    let kind = parts.last().and_then(|part| integer_type(part));
    let value = match (kind, Relation::of(parts[1]), left, right) {
        (Some(kind), Some(order), Source::Form(left), Source::Form(right)) => {
            context.compare(order, Some(left), Some(right), kind)
        }
        _ => {
            let same = all.iter().all(|one| match one {
                Source::Form(form) => context.is_uniform(form),
                Source::Literal => true,
                Source::Unknown => false,
            });
            Value::truth(if same { Kind::Uniform } else { Kind::Any })
        }
    };
    if let Some(third) = sources.get(2) {
        let other = ptx.kind(state, third);
        let logic = parts.iter().find_map(|part| logic_of(part)).unwrap_or(Logic::And);
        let both = |kind: Kind| Value::truth(context.both(logic, kind, other.clone()));
        return vec![both(value.kind()), both(value.kind().not())];
    }
    let opposite = match &value {
        Value::Truth(truth) => Value::Truth(Rc::new(Truth { kind: truth.kind.clone().not(), of: None })),
        _ => Value::Unknown,
    };
    vec![value, opposite]
}

fn select(ptx: &Ptx<'_>, context: &mut Context, state: &State, sources: &[Operand<'_>]) -> Value {
    let [one, two, predicate] = sources else { return Value::Unknown };
    let kind = ptx.kind(state, predicate);
    let (one, two) = (ptx.form(context, state, one), ptx.form(context, state, two));
    let which = context.which(&kind);
    let known = one.zip(two);
    known.map_or(Value::Unknown, |(one, two)| context.join(&Value::form(one), &Value::form(two), &which))
}

fn logic(
    ptx: &Ptx<'_>,
    context: &mut Context,
    state: &State,
    (name, sources): (&str, &[Operand<'_>]),
) -> Value {
    let kinds: Vec<Kind> = sources.iter().map(|one| ptx.kind(state, one)).collect();
    match (logic_of(name), &kinds[..]) {
        (None, [one]) if name == "not" => Value::truth(one.clone().not()),
        (None, [one]) => Value::truth(one.clone()),
        (Some(logic), [one, two]) => Value::truth(context.both(logic, one.clone(), two.clone())),
        _ => Value::Unknown,
    }
}
