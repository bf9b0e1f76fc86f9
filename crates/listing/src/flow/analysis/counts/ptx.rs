//! What an instruction of PTX writes. What is not lifted may write anything to the registers that it may write.

use crate::flow::analysis::counts::effect::{Effect, Operation, Source, Term};
use crate::flow::analysis::counts::interval::{IntegerType, Interval};
use crate::flow::analysis::counts::lifted::understood;
use crate::params::{Launch, spelled};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::ptx_names::{every_name, written};
use warpspan_isa::ptx_operand::Operand;
use warpspan_lift::ptx::lift;

/// What an instruction writes.
pub(super) fn effect<'a>(instruction: &Instruction<'a>, launch: &Launch) -> Effect<'a> {
    let names = written(instruction);
    if let (&[name], Some((bits, value))) = (&names[..], parameter(instruction, launch)) {
        return Effect::one(name, bits, value);
    }
    let mut effect = Effect::unknown(names);
    if let Some(lifted) = lift(instruction) {
        let names: Vec<&str> = every_name(instruction).collect();
        understood(&mut effect.writes, &lifted, (&names, launch));
    }
    effect
}

/// A parameter of the kernel that an instruction loads, with the bits that it gives.
fn parameter<'a>(instruction: &Instruction<'a>, launch: &Launch) -> Option<(u32, Operation<'a>)> {
    let parts: Vec<&str> = instruction.opcode.split('.').collect();
    let (&["ld", "param" | "param::entry", kind], [to, from]) = (&parts[..], instruction.ptx_operands())
    else {
        return None;
    };
    Operand::plain(to)?;
    let kind = IntegerType::of(kind)?;
    let known = launch.symbol(&spelled(from.address?), kind.bits)?;
    let value = Term::of(Source::Known(known));
    // A register may have more bits than are read, so that the load extends the number; one has 16 bits at least.
    let fits = |known: Interval| kind.contains(known.low) && kind.contains(known.high);
    Some(if kind.bits < 16 || kind.bits < 64 && fits(known) {
        (64, Operation::Converted(kind, value))
    } else {
        (kind.bits, Operation::Sum(vec![value]))
    })
}
