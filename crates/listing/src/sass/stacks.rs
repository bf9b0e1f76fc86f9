//! Stacks of the locations at which threads wait for each other, shared where they are equal.

use std::collections::{HashMap, HashSet};

use warpspan_isa::register::Register;

/// What a location was pushed for, which says what takes it off the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// By `SSY`, for `SYNC`.
    Sync,
    /// By `PBK`, for `BRK`.
    Break,
    /// By `PCNT`, for `CONT`.
    Continue,
    /// By `PRET`, for `RET`.
    Return,
    /// By `BSSY`, for the `BSYNC` of the same barrier register.
    Barrier(Register),
}

/// The top of a stack: what it is for, the location, and the number of the stack below.
pub(super) type Cell = (Kind, usize, usize);

/// The number of the stack before an instruction; none if it depends on the path.
pub(super) type Known = Option<usize>;

/// All stacks by their numbers. Equal stacks have equal numbers, and the empty one has 0.
#[derive(Default)]
pub(super) struct Stacks {
    pub(super) cells: Vec<Cell>,
    numbers: HashMap<Cell, usize>,
}

impl Stacks {
    /// The stack with one more location.
    pub(super) fn push(&mut self, below: usize, kind: Kind, to: usize) -> usize {
        let cells = &mut self.cells;
        *self.numbers.entry((kind, to, below)).or_insert_with(|| {
            cells.push((kind, to, below));
            cells.len()
        })
    }

    /// What lies on top of a stack; none if it is empty.
    pub(super) fn top(&self, stack: usize) -> Option<Cell> {
        self.cells.get(stack.checked_sub(1)?).copied()
    }

    /// The topmost location of a kind, and the stack below that location.
    pub(super) fn pop(&self, mut stack: usize, wanted: Kind) -> Option<(usize, usize)> {
        loop {
            let (kind, to, below) = self.top(stack)?;
            if kind == wanted {
                return Some((to, below));
            }
            stack = below;
        }
    }

    /// The stack without the topmost location of a kind, if it has one.
    pub(super) fn without(&mut self, stack: usize, wanted: Kind) -> usize {
        match self.top(stack) {
            None => stack,
            Some((kind, _, below)) if kind == wanted => below,
            Some((kind, to, below)) => {
                let below = self.without(below, wanted);
                self.push(below, kind, to)
            }
        }
    }

    /// The stack that lies below two others, as far up as they are the same.
    pub(super) fn common(&self, one: usize, other: usize) -> Option<usize> {
        let below = |stack: &usize| self.top(*stack).map(|(.., below)| below);
        let of_one: HashSet<usize> = std::iter::successors(Some(one), below).collect();
        std::iter::successors(Some(other), below).find(|stack| of_one.contains(stack))
    }

    /// Whether a stack holds a location of a barrier register.
    pub(super) fn has(&self, stack: usize, register: Register) -> bool {
        self.pop(stack, Kind::Barrier(register)).is_some()
    }
}
