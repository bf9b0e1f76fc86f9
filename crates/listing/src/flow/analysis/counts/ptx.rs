//! What an instruction of PTX writes. What is not lifted may write anything to the registers that it may write.

use crate::flow::analysis::counts::effect::Effect;
use crate::flow::analysis::counts::lifted::{loaded, understood};
use crate::params::Launch;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::ptx_names::{every_name, written};
use warpspan_lift::ptx::lift;

/// What an instruction writes.
pub(super) fn effect<'a>(instruction: &Instruction<'a>, launch: &Launch) -> Effect<'a> {
    let names = written(instruction);
    let mut effect = Effect::unknown(names);
    loaded(&mut effect.writes, instruction);
    if let Some(lifted) = lift(instruction) {
        let names: Vec<&str> = every_name(instruction).collect();
        understood(&mut effect.writes, &lifted, (&names, launch));
    }
    effect
}
