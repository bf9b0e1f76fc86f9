//! What an instruction reads and writes, for slices.

mod ptx;
mod sass;

pub use sass::predicate;

use crate::instruction::{Instruction, Language};

/// Something that holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place<'a> {
    /// A register of PTX.
    Name(&'a str),
    /// A register of a thread of SASS, by its number in the sets of registers.
    Register(usize),
    /// A register of the warp, by its number.
    Uniform(usize),
    /// A predicate of the warp, by its number.
    UniformPredicate(usize),
    /// All of the shared memory, through which one thread tells the others of its block.
    Shared,
}

/// What an access of memory finds, where other blocks may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The next number of a counter.
    Number,
    /// What was there before a comparison and exchange.
    Compared,
    /// What is there now: a strong load, or any other atomic operation.
    Current,
    /// What an ordinary load gives. It counts only if it reads one address in all passes.
    Ordinary,
}

/// What an instruction does.
#[derive(Debug, Clone, Default)]
pub struct Access<'a> {
    /// What its results depend on.
    pub reads: Vec<Place<'a>>,
    /// What it may write.
    pub writes: Vec<Place<'a>>,
    /// What it writes whenever it is executed.
    pub kills: Vec<Place<'a>>,
    /// Whether it may write anything.
    pub everything: bool,
    /// What it finds in memory, if its result is from there.
    pub found: Option<Found>,
    /// What a comparison and exchange compares with.
    pub compared: Vec<Place<'a>>,
    /// Whether its result is from somewhere that nobody knows: a clock, memory at changing addresses.
    pub unknown: bool,
    /// Whether it stores in memory that is not shared memory.
    pub stores: bool,
    /// Whether it computes with numbers, as counters do, rather than choosing among what there is.
    pub counts: bool,
}

/// What an instruction reads and writes.
pub fn access<'a>(instruction: &Instruction<'a>) -> Access<'a> {
    match instruction.language() {
        Language::Ptx => ptx::access(instruction),
        Language::Sass => sass::access(instruction),
    }
}
