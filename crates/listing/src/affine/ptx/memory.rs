//! The instructions of PTX that read and write memory, or let lanes exchange numbers.

use crate::affine::context::{Context, limits};
use crate::affine::form::Form;
use crate::affine::ptx::names::Ptx;
use crate::affine::run::Access;
use crate::affine::state::State;
use crate::affine::value::{Kind, Value};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::ptx_operand::{Operand, literal};
use warpspan_isa::row::Space;
use warpspan_lift::ptx::integer_type;

/// What a memory instruction gives. What it accesses is noted.
pub(super) fn step(
    ptx: &Ptx<'_>,
    context: &mut Context,
    state: &State,
    one: &Instruction<'_>,
    accesses: &mut Vec<Access>,
) -> Vec<Value> {
    let parts: Vec<&str> = one.opcode.split('.').collect();
    let has = |wanted: &str| {
        parts.iter().skip(1).any(|part| *part == wanted || part.split("::").next() == Some(wanted))
    };
    let addresses: Vec<&Operand<'_>> =
        one.ptx_operands().iter().filter(|one| one.address.is_some()).collect();
    if parts[0] == "cp" {
        copy(ptx, context, state, (one, &addresses), accesses);
        return vec![];
    }
    let Some(first) = addresses.first() else { return vec![] };
    let typed = parts.iter().rev().find_map(|part| type_of(part));
    let Some((bits, signed)) = typed else { return vec![] };
    // A register that is wider is filled by the number that was read.
    let names = one.ptx_operands().first().map(|first| &first.names[..]).unwrap_or_default();
    let is_wider = names.iter().any(|name| ptx.is_wider(name, bits));
    if has("param") {
        // A number with a sign that is widened is not that of its bits.
        let whole = parts[0] == "ld" && bits <= 64 && !(signed && bits < 32);
        if !whole {
            return vec![];
        }
        let held = parameter(ptx, context, first, bits);
        return vec![match held {
            Value::Form(form) if is_wider => Value::maybe(context.extend(&form, bits, signed)),
            held => held,
        }];
    }
    let vector =
        parts.iter().filter_map(|part| part.strip_prefix('v')?.parse::<u32>().ok()).max().unwrap_or(1);
    let address = first.address.and_then(|text| ptx.sum(context, state, text));
    let atomic = matches!(parts[0], "atom" | "red");
    let space = if parts.contains(&"shared::cluster") {
        None
    } else if has("shared") {
        Some(Space::Shared)
    } else if has("global") {
        Some(Space::Global)
    } else {
        None
    };
    if let Some(space) = space {
        let (at, mask) = (context.at, context.mask);
        let address = address.clone();
        accesses.push(Access { at, space, atomic, bytes: bits / 8 * vector, address, mask, certain: false });
    }
    if parts[0] == "st" || parts[0] == "red" {
        return vec![];
    }
    // Local memory is each thread's own, and an address without a space may be one of it.
    let shared_by_lanes = ["global", "shared", "const"].into_iter().any(has);
    let address = address.filter(|_| shared_by_lanes);
    let read_only = has("nc") || has("const") || parts[0] == "ldu";
    let count = one.ptx_operands().first().map_or(1, |first| first.names.len());
    // The bits of a register of 32 are a number with a sign or one without.
    let signed = signed || bits >= 32 && !is_wider;
    (0..count).map(|_| loaded(context, (address.as_ref(), read_only, atomic), (bits, signed))).collect()
}

/// What a load gives.
pub(in crate::affine) fn loaded(
    context: &mut Context,
    (address, read_only, atomic): (Option<&Form>, bool, bool),
    (bits, signed): (u32, bool),
) -> Value {
    // A register of 128 bits is no number.
    if bits > 64 {
        return Value::Unknown;
    }
    let (least, end) = limits(bits, signed);
    if let Some(address) = address.filter(|address| !atomic && context.is_uniform(address)) {
        if read_only {
            return Value::form(context.function(&[address], (least, end - 1), 0));
        }
        // Another thread may have written between the loads of lanes that were apart.
        if let Some(given) = context.given((least, end - 1), 0) {
            return Value::form(given);
        }
    }
    Value::maybe(if bits < 32 { context.any_of_lane(least, end - 1) } else { None })
}

/// What a load of a parameter of the kernel gives.
fn parameter(ptx: &Ptx<'_>, context: &mut Context, operand: &Operand<'_>, bits: u32) -> Value {
    let Some(text) = operand.address else { return Value::Unknown };
    let (name, offset) = text.split_once('+').unwrap_or((text, "0"));
    let (name, offset) =
        (name.trim(), literal(offset.trim()).and_then(|offset| usize::try_from(offset).ok()));
    let (Some(place), Some(offset)) = (ptx.routine.parameters.iter().position(|one| *one == name), offset)
    else {
        return Value::Unknown;
    };
    if ptx.is_doubtful(name) {
        return Value::Unknown;
    }
    let known = ptx.launch.symbol(text, bits);
    // A part of a parameter may be read in several widths.
    let number = ((place << 16) + offset) * 128 + usize::try_from(bits).unwrap_or(0);
    Value::form(context.parameter(number, known, bits))
}

/// An asynchronous copy from global to shared memory.
fn copy(
    ptx: &Ptx<'_>,
    context: &mut Context,
    state: &State,
    (one, addresses): (&Instruction<'_>, &[&Operand<'_>]),
    accesses: &mut Vec<Access>,
) {
    let [to, from, ..] = addresses else { return };
    let size = one.ptx_operands().get(2).and_then(|size| u32::try_from(size.number?).ok());
    let is_copy = one.opcode.starts_with("cp.async.ca") || one.opcode.starts_with("cp.async.cg");
    let Some(bytes) = size.filter(|size| is_copy && matches!(size, 4 | 8 | 16)) else { return };
    for (operand, space) in [(from, Space::Global), (to, Space::Shared)] {
        let address = operand.address.and_then(|text| ptx.sum(context, state, text));
        let (at, mask) = (context.at, context.mask);
        accesses.push(Access { at, space, atomic: false, bytes, address, mask, certain: false });
    }
}

/// What lanes get from one another.
pub(super) fn exchange(
    ptx: &Ptx<'_>,
    context: &mut Context,
    state: &State,
    one: &Instruction<'_>,
) -> Vec<Value> {
    let (least, end) = limits(32, true);
    // Lanes whose masks differ are groups of their own, which get numbers of their own.
    let same_mask = !one.has_modifier("sync")
        || one.ptx_operands().last().is_some_and(|mask| {
            mask.number.is_some()
                || ptx.sum(context, state, mask.text).is_some_and(|mask| context.is_uniform(&mask))
        });
    let is_given = same_mask
        && match one.name() {
            "shfl" => {
                let operands = one.ptx_operands();
                let lane = operands.get(2).and_then(|lane| ptx.sum(context, state, lane.text));
                let whole = operands.get(3).is_some_and(|clamp| clamp.number == Some(31));
                one.has_modifier("idx") && whole && lane.is_some_and(|lane| context.is_uniform(&lane))
            }
            "redux" => true,
            _ => one.has_modifier("ballot"),
        };
    if one.name() == "vote" && !one.has_modifier("ballot") {
        let uniform = same_mask && context.together;
        return vec![Value::truth(if uniform { Kind::Uniform } else { Kind::Any })];
    }
    let given = context.given((least, end - 1), 0).filter(|_| is_given);
    vec![Value::maybe(given), Value::truth(Kind::Any)]
}

/// The bits of a type of memory, and whether its numbers have a sign.
fn type_of(part: &str) -> Option<(u32, bool)> {
    match part {
        "f16" | "bf16" => Some((16, false)),
        "f32" | "f16x2" | "bf16x2" => Some((32, false)),
        "f64" => Some((64, false)),
        "b128" => Some((128, false)),
        _ => integer_type(part),
    }
}
