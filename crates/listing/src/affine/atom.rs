//! The unknown integers of forms.

use std::collections::HashMap;

use crate::affine::form::Form;
use crate::affine::lanes::Lanes;

/// What an atom stands for, so that it is the same one each time the code is gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    /// The index of the block or, for an axis of which the size is not known, of the thread.
    Index {
        /// Whether it is that of the block in the grid.
        grid: bool,
        /// Its axis.
        axis: usize,
    },
    /// How many threads or blocks there are along an axis.
    Size {
        /// Whether it is that of the grid.
        grid: bool,
        /// Its axis.
        axis: usize,
    },
    /// What a parameter or a word of the constant bank holds; by its number.
    Parameter(usize),
    /// What a word of another constant bank holds, from a byte on.
    Fixed {
        /// The number of the bank.
        bank: u32,
        /// The byte.
        at: u32,
    },
    /// The address of a symbol; by its number.
    Symbol(usize),
    /// Something that the instruction makes; the second number tells several of them apart.
    Made(usize, u32),
    /// By which path control came to a block; the second number is that of the edge.
    Path(usize, usize),
    /// The same for each lane.
    LanePath(usize, usize),
    /// The passes of the loop of a header, from 0.
    Passes(usize),
    /// How far a register has moved since a loop was entered: the header and the register.
    Moved(usize, usize),
}

/// What is known of an atom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Atom {
    /// The least value.
    pub(super) low: i128,
    /// The largest value.
    pub(super) high: i128,
    /// The power of two that divides it.
    pub(super) twos: u32,
    /// The loops in which it may change from pass to pass.
    pub(super) changes: u64,
    /// If each lane has its own value, from 0 on: what is known of that.
    pub(super) of_lane: Option<OfLane>,
}

/// What is known of an atom of which each lane has its own value; nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OfLane {
    /// If there is a table: lanes of which the table is equal have equal values, and the values only grow or only fall along the
    /// table.
    pub(super) table: Option<Lanes>,
    /// Only among lanes that agree in all of these.
    pub(super) among: Vec<Lanes>,
    /// For the threshold at which a value of fewer bits wraps: the value.
    pub(super) wraps: Option<Form>,
}

/// The atoms of an analysis.
#[derive(Debug, Clone, Default)]
pub(super) struct Atoms {
    numbers: HashMap<Key, u32>,
    all: Vec<Atom>,
    keys: Vec<Key>,
    /// Whether what is known of one differs from what was known when the code was gone through before.
    pub(super) changed: bool,
}

impl Atoms {
    /// The atom of a key, of which this is known.
    pub(super) fn make(&mut self, key: Key, atom: Atom) -> u32 {
        let number = *self.numbers.entry(key).or_insert_with(|| {
            self.all.push(atom.clone());
            self.keys.push(key);
            u32::try_from(self.all.len()).unwrap_or(u32::MAX)
        });
        let known = &mut self.all[number as usize - 1];
        if *known != atom {
            self.changed = true;
            *known = atom;
        }
        number
    }

    /// What is known of an atom.
    pub(super) fn get(&self, number: u32) -> &Atom {
        &self.all[number as usize - 1]
    }

    /// What an atom stands for.
    pub(super) fn key(&self, number: u32) -> Key {
        self.keys[number as usize - 1]
    }

    /// The number of the atom of a key, if there is one.
    pub(super) fn find(&self, key: Key) -> Option<u32> {
        self.numbers.get(&key).copied()
    }
}
