//! The instructions of SASS that read and write memory, or let lanes exchange numbers.

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::ptx::memory::loaded;
use crate::affine::run::Access;
use crate::affine::sass::{Results, Sass, number};
use crate::affine::state::State;
use crate::affine::words::{lower, zero};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::has_wide_addresses;
use warpspan_isa::memory::{OfLane, copied, of_lane};
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
        let mut addresses = one.operands().iter().filter(|one| one.is_address()).map(|one| one.text);
        let Some(first) = addresses.next() else { return vec![] };
        let wide = has_wide_addresses(one);
        if let (Some(bytes), Some(from)) = (copied(one), addresses.next()) {
            for (text, space) in [(from, Space::Global), (first, Space::Shared)] {
                let address = self.address(context, state, text, space, wide);
                accesses.push(Access::new(context, space, (false, bytes), address));
            }
            return vec![];
        }
        let Some(OfLane {
            space: Some(space),
            is_atomic,
            is_read_only,
            gives,
            bytes,
            number: (bits, signed),
            ..
        }) = of_lane(one)
        else {
            return vec![];
        };
        let address = self.address(context, state, first, space, wide);
        accesses.push(Access::new(context, space, (is_atomic, bytes), address.clone()));
        let result = one.operands().iter().find(|one| !one.is_predicate()).filter(|_| gives);
        let Some(register) = result.and_then(|one| one.register()).and_then(number) else { return vec![] };
        let of = (address.as_ref(), is_read_only, is_atomic);
        (0..(bytes as usize).div_ceil(4))
            .map(|word| (register + word, loaded(context, of, (bits, signed || bits >= 32))))
            .collect()
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
