//! Where threads of a warp wait for each other.
//!
//! Up to capability 6.x `SSY`, `PBK`, `PCNT` and `PRET` push a place; `SYNC`, `BRK`, `CONT` and `RET` take the topmost place of their kind
//! off, with what lies above it, and wait there. From 7.0 on `BSSY` stores in a register the threads that are together, and they wait
//! for each other at the `BSYNC` of that register; `BREAK` takes threads out. Compilers nest both, so that each instruction
//! is met with the same stack of places whatever the path. Code with `SSY` and its like that does not is refused, since it is not known
//! where it goes; in code with `BSSY` nothing is known behind the point where two stacks come together, nor of a register that is used
//! there.

use std::collections::HashSet;

use crate::listing::routine::{Flow, Points, Routine, Stack};
use crate::listing::sass::branch::Wrong;
use crate::listing::sass::registers::{Callees, callees, is_of_its_place, lost};
use crate::listing::sass::stacks::{Cell, Kind, Stacks};

/// What an instruction does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Next,
    /// `without`: a register whose barrier the threads that go there have left, by a `BREAK` under the same predicate just before.
    Branch {
        to: usize,
        conditional: bool,
        without: Option<&'a str>,
    },
    Switch(Vec<usize>),
    Call(usize),
    CallOut,
    Push(Kind<'a>, usize),
    Pop(Kind<'a>),
    /// `BSYNC`.
    Wait(&'a str),
    /// `BREAK`; that of a branch behind it is in the branch.
    Leave(&'a str),
    /// Something else is done to these registers.
    Touch(Vec<&'a str>),
    Unknown,
    End,
}

/// The stack before an instruction; none if it depends on the path.
pub(super) type Known = Option<usize>;

/// Sets the flow of every instruction, and where its threads wait for each other.
pub(super) fn reconverge<'a>(routine: &mut Routine<'a>, steps: &[Step<'a>]) -> Result<(), Wrong> {
    let mut stacks = Stacks::default();
    // Where a place is taken off, it says where to go.
    let strict =
        steps.iter().any(|step| matches!(step, Step::Push(kind, _) if !matches!(kind, Kind::Barrier(_))));
    let mut reached: Vec<Option<Known>> = vec![None; steps.len()];
    let callees = callees(routine, steps);
    let mut open: Vec<(usize, Known)> = callees.keys().copied().chain([0]).map(|at| (at, Some(0))).collect();
    while let Some((at, stack)) = open.pop() {
        let Some(known) = reached.get_mut(at) else { continue };
        match *known {
            Some(known) if known == stack || known.is_none() => continue,
            Some(_) if strict => {
                let what =
                    "is reached with different reconvergence points (SSY, PBK, PCNT, PRET): not supported";
                return Err((routine.line_of(at), what.into()));
            }
            Some(_) => *known = Some(None),
            None => *known = Some(stack),
        }
        let stack = known.flatten();
        after(&mut stacks, routine, steps, &callees, (at, stack), &mut open);
    }
    // A BSYNC goes on where its BSSY says: at the next instruction, or nobody knows where.
    let goes_on: Vec<bool> =
        (0..steps.len()).map(|at| is_of_its_place(routine, steps, &callees, at)).collect();
    for (at, known) in reached.iter().enumerate() {
        let instruction = &mut routine.instructions[at];
        let Some(stack) = known else {
            // What is not reached keeps its direct target, so that filling can be told from code.
            instruction.flow = match &steps[at] {
                Step::Branch { to, .. } => Flow::Branch(*to),
                Step::Next | Step::Push(..) | Step::Wait(_) | Step::Leave(_) | Step::Touch(_) => Flow::Next,
                _ => Flow::End,
            };
            continue;
        };
        instruction.flow = match &steps[at] {
            Step::Next | Step::Push(..) | Step::Leave(_) | Step::Touch(_) => Flow::Next,
            Step::Wait(_) if !goes_on[at] => Flow::Unknown,
            Step::Wait(_) => Flow::Next,
            Step::Call(to) => Flow::CallInside(*to),
            Step::CallOut => {
                let name = instruction.operands.trim_start_matches(['`', '(']).trim_end_matches(')');
                Flow::Call(name)
            }
            Step::Unknown => Flow::Unknown,
            Step::End => Flow::End,
            Step::Branch { to, conditional, .. } => {
                instruction.conditional |= conditional;
                Flow::Branch(*to)
            }
            Step::Switch(list) => Flow::Switch(list.clone()),
            // A SYNC takes off the topmost place, whatever it is for.
            Step::Pop(Kind::Sync)
                if stack.and_then(|stack| stacks.top(stack)).is_some_and(|(kind, ..)| kind != Kind::Sync) =>
            {
                let what = format!("{} below a place of another kind", instruction.opcode);
                return Err((instruction.line, what));
            }
            Step::Pop(kind) => match stack.and_then(|stack| stacks.pop(stack, *kind)) {
                Some((to, _)) => Flow::Branch(to),
                // The return of a function that was called.
                None if *kind == Kind::Return => Flow::End,
                None => {
                    return Err((
                        instruction.line,
                        format!("{} without a place to go to", instruction.opcode),
                    ));
                }
            },
        };
    }
    let lost = lost(&stacks, steps, routine, &reached);
    routine.points = points(&stacks, reached, &lost);
    Ok(())
}

/// What comes next, and with what stack.
fn after<'a>(
    stacks: &mut Stacks<'a>,
    routine: &Routine<'_>,
    steps: &[Step<'a>],
    callees: &Callees<'a>,
    (at, stack): (usize, Known),
    open: &mut Vec<(usize, Known)>,
) {
    let conditional = routine.instructions[at].conditional;
    let mut next = None;
    match &steps[at] {
        Step::Next => next = Some(stack),
        Step::Push(kind, to) => {
            // Twice in one register: the first is lost.
            let again =
                |stack: &usize| matches!(kind, Kind::Barrier(register) if stacks.has(*stack, register));
            let stack = stack.filter(|stack| !again(stack) && !conditional);
            next = Some(stack.map(|stack| stacks.push(stack, *kind, *to)));
            open.push((at + 1, next.flatten()));
            return;
        }
        Step::Wait(register) => {
            let top = stack.and_then(|stack| stacks.top(stack)).filter(|_| !conditional);
            let own = top.filter(|&(kind, ..)| kind == Kind::Barrier(register));
            open.push((at + 1, own.map(|(.., below)| below)));
            return;
        }
        Step::Leave(register) => {
            let left = stack.filter(|_| !conditional);
            open.push((at + 1, left.map(|stack| stacks.without(stack, Kind::Barrier(register)))));
            return;
        }
        Step::Touch(registers) => {
            let touched = |stack: &usize| registers.iter().any(|register| stacks.has(*stack, register));
            next = Some(stack.filter(|stack| !touched(stack)));
        }
        Step::Call(to) => {
            let used = &callees[to];
            next = Some(stack.filter(|&stack| !used.iter().any(|register| stacks.has(stack, register))));
        }
        Step::CallOut => {
            let barrier = |stack: &usize| matches!(stacks.top(*stack), Some((Kind::Barrier(_), ..)));
            next = Some(stack.filter(|stack| !barrier(stack)));
        }
        Step::Branch { to, conditional, without } => {
            let there = without
                .map_or(stack, |register| stack.map(|stack| stacks.without(stack, Kind::Barrier(register))));
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

/// The stacks for those who ask where threads wait; those of registers that are lost are not known.
fn points<'a>(
    stacks: &Stacks<'a>,
    reached: Vec<Option<Known>>,
    lost: &HashSet<(&'a str, usize)>,
) -> Points<'a> {
    let register = |kind| if let Kind::Barrier(register) = kind { Some(register) } else { None };
    let cell = |&(kind, place, below): &Cell<'a>| Stack {
        place,
        below,
        register: register(kind),
        lost: register(kind).is_some_and(|register| lost.contains(&(register, place))),
    };
    Points {
        stacks: stacks.cells.iter().map(cell).collect(),
        at: reached.into_iter().map(Option::flatten).collect(),
    }
}
