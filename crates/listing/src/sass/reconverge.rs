//! Reconvergence: where control goes, and where the threads of a warp wait for each other.
//!
//! Up to capability 6.x `SSY`, `PBK`, `PCNT` and `PRET` push a location. `SYNC`, `BRK`, `CONT` and `RET` take
//! the topmost location of their kind off, with all that lies above it, and wait there. From 7.0 on `BSSY`
//! stores in a register which threads are together, and these wait for each other at the `BSYNC` of that
//! register; `BREAK` takes threads out.
//!
//! Compilers nest both, so that most instructions are reached with the same stack of locations on every path. In code with `SSY`
//! and its like some paths may leave a location on the stack, which a `BRK` or `CONT` takes off later with the location below. So an
//! instruction there has all stacks with which it may be reached. It is refused if these are too many, or if they differ in
//! where control goes on. In code with `BSSY` nothing is known behind the point where two different stacks come together,
//! nor of a register that is used there.

use std::collections::HashSet;

use crate::routine::{Points, Routine, Stack};
use crate::sass::registers::{Callees, callees, lost, unknown_waits};
use crate::sass::stacks::{Cell, Kind, Known, Stacks};
use crate::sass::step::{Step, Wrong};
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::register::Register;

/// With how many stacks an instruction may be reached. Code that leaves a location on the stack in each pass of a loop has no end of
/// them.
const MOST_STACKS: usize = 8;

/// Sets the flow of every instruction, and the reconvergence points around it.
pub(super) fn reconverge(routine: &mut Routine<'_>, steps: &[Step]) -> Result<(), Wrong> {
    let mut stacks = Stacks::default();
    let callees = callees(routine, steps);
    let before = stacks_before(&mut stacks, routine, steps, &callees)?;
    // A BSYNC of which it is not known for whom it waits does not go on at the next instruction.
    let unknown = unknown_waits(routine, steps, &callees);
    for (at, step) in steps.iter().enumerate() {
        let instruction = &mut routine.instructions[at];
        instruction.flow = match (&before[at][..], step) {
            ([], step) => flow_if_unreached(step),
            (_, Step::Wait(_)) if unknown.contains(&at) => Flow::Unknown,
            (all, step) => flow(&stacks, all, step, instruction)?,
        };
        if let ([_, ..], Step::Branch { conditional, .. }) = (&before[at][..], step) {
            instruction.conditional |= conditional;
        }
    }
    let lost = lost(&stacks, steps, routine, &before);
    routine.points = points(&stacks, &before, &lost);
    Ok(())
}

/// The stacks with which each instruction may be reached; no stack for those that are not.
fn stacks_before(
    stacks: &mut Stacks,
    routine: &Routine<'_>,
    steps: &[Step],
    callees: &Callees,
) -> Result<Vec<Vec<Known>>, Wrong> {
    // The location that these push says where control goes when it is taken off.
    let strict =
        steps.iter().any(|step| matches!(step, Step::Push(kind, _) if !matches!(kind, Kind::Barrier(_))));
    let mut before: Vec<Vec<Known>> = vec![Vec::new(); steps.len()];
    let mut open: Vec<(usize, Known)> = callees.keys().copied().chain([0]).map(|at| (at, Some(0))).collect();
    while let Some((at, stack)) = open.pop() {
        let Some(known) = before.get_mut(at) else { continue };
        if known.contains(&stack) || !strict && known.contains(&None) {
            continue;
        }
        let unknown = !known.is_empty() && (stack.is_none() || known.contains(&None));
        if strict && (unknown || known.len() == MOST_STACKS) {
            let what = "is reached with different reconvergence points (SSY, PBK, PCNT, PRET): not supported";
            return Err((routine.line_of(at), what.into()));
        }
        let stack = stack.filter(|_| strict || known.is_empty());
        if !strict {
            known.clear();
        }
        known.push(stack);
        open_successors(stacks, routine, steps, callees, (at, stack), &mut open);
    }
    Ok(before)
}

/// The flow of an instruction that is not reached. It keeps its direct target, so that filling can be told
/// from code.
const fn flow_if_unreached<'a>(step: &Step) -> Flow<'a> {
    match step {
        Step::Branch { to, .. } => Flow::Branch(*to),
        Step::Next | Step::Push(..) | Step::Wait(_) | Step::Leave(_) | Step::Touch(_) => Flow::Next,
        _ => Flow::End,
    }
}

/// The flow of an instruction that is reached with these stacks.
fn flow<'a>(
    stacks: &Stacks,
    all: &[Known],
    step: &Step,
    instruction: &Instruction<'a>,
) -> Result<Flow<'a>, Wrong> {
    let error = |what: String| Err((instruction.line, what));
    Ok(match step {
        Step::Next | Step::Push(..) | Step::Leave(_) | Step::Touch(_) | Step::Wait(_) => Flow::Next,
        Step::Call(to) => Flow::CallInside(*to),
        Step::CallOut => {
            let [only] = instruction.operands() else { return Ok(Flow::Call(instruction.operands)) };
            Flow::Call(only.label().unwrap_or(only.text))
        }
        Step::Unknown => Flow::Unknown,
        Step::End => Flow::End,
        Step::Branch { to, .. } => Flow::Branch(*to),
        Step::Switch(list) => Flow::Switch(list.clone()),
        // A SYNC takes off the topmost location, whatever it is for.
        Step::Pop(Kind::Sync)
            if all
                .iter()
                .flatten()
                .any(|&stack| stacks.top(stack).is_some_and(|(kind, ..)| kind != Kind::Sync)) =>
        {
            return error(format!("{} below a place of another kind", instruction.opcode()));
        }
        Step::Pop(kind) => {
            let mut places = all.iter().map(|stack| Some(stacks.pop((*stack)?, *kind)?.0));
            let first = places.next().flatten();
            if places.any(|other| other != first) {
                return error(format!(
                    "{} goes on at a place that depends on the path to it",
                    instruction.opcode()
                ));
            }
            match first {
                Some(to) => Flow::Branch(to),
                // The return of a function that was called.
                None if *kind == Kind::Return => Flow::End,
                None => return error(format!("{} without a place to go to", instruction.opcode())),
            }
        }
    })
}

/// Adds the instructions that may come next, each with the stack before it.
fn open_successors(
    stacks: &mut Stacks,
    routine: &Routine<'_>,
    steps: &[Step],
    callees: &Callees,
    (at, stack): (usize, Known),
    open: &mut Vec<(usize, Known)>,
) {
    let conditional = routine.instructions[at].conditional;
    let mut next = None;
    match &steps[at] {
        Step::Next => next = Some(stack),
        Step::Push(kind, to) => {
            // A second barrier in the same register overwrites the first.
            let again =
                |stack: &usize| matches!(kind, Kind::Barrier(register) if stacks.has(*stack, *register));
            let stack = stack.filter(|stack| !again(stack) && !conditional);
            next = Some(stack.map(|stack| stacks.push(stack, *kind, *to)));
            open.push((at + 1, next.flatten()));
            return;
        }
        Step::Wait(register) => {
            let top = stack.and_then(|stack| stacks.top(stack)).filter(|_| !conditional);
            let own = top.filter(|&(kind, ..)| kind == Kind::Barrier(*register));
            open.push((at + 1, own.map(|(.., below)| below)));
            return;
        }
        Step::Leave(register) => {
            let left = stack.filter(|_| !conditional);
            open.push((at + 1, left.map(|stack| stacks.without(stack, Kind::Barrier(*register)))));
            return;
        }
        Step::Touch(registers) => {
            let touched = |stack: &usize| registers.iter().any(|register| stacks.has(*stack, *register));
            next = Some(stack.filter(|stack| !touched(stack)));
        }
        Step::Call(to) => {
            let used = &callees[to];
            next = Some(stack.filter(|&stack| !used.iter().any(|register| stacks.has(stack, *register))));
        }
        Step::CallOut => {
            let barrier = |stack: &usize| matches!(stacks.top(*stack), Some((Kind::Barrier(_), ..)));
            next = Some(stack.filter(|stack| !barrier(stack)));
        }
        Step::Branch { to, conditional, without } => {
            let without = |stacks: &mut Stacks, stack| {
                without.iter().fold(stack, |stack, &one| stacks.without(stack, Kind::Barrier(one)))
            };
            let there = stack.map(|stack| without(stacks, stack));
            open.push((*to, there));
            next = conditional.then_some(stack);
        }
        Step::Switch(list) => open.extend(list.iter().map(|&to| (to, stack))),
        Step::Pop(kind) => {
            open.extend(
                stack.and_then(|stack| stacks.pop(stack, *kind)).map(|(to, below)| (to, Some(below))),
            );
        }
        Step::Unknown | Step::End => {}
    }
    if let Some(stack) = next.or(conditional.then_some(stack)) {
        open.push((at + 1, stack));
    }
}

/// The reconvergence points of the routine, from the stack before each instruction.
fn points(stacks: &Stacks, before: &[Vec<Known>], lost: &HashSet<(Register, usize)>) -> Points {
    let register = |kind| if let Kind::Barrier(register) = kind { Some(register) } else { None };
    let cell = |&(kind, place, below): &Cell| Stack {
        place,
        below,
        waits: register(kind).is_some(),
        lost: register(kind).is_some_and(|register| lost.contains(&(register, place))),
    };
    Points {
        stacks: stacks.cells.iter().map(cell).collect(),
        at: before
            .iter()
            .map(|all| all.iter().copied().reduce(|one, other| stacks.common(one?, other?))?)
            .collect(),
        varies: (0..before.len()).filter(|&at| before[at].len() > 1).collect(),
    }
}
