//! The instructions of SASS that read and write memory, or let lanes exchange numbers.

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::ptx::memory::loaded;
use crate::affine::run::Access;
use crate::affine::sass::{Results, Sass, number};
use crate::affine::state::State;
use crate::affine::words::{lower, zero};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::register::Register;
use warpspan_isa::row::Space;

impl Sass<'_> {
    /// What a memory instruction gives. What it accesses is noted.
    pub(super) fn memory(
        &self,
        context: &mut Context,
        state: &State,
        one: &Instruction<'_>,
        accesses: &mut Vec<Access>,
    ) -> Results {
        let name = one.name();
        let space = match name {
            "LDG" | "STG" | "ATOMG" | "REDG" => Space::Global,
            // Before 7.x atomic operations without a result are of global memory only.
            "LDS" | "STS" | "ATOMS" => Space::Shared,
            "LDGSTS" => return self.copy(context, state, one, accesses),
            _ => return vec![],
        };
        let atomic = matches!(name, "ATOMG" | "REDG" | "ATOMS");
        let Some((bytes, bits, signed)) = width(one) else { return vec![] };
        let Some(operand) = one.operands().iter().find(|one| one.is_address()) else { return vec![] };
        let address = self.address(context, state, operand.text, space, one.has_modifier("E"));
        let (at, mask) = (context.at, context.mask);
        accesses.push(Access { at, space, atomic, bytes, address: address.clone(), mask, certain: false });
        if matches!(name, "STG" | "STS" | "REDG") {
            return vec![];
        }
        let result = one.operands().iter().find(|one| !one.is_predicate());
        let Some(register) = result.and_then(|one| one.register()).and_then(number) else { return vec![] };
        let read_only = one.has_any(&["CONSTANT", "CI"]);
        (0..(bytes as usize).div_ceil(4))
            .map(|word| {
                let value =
                    loaded(context, (address.as_ref(), read_only, atomic), (bits, signed || bits >= 32));
                (register + word, value)
            })
            .collect()
    }

    /// An asynchronous copy: its places in shared and in global memory.
    fn copy(
        &self,
        context: &mut Context,
        state: &State,
        one: &Instruction<'_>,
        accesses: &mut Vec<Access>,
    ) -> Results {
        let Some((bytes, ..)) = width(one) else { return vec![] };
        let mut addresses = one.operands().iter().filter(|one| one.is_address());
        let (Some(to), Some(from)) = (addresses.next(), addresses.next()) else { return vec![] };
        for (operand, space) in [(from, Space::Global), (to, Space::Shared)] {
            let address = self.address(context, state, operand.text, space, one.has_modifier("E"));
            let (at, mask) = (context.at, context.mask);
            accesses.push(Access { at, space, atomic: false, bytes, address, mask, certain: false });
        }
        vec![]
    }

    /// The address in the last brackets of an operand.
    fn address(
        &self,
        context: &mut Context,
        state: &State,
        text: &str,
        space: Space,
        wide: bool,
    ) -> Option<Form> {
        let inside = text.rsplit_once('[')?.1.split(']').next()?;
        let mut sum = zero();
        for part in inside.split('+').map(str::trim) {
            let digits = part.trim_start_matches('-');
            if let Some(hex) = digits.strip_prefix("0x") {
                let number = i128::from(u32::from_str_radix(hex, 16).ok()?);
                sum = sum.plus(&Form::number(if part.starts_with('-') { -number } else { number }))?;
                continue;
            }
            let (name, kind) = part.split_once('.').unwrap_or((part, ""));
            if matches!(name, "RZ" | "URZ") {
                continue;
            }
            let register = Register::of(name)?;
            let form = match (space, kind) {
                (Space::Shared, _) => {
                    let form = lower(context, Self::held(state, register))?;
                    let by = match kind {
                        "" => 1,
                        "X4" => 4,
                        "X8" => 8,
                        "X16" => 16,
                        _ => return None,
                    };
                    form.scaled(by)
                }
                (_, "64") => Self::pair(context, state, register)?,
                (_, "" | "reuse") if wide => Self::pair(context, state, register)?,
                (_, "U32") => {
                    let form = lower(context, Self::held(state, register))?;
                    context.extend(&form, 32, false)?
                }
                _ => return None,
            };
            sum = sum.plus(&form)?;
        }
        Some(if space == Space::Shared { sum.modulo(32) } else { sum })
    }
}

/// The bytes of a lane, and the bits and the sign of what a register gets; none if a modifier may say otherwise.
pub(in crate::affine) fn width(one: &Instruction<'_>) -> Option<(u32, u32, bool)> {
    let mut found = (4, 32, false);
    for modifier in one.modifiers() {
        found = match modifier {
            "U8" => (1, 8, false),
            "S8" => (1, 8, true),
            "U16" => (2, 16, false),
            "S16" => (2, 16, true),
            "64" | "F64" | "S64" | "U64" | "B64" => (8, 32, false),
            "128" | "B128" => (16, 32, false),
            "256" | "B256" | "ENL2" => return None,
            _ => continue,
        };
    }
    Some(found)
}
