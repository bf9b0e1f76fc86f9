//! Where code of SASS asks whether the threads of a warp are together (`BRA.DIV`, `BRA.CONV`), and for what.

use std::ops::Range;

use crate::routine::Routine;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::operand::Operand;
use warpspan_isa::register::{File, Register};
use warpspan_isa::row::Fact;

/// For what code asks whether the threads of the warp are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// The code needs the answer for a shuffle, vote, match or reduction of all lanes.
    AllLanes,
    /// For a shuffle or its like whose lanes are not known to be all, or for `__syncwarp()`.
    SomeLanes,
    /// For anything else, such as a barrier.
    Other,
}

/// For what the branch at the end of a block asks whether the warp is together, if it does.
pub(super) fn asked_for(routine: &Routine<'_>, block: Range<usize>) -> Option<Asked> {
    let (branch, before) = routine.instructions[block.clone()].split_last()?;
    let together = match (branch.is_taken_together()?, &branch.flow) {
        (true, Flow::Branch(to)) => *to,
        _ => block.end,
    };
    // The first operand of the branch is the mask of the lanes. Code for 7.x has none: there the path on which the lanes come together
    // has it.
    let all = match branch.operands() {
        [] | [_] => match branch.flow {
            Flow::Branch(to) => all_lanes_wait(routine, if together == block.end { to } else { block.end }),
            _ => false,
        },
        [mask, ..] if mask.text == "~URZ" => true,
        [mask, ..] => mask.plain().is_some_and(|mask| {
            let last = before.iter().rev().find(|one| may_write(one, mask));
            last.is_some_and(|one| {
                let is_all =
                    |(to, all): (&Operand<'_>, &Operand<'_>)| to.plain() == Some(mask) && all.is(u32::MAX);
                one.guard.is_none() && one.moved().is_some_and(is_all)
            })
        }),
    };
    Some(match routine.instructions.get(together) {
        Some(one) if one.has(Fact::Lanes) && all => Asked::AllLanes,
        Some(one) if one.has(Fact::Lanes) || one.is_nop() => Asked::SomeLanes,
        _ => Asked::Other,
    })
}

/// The instructions that are looked at for the mask of a `WARPSYNC`.
const LONGEST_PATH: usize = 64;

/// Whether code waits for all lanes at its first `WARPSYNC`, which no jump under a condition comes before.
fn all_lanes_wait(routine: &Routine<'_>, start: usize) -> bool {
    let (mut at, mut path) = (start, Vec::new());
    while let Some(one) =
        routine.instructions.get(at).filter(|one| path.len() < LONGEST_PATH && !one.conditional)
    {
        match one.flow {
            _ if one.is_warp_sync() => {
                return one.waits_for_warp() || is_all_lanes(&path, one.operands());
            }
            Flow::Next => at += 1,
            Flow::Branch(to) | Flow::CallInside(to) => at = to,
            _ => return false,
        }
        path.push(one);
    }
    false
}

/// Whether the last of these instructions that names a register, or one before it, moves all ones there.
fn is_all_lanes(path: &[&Instruction<'_>], mask: &[Operand<'_>]) -> bool {
    let [mask] = mask else { return false };
    let Some(own) = mask.plain().filter(|register| register.file == File::General) else { return false };
    let is_own = |operand: &Operand<'_>| operand.plain() == Some(own);
    let names = |one: &&&Instruction<'_>| match one.moved() {
        Some((to, _)) => is_own(to),
        None => one.registers().any(|first| first.may_reach(own)),
    };
    let last = path.iter().rev().find(names);
    last.is_some_and(|one| one.guard.is_none() && one.moved().is_some_and(|(_, all)| all.is_all_ones()))
}

/// Whether an instruction may write a uniform register: it names it, or its first operand is one of up to three before it.
fn may_write(instruction: &Instruction<'_>, register: Register) -> bool {
    let first = instruction.operands().first().and_then(|one| one.registers.first());
    first.is_some_and(|first| first.may_reach(register)) || instruction.registers().any(|one| one == register)
}
