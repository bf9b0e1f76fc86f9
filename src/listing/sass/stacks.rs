//! Stacks of the places at which threads wait for each other.

use std::collections::HashMap;

/// What a place is for, and so what takes it off the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind<'a> {
    Sync,
    Break,
    Continue,
    Return,
    /// A barrier register.
    Barrier(&'a str),
}

/// A place on a stack: for what, where, and the stack below by its number.
pub(super) type Cell<'a> = (Kind<'a>, usize, usize);

/// Equal stacks have equal numbers; 0 is the empty one.
#[derive(Default)]
pub(super) struct Stacks<'a> {
    pub(super) cells: Vec<Cell<'a>>,
    numbers: HashMap<Cell<'a>, usize>,
}

impl<'a> Stacks<'a> {
    pub(super) fn push(&mut self, below: usize, kind: Kind<'a>, to: usize) -> usize {
        let cells = &mut self.cells;
        *self.numbers.entry((kind, to, below)).or_insert_with(|| {
            cells.push((kind, to, below));
            cells.len()
        })
    }

    pub(super) fn top(&self, stack: usize) -> Option<Cell<'a>> {
        self.cells.get(stack.checked_sub(1)?).copied()
    }

    /// The topmost place of a kind, and the stack below it.
    pub(super) fn pop(&self, mut stack: usize, wanted: Kind<'_>) -> Option<(usize, usize)> {
        loop {
            let (kind, to, below) = self.top(stack)?;
            if kind == wanted {
                return Some((to, below));
            }
            stack = below;
        }
    }

    /// The stack without the topmost place of a kind, if it has one.
    pub(super) fn without(&mut self, stack: usize, wanted: Kind<'_>) -> usize {
        match self.top(stack) {
            None => stack,
            Some((kind, _, below)) if kind == wanted => below,
            Some((kind, to, below)) => {
                let below = self.without(below, wanted);
                self.push(below, kind, to)
            }
        }
    }

    pub(super) fn has(&self, stack: usize, register: &str) -> bool {
        self.pop(stack, Kind::Barrier(register)).is_some()
    }
}
