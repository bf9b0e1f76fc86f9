//! The labels of a body. A label is known in its block and in the blocks inside it.

use std::collections::HashMap;

use crate::ptx::cursor::Cursor;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_model::source::InputError;

/// The greatest depth of nested blocks, since a label is looked up in all blocks around a branch.
const DEEPEST: usize = 1000;

/// What a label names.
#[derive(Debug, Clone)]
enum Named<'a> {
    /// The instruction with this index.
    Place(usize),
    /// A list of labels: `.branchtargets`.
    Targets(Vec<&'a str>),
    /// Something that does not matter here, such as a `.callprototype`.
    Other,
}

/// A branch whose label must be looked up.
#[derive(Debug, Clone)]
struct Pending<'a> {
    instruction: usize,
    block: usize,
    label: &'a str,
    line: u32,
}

/// The blocks with their labels, and the branches that were read.
#[derive(Debug, Default)]
pub(super) struct Labels<'a> {
    parents: Vec<usize>,
    current: usize,
    depth: usize,
    names: HashMap<(usize, &'a str), (Named<'a>, u32)>,
    order: Vec<(&'a str, usize)>,
    pending: Vec<Pending<'a>>,
}

impl<'a> Labels<'a> {
    pub(super) fn new() -> Self {
        Self { parents: vec![0], ..Self::default() }
    }

    /// Enters a block.
    pub(super) fn open(&mut self, cursor: &Cursor<'a>) -> Result<(), InputError> {
        if self.depth == DEEPEST {
            return Err(
                cursor.error(format!("blocks lie deeper than {DEEPEST} in one another: not supported"))
            );
        }
        self.depth += 1;
        self.parents.push(self.current);
        self.current = self.parents.len() - 1;
        Ok(())
    }

    /// Whether this is the body itself, and not a block inside it.
    pub(super) fn is_outside(&self) -> bool {
        self.current == 0
    }

    /// Leaves a block. Returns whether it was one inside the body, and not the body itself.
    pub(super) fn close(&mut self) -> bool {
        let inside = self.current != 0;
        self.depth = self.depth.saturating_sub(1);
        self.current = self.parents[self.current];
        inside
    }

    pub(super) fn place(&mut self, cursor: &Cursor<'a>, label: &'a str, at: usize) -> Result<(), InputError> {
        self.order.push((label, at));
        self.name(cursor, label, Named::Place(at))
    }

    pub(super) fn targets(
        &mut self,
        cursor: &Cursor<'a>,
        label: &'a str,
        list: &'a str,
    ) -> Result<(), InputError> {
        self.name(cursor, label, Named::Targets(list.split(',').map(str::trim).collect()))
    }

    pub(super) fn other(&mut self, cursor: &Cursor<'a>, label: &'a str) -> Result<(), InputError> {
        self.name(cursor, label, Named::Other)
    }

    fn name(&mut self, cursor: &Cursor<'a>, label: &'a str, named: Named<'a>) -> Result<(), InputError> {
        match self.names.insert((self.current, label), (named, cursor.line)) {
            Some((_, first)) => {
                Err(cursor.error(format!("label {label} is defined a second time, first in line {first}")))
            }
            None => Ok(()),
        }
    }

    pub(super) fn branch(&mut self, instruction: usize, label: &'a str, line: u32) {
        self.pending.push(Pending { instruction, block: self.current, label, line });
    }

    fn find(&self, mut block: usize, label: &'a str) -> Option<&Named<'a>> {
        loop {
            match self.names.get(&(block, label)) {
                Some((named, _)) => return Some(named),
                None if block == 0 => return None,
                None => block = self.parents[block],
            }
        }
    }

    /// Gives every branch its targets, and returns the labels in their order.
    pub(super) fn resolve(
        self,
        cursor: &Cursor<'a>,
        instructions: &mut [Instruction<'a>],
    ) -> Result<Vec<(&'a str, usize)>, InputError> {
        let length = instructions.len();
        for pending in &self.pending {
            let place = |label: &'a str| match self.find(pending.block, label) {
                Some(Named::Place(at)) if *at < length => Ok(*at),
                Some(Named::Place(_)) => {
                    Err(format!("label {label} has no instruction after it to branch to"))
                }
                Some(_) => Err(format!("{label} is no label of an instruction")),
                None => Err(format!("label {label} is not defined in this function")),
            };
            let flow = match self.find(pending.block, pending.label) {
                Some(Named::Targets(list)) => {
                    list.iter().map(|label| place(label)).collect::<Result<_, _>>().map(Flow::Switch)
                }
                _ => place(pending.label).map(Flow::Branch),
            };
            instructions[pending.instruction].flow =
                flow.map_err(|what| cursor.error_at(pending.line, what))?;
        }
        Ok(self.order)
    }
}
