//! The instructions of code on a machine.

use std::sync::Arc;

/// The number of a letter of a machine, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LetterId(u16);

impl LetterId {
    /// The letter of a number; none if it is too large for any machine.
    pub fn new(index: usize) -> Option<Self> {
        u16::try_from(index).ok().map(Self)
    }

    /// The number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// An instruction in code for a machine: a letter, and what waits for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step {
    /// The letter.
    pub letter: LetterId,
    /// What waits for the result. If this is `None`, the next instruction of the warp does.
    pub waits: Option<Arc<Waits>>,
}

impl Step {
    /// An instruction for whose result the next one waits.
    pub fn of(letter: LetterId) -> Self {
        Self { letter, waits: None }
    }
}

/// The dependences of an instruction that does not make the next one wait for its result.
///
/// A *token* is a register or a scoreboard. It is free unless the latency of an instruction that
/// [sets](Self::sets) it is running. Several instructions may set one token, which is free when all of them
/// have their results.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Waits {
    /// The next instruction of the warp is ready this many cycles after the issue at the earliest, 1 or more.
    pub stall: u32,
    /// The tokens that must be free before the instruction is ready.
    pub needs: Vec<u16>,
    /// The tokens that the instruction sets when it issues.
    pub sets: Vec<u16>,
}
