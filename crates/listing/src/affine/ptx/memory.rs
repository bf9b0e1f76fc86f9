//! The instructions of PTX that read and write memory, or let lanes exchange numbers.

use crate::affine::context::{Context, limits};
use crate::affine::form::Form;
use crate::affine::ptx::names::Ptx;
use crate::affine::run::Access;
use crate::affine::state::State;
use crate::affine::value::{Kind, Value};
use warpspan_isa::exchange::Given;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{OfLane, copied, of_lane};
use warpspan_isa::ptx_operand::Operand;
use warpspan_isa::row::Space;

/// What a memory instruction gives. What it accesses is noted.
pub(super) fn step(
    ptx: &Ptx<'_>,
    context: &mut Context,
    state: &State,
    one: &Instruction<'_>,
    accesses: &mut Vec<Access>,
) -> Vec<Value> {
    let mut addresses = one.ptx_operands().iter().filter_map(|one| one.address);
    let Some(first) = addresses.next() else { return vec![] };
    if let (Some(bytes), Some(from)) = (copied(one), addresses.next()) {
        for (text, space) in [(from, Space::Global), (first, Space::Shared)] {
            let address = ptx.sum(context, state, text);
            accesses.push(Access::new(context, space, (false, bytes), address));
        }
        return vec![];
    }
    let Some(of_lane) = of_lane(one) else { return vec![] };
    let OfLane { is_common, is_atomic, is_read_only, number: (bits, signed), .. } = of_lane;
    let address = ptx.sum(context, state, first);
    if let Some(space) = of_lane.space {
        accesses.push(Access::new(context, space, (is_atomic, of_lane.bytes), address.clone()));
    }
    let results = one.ptx_operands().first().filter(|_| of_lane.gives);
    let names = results.map(|results| &results.names[..]).unwrap_or_default();
    let address = address.filter(|_| is_common);
    // A register that is wider is filled by the number that was read. The bits of one of 32 are a number with a sign or one without.
    let signed = signed || bits >= 32 && !names.iter().any(|name| ptx.is_wider(name, bits));
    let of = (address.as_ref(), is_read_only, is_atomic);
    names.iter().map(|_| loaded(context, of, (bits, signed))).collect()
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

/// What lanes get from one another, and `mask` says which of them take part.
pub(super) fn exchange(
    ptx: &Ptx<'_>,
    context: &mut Context,
    state: &State,
    (gives, mask): (Given<'_, '_>, Option<&Operand<'_>>),
) -> Vec<Value> {
    let (least, end) = limits(32, true);
    let is_uniform = |context: &mut Context, operand: &Operand<'_>| {
        ptx.sum(context, state, operand.text).is_some_and(|form| context.is_uniform(&form))
    };
    // Lanes whose masks differ are groups of their own, which get numbers of their own.
    let same_mask = mask.is_none_or(|mask| mask.number.is_some() || is_uniform(context, mask));
    let is_given = match gives {
        Given::Answer => {
            let uniform = same_mask && context.together;
            return vec![Value::truth(if uniform { Kind::Uniform } else { Kind::Any })];
        }
        Given::Same => true,
        Given::OfLane(lane) => is_uniform(context, lane),
        Given::Own => false,
    };
    let given = context.given((least, end - 1), 0).filter(|_| same_mask && is_given);
    vec![Value::maybe(given), Value::truth(Kind::Any)]
}
