//! Where the instructions of a SASS function go.

use crate::Fault;
use crate::routine::Routine;
use crate::sass::Open;
use crate::sass::breaks::Breaks;
use crate::sass::reconverge::reconverge;
use crate::sass::registers::may_return;
use crate::sass::stacks::Kind;
use crate::sass::step::{Step, Wrong, has_condition};
use crate::sass::whole::runs_off;
use warpspan_isa::block_barrier::{Writes, packed, written_for};
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::operand::{self, Operand};
use warpspan_isa::register::{File, Register};
use warpspan_isa::row::{Mark, Transfer};

/// Resolves every target and drops what only fills the section at the end.
/// What is wrong is a fault of the routine; `text` makes one of what its text lacks.
pub(super) fn resolve(mut open: Open<'_>, text: impl Fn(Wrong) -> Fault) -> Routine<'_> {
    for instruction in &mut open.routine.instructions {
        instruction.conditional |= has_condition(instruction);
    }
    let breaks = Breaks::of(&open);
    let all = 0..open.routine.instructions.len();
    let steps = all.map(|at| step(&open, &breaks, at)).collect::<Result<_, _>>();
    let Open { mut routine, .. } = open;
    let mut steps: Vec<Step> = match steps {
        Ok(steps) => steps,
        Err(wrong) => return Routine { fault: Some(text(wrong)), ..routine },
    };
    // Compilers jump far by calls that do not come back.
    let jumps = |at: &usize| {
        // CAL and JCAL push a location, and nobody knows what takes off one that lies below it.
        let pushes = routine.instructions[*at].pushes_return();
        matches!(steps[*at], Step::Call(to) if !may_return(&routine, &steps, to, pushes))
    };
    let jumps: Vec<usize> = (0..steps.len()).filter(jumps).collect();
    for at in jumps {
        if let Step::Call(to) = steps[at] {
            steps[at] = Step::Branch { to, conditional: false, without: vec![] };
        }
    }
    if let Some(wrong) = runs_off(&routine, &steps) {
        return Routine { fault: Some(text(wrong)), ..routine };
    }
    if let Err((line, what)) = reconverge(&mut routine, &steps) {
        return Routine { fault: Some(Fault::Flow(line, what)), ..routine };
    }
    trim(&mut routine);
    whole_barriers(&mut routine);
    // Past the last instruction there is nothing to branch to.
    let length = routine.instructions.len();
    let beyond = |flow: &Flow<'_>| match flow {
        Flow::Branch(at) | Flow::CallInside(at) => *at >= length,
        Flow::Switch(list) => list.iter().any(|at| *at >= length),
        _ => false,
    };
    if let Some(instruction) = routine.instructions.iter().find(|instruction| beyond(&instruction.flow)) {
        let what = "branches past the last instruction: is the file truncated?";
        routine.fault = Some(text((instruction.line, what.into())));
    }
    routine
}

/// What one instruction does to the flow and to the stack of reconvergence points.
fn step(open: &Open<'_>, breaks: &Breaks, at: usize) -> Result<Step, Wrong> {
    let instruction = &open.routine.instructions[at];
    let operands = instruction.operands();
    let last = operands.last().map_or("", |last| last.text);
    let barrier = |operand: Option<&Operand<'_>>| {
        operand.and_then(Operand::plain).filter(|register| register.file == File::Barrier)
    };
    let target = || {
        let found = open.at(last);
        found.ok_or_else(|| {
            let what = format!(
                "{last:?} of {} is neither a label nor an address of this function",
                instruction.opcode()
            );
            (instruction.line, what)
        })
    };
    let kind = |mark| match mark {
        Mark::Join => Kind::Sync,
        Mark::Break => Kind::Break,
        Mark::Continue => Kind::Continue,
        Mark::Return => Kind::Return,
    };
    Ok(match instruction.transfer() {
        Transfer::Jump => {
            let conditional = operands.len() > 1 || instruction.conditional;
            Step::Branch { to: target()?, conditional, without: breaks.left_by(at) }
        }
        Transfer::Indirect => indirect(open, at)?,
        Transfer::Call => call(open, instruction),
        Transfer::End => Step::End,
        Transfer::Push(mark) => Step::Push(kind(mark), target()?),
        Transfer::Pop(mark) => Step::Pop(kind(mark)),
        Transfer::Enter => match barrier(operands.first()) {
            Some(register) => Step::Push(Kind::Barrier(register), behind(open, register, target()?)),
            None => Step::Unknown,
        },
        transfer @ (Transfer::Reconverge | Transfer::Leave) => match barrier(operands.last()) {
            None => Step::Unknown,
            // The first operand is one more predicate, so that not all threads may wait or leave.
            Some(register) if operands.len() > 1 => Step::Touch(vec![register]),
            Some(register) if transfer == Transfer::Reconverge => Step::Wait(register),
            // A branch behind it has this step, since both are under the same predicate.
            Some(_) if breaks.is_of_branch(at) => Step::Next,
            Some(register) => Step::Leave(register),
        },
        Transfer::Move => {
            Step::Touch(instruction.registers().filter(|one| one.file == File::Barrier).collect())
        }
        // On Fermi and Kepler any instruction may end with .S, which stands for a SYNC behind it.
        Transfer::Next if instruction.ends_with_sync() => match open.routine.target.as_deref() {
            Some(target) if target.starts_with("2.") || target.starts_with("3.") => Step::Pop(Kind::Sync),
            Some(_) => Step::Next,
            None => {
                let what = format!(
                    "{}: what .S is depends on the capability, and none is named before this function: want a line like \"code for sm_20\"",
                    instruction.opcode()
                );
                return Err((instruction.line, what));
            }
        },
        Transfer::Next => Step::Next,
    })
}

/// An indirect branch, with the targets that nvdisasm writes beside it.
fn indirect(open: &Open<'_>, at: usize) -> Result<Step, Wrong> {
    let note = open.notes.get(&at).copied().unwrap_or_default();
    let Some(list) = note.strip_prefix("BRANCH_TARGETS") else { return Ok(Step::Unknown) };
    let line = open.routine.instructions[at].line;
    let find =
        |label: &str| open.at(label).ok_or_else(|| (line, format!("{label} is no label of this function")));
    list.split(',').map(find).collect::<Result<_, _>>().map(Step::Switch)
}

/// A call of an address or a label, of another function, or of what a register holds.
fn call(open: &Open<'_>, instruction: &Instruction<'_>) -> Step {
    let is_value = |one: &Operand<'_>| {
        one.file().is_some() || matches!(one.kind, operand::Kind::Address { of: "c", .. })
    };
    let by_register = instruction.operands().first().is_some_and(is_value);
    match open.at(instruction.operands) {
        _ if by_register => Step::Unknown,
        // A call of this function or of a part of it: its own name stands at its beginning.
        Some(to) => Step::Call(to),
        None => Step::CallOut,
    }
}

/// Where the threads of a `BSSY` reconverge: behind the `BSYNC` of its register, which stands at the
/// location that the `BSSY` names or just before.
fn behind(open: &Open<'_>, register: Register, place: usize) -> usize {
    let waits = |one: &Instruction<'_>| {
        one.reconverges() && matches!(one.operands(), [only] if only.register() == Some(register))
    };
    place + usize::from(open.routine.instructions.get(place).is_some_and(waits))
}

/// From 9.0 on, `barrier.sync` where the warp may have diverged is a barrier with its number and how many threads it is for in one
/// register: `SHF.L.U32 R, R, 0x10, RZ; LOP3.LUT R, R, 0xf, N, 0xf8, !PT; BAR.SYNC R, R`, the threads in R first. If that is 0, it
/// is for the whole block, as the barrier with a number alone, which it then becomes.
fn whole_barriers(routine: &mut Routine<'_>) {
    let list = &routine.instructions;
    let entered = |from: usize, to: usize| {
        let inside = |at: &usize| (from + 1..=to).contains(at);
        list.iter().any(|one| match &one.flow {
            Flow::Branch(at) | Flow::CallInside(at) => inside(at),
            Flow::Switch(all) => all.iter().any(inside),
            _ => false,
        })
    };
    let is_whole = |at: usize| -> bool {
        let Some(register) = packed(&list[at]) else { return false };
        // What may write the register before it, from the last one.
        let straight = (0..at).rev().take_while(|&before| list[before].flow == Flow::Next);
        let mut writes = straight.filter_map(|before| Some((before, written_for(&list[before], register)?)));
        let last = [writes.next(), writes.next(), writes.next()];
        matches!(last, [Some((_, Writes::Numbers)), Some((_, Writes::Shifts)), Some((zero, Writes::Clears))]
            if !entered(zero, at))
    };
    let whole: Vec<usize> = (0..list.len()).filter(|&at| is_whole(at)).collect();
    for at in whole {
        routine.instructions[at].keep_first_operand();
    }
}

/// Drops what only fills the section at the end: `here: BRA here; NOP; NOP; ...`.
fn trim(routine: &mut Routine<'_>) {
    let list = &routine.instructions;
    let code = list.iter().rposition(|instruction| !instruction.is_nop()).unwrap_or(0);
    let filling = list.get(code).is_some_and(|last| last.flow == Flow::Branch(code) && !last.conditional);
    let entered =
        |to: usize| list.iter().enumerate().any(|(at, one)| at != code && one.flow == Flow::Branch(to));
    let falls = code.checked_sub(1).is_some_and(|before| {
        let before = &list[before];
        // A trap ends the launch. Compilers put the filling behind it too.
        before.conditional
            || !before.is_trap() && matches!(before.flow, Flow::Next | Flow::Call(_) | Flow::CallInside(_))
    });
    if filling && !falls && !entered(code) {
        routine.instructions.truncate(code);
        routine.labels.retain(|(_, at)| *at < code);
    }
}
