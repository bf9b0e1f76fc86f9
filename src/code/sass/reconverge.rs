//! The stack of reconvergence points, up to capability 6.x.
//!
//! `SSY`, `PBK`, `PCNT` and `PRET` push a place; `SYNC`, `BRK`, `CONT` and `RET` take the topmost place of their kind
//! off, with what lies above it, and go on there. A compiler's code meets every instruction with the same stack
//! whatever the path, so that the place is known; code that does not is refused.

use std::collections::HashMap;

use crate::code::listing::{Flow, Routine};
use crate::code::sass::branch::Wrong;

/// What takes a place off the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Pop {
    Sync,
    Break,
    Continue,
    Return,
}

/// What an instruction does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Next,
    Branch { to: usize, conditional: bool },
    Switch(Vec<usize>),
    Call(usize),
    CallOut,
    Push(Pop, usize),
    Pop(Pop),
    Unknown,
    End,
}

/// A stack: its top, and the stack below by its number. Equal stacks have equal numbers; 0 is the empty one.
#[derive(Default)]
struct Stacks {
    cells: Vec<(Pop, usize, usize)>,
    numbers: HashMap<(Pop, usize, usize), usize>,
}

impl Stacks {
    fn push(&mut self, below: usize, kind: Pop, to: usize) -> usize {
        let cells = &mut self.cells;
        *self.numbers.entry((kind, to, below)).or_insert_with(|| {
            cells.push((kind, to, below));
            cells.len()
        })
    }

    /// The topmost place of a kind, and the stack below it.
    fn pop(&self, mut stack: usize, wanted: Pop) -> Option<(usize, usize)> {
        loop {
            let (kind, to, below) = *self.cells.get(stack.checked_sub(1)?)?;
            if kind == wanted {
                return Some((to, below));
            }
            stack = below;
        }
    }
}

/// Sets the flow of every instruction.
pub(super) fn reconverge(routine: &mut Routine<'_>, steps: &[Step]) -> Result<(), Wrong> {
    let mut stacks = Stacks::default();
    let mut reached: Vec<Option<usize>> = vec![None; steps.len()];
    let calls = steps.iter().filter_map(|step| if let Step::Call(to) = step { Some((*to, 0)) } else { None });
    let mut open: Vec<(usize, usize)> = calls.chain([(0, 0)]).collect();
    while let Some((at, stack)) = open.pop() {
        let Some(known) = reached.get_mut(at) else { continue };
        match known {
            Some(known) if *known == stack => continue,
            Some(_) => {
                let what =
                    "is reached with different reconvergence points (SSY, PBK, PCNT, PRET): not supported";
                return Err((routine.line_of(at), what.into()));
            }
            None => *known = Some(stack),
        }
        let instruction = &mut routine.instructions[at];
        let mut next = true;
        let mut go = |to: usize, stack: usize| open.push((to, stack));
        let flow = match &steps[at] {
            Step::Next => Flow::Next,
            Step::Push(kind, to) => {
                let pushed = stacks.push(stack, *kind, *to);
                go(at + 1, pushed);
                continue;
            }
            Step::Call(to) => Flow::CallInside(*to),
            Step::CallOut => {
                let name = instruction.operands.trim_start_matches(['`', '(']).trim_end_matches(')');
                Flow::Call(name)
            }
            Step::Unknown => {
                next = false;
                Flow::Unknown
            }
            Step::End => {
                next = false;
                Flow::End
            }
            Step::Branch { to, conditional } => {
                instruction.conditional |= conditional;
                next = false;
                go(*to, stack);
                Flow::Branch(*to)
            }
            Step::Switch(list) => {
                next = false;
                list.iter().for_each(|to| go(*to, stack));
                Flow::Switch(list.clone())
            }
            Step::Pop(kind) => {
                next = false;
                match stacks.pop(stack, *kind) {
                    Some((to, below)) => {
                        go(to, below);
                        Flow::Branch(to)
                    }
                    // The return of a function that was called.
                    None if *kind == Pop::Return => Flow::End,
                    None => {
                        return Err((
                            instruction.line,
                            format!("{} without a place to go to", instruction.opcode),
                        ));
                    }
                }
            }
        };
        if next || instruction.conditional {
            go(at + 1, stack);
        }
        instruction.flow = flow;
    }
    // What is not reached keeps its direct target, so that filling can be told from code.
    for (at, step) in steps.iter().enumerate().filter(|(at, _)| reached[*at].is_none()) {
        routine.instructions[at].flow = match step {
            Step::Branch { to, .. } => Flow::Branch(*to),
            Step::Next | Step::Push(..) => Flow::Next,
            _ => Flow::End,
        };
    }
    Ok(())
}
