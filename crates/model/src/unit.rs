//! The kinds of execution unit that a multiprocessor has.

use std::fmt;
use std::ops::{Index, IndexMut};

/// A kind of unit that instructions issue to (Be12 section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// The load/store units: letter `L`.
    LoadStore,
    /// The CUDA cores: letter `C`.
    CudaCore,
}

impl Unit {
    /// Every kind of unit, in the order of their letters in Be12.
    pub const ALL: [Self; 2] = [Self::LoadStore, Self::CudaCore];

    /// The unit that is not this one.
    pub const fn other(self) -> Self {
        match self {
            Self::LoadStore => Self::CudaCore,
            Self::CudaCore => Self::LoadStore,
        }
    }

    /// The letter that stands for the unit in a kernel string.
    pub const fn letter(self) -> char {
        match self {
            Self::LoadStore => 'L',
            Self::CudaCore => 'C',
        }
    }

    /// The unit of a letter, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.letter() == letter.to_ascii_uppercase())
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One value for each kind of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PerUnit<T>([T; Unit::ALL.len()]);

impl<T: Copy> PerUnit<T> {
    /// The same value for each unit.
    pub const fn both(value: T) -> Self {
        Self([value; Unit::ALL.len()])
    }
}

impl<T> PerUnit<T> {
    /// The value that `f` gives for each unit.
    #[inline]
    pub fn from_fn(mut f: impl FnMut(Unit) -> T) -> Self {
        Self([f(Unit::ALL[0]), f(Unit::ALL[1])])
    }
}

impl<T> Index<Unit> for PerUnit<T> {
    type Output = T;
    #[inline]
    fn index(&self, unit: Unit) -> &T {
        &self.0[unit as usize]
    }
}

impl<T> IndexMut<Unit> for PerUnit<T> {
    #[inline]
    fn index_mut(&mut self, unit: Unit) -> &mut T {
        &mut self.0[unit as usize]
    }
}
