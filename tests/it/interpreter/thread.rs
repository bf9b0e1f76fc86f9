//! What a thread holds, for interpreters of text.

use std::sync::{Arc, LazyLock};

/// The words of the constant bank 0.
const WORDS: usize = 0x200;

/// Something that an instruction of SASS writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    General(usize),
    Uniform(usize),
    Predicate(usize),
    UniformPredicate(usize),
    Carry,
    Zero,
}

/// What is written, and with what; none where it may be anything. A predicate is a word too, 0 or 1.
pub(crate) type Writes = Vec<(Slot, Option<u32>)>;

/// What a thread of SASS holds.
#[derive(Debug, Clone)]
pub(crate) struct Thread {
    pub general: [u32; 256],
    pub uniform: [u32; 256],
    /// The last one is always true.
    pub predicates: [bool; 8],
    pub uniform_predicates: [bool; 8],
    pub carry: bool,
    pub zero: bool,
    /// The words of the constant bank 0.
    pub constants: Arc<[u32]>,
    pub place: Position,
}

/// Where a thread is in its grid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position {
    pub thread: [u32; 3],
    pub block: [u32; 3],
    pub threads: [u32; 3],
    pub blocks: [u32; 3],
    pub lane: u32,
}

/// A constant bank 0 with any words, the same in all cases.
pub(crate) fn constants() -> &'static Arc<[u32]> {
    static ALL: LazyLock<Arc<[u32]>> = LazyLock::new(|| (0..WORDS).map(|at| mixed(0, at)).collect());
    &ALL
}

/// The word of another constant bank.
pub(crate) fn fixed(bank: u32, byte: u32) -> u32 {
    mixed(bank, byte as usize / 4)
}

/// Any number that these decide, small or with a sign now and then.
fn mixed(bank: u32, at: usize) -> u32 {
    let number = u32::try_from(at).expect("constant banks are small").wrapping_mul(0x9e37_79b9)
        ^ bank.wrapping_mul(0x85eb_ca6b);
    let number = number ^ number >> 15;
    match number & 7 {
        0 => number >> 27,
        1 => (number >> 27).wrapping_neg(),
        2 => 0x8000_0000 >> (number >> 27),
        _ => number.wrapping_mul(0xc2b2_ae35),
    }
}

impl Thread {
    /// A thread whose registers hold zero, and whose predicates are true.
    pub(crate) fn new(place: Position) -> Self {
        Self {
            general: [0; 256],
            uniform: [0; 256],
            predicates: [true; 8],
            uniform_predicates: [true; 8],
            carry: false,
            zero: false,
            constants: Arc::clone(constants()),
            place,
        }
    }

    /// Puts words into the constant bank 0, from a byte on.
    pub(crate) fn give(&mut self, byte: u32, words: &[u32]) {
        let first = byte as usize / 4;
        let mut all = self.constants.to_vec();
        all[first..first + words.len()].copy_from_slice(words);
        self.constants = all.into();
    }

    /// Writes what is not anything.
    pub(crate) fn write(&mut self, writes: &Writes) {
        for &(slot, value) in writes {
            let Some(value) = value else { continue };
            match slot {
                Slot::General(number) => self.general[number] = value,
                Slot::Uniform(number) => self.uniform[number] = value,
                Slot::Predicate(number) => self.predicates[number] = value != 0,
                Slot::UniformPredicate(number) => self.uniform_predicates[number] = value != 0,
                Slot::Carry => self.carry = value != 0,
                Slot::Zero => self.zero = value != 0,
            }
        }
    }
}
