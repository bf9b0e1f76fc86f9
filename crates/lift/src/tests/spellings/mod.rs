//! Instructions of all rows, with random modifiers and operands: what is lifted of one is what its text does.
//!
//! An interpreter of the text (`tests/it/interpreter`), which shares nothing with what is tested, executes each. It must know all that is lifted, so that what is lifted anew
//! fails here by its name until the interpreter has it.

mod idioms;
mod of_ptx;
mod of_sass;
mod programs;
mod shapes;

#[path = "../../../../../tests/it/common/cases.rs"]
mod cases;
#[allow(dead_code, reason = "the tests of analyses use more of it")]
#[path = "../../../../../tests/it/interpreter/mod.rs"]
mod interpreter;

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use self::interpreter::thread::Position;
use warpspan_isa::instruction::Instruction;

/// Words at which numbers change their signs, overflow, or shift everything out.
const WORDS: [u32; 24] = [
    0,
    0,
    1,
    2,
    3,
    5,
    7,
    16,
    31,
    32,
    33,
    63,
    64,
    65,
    0xff,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xdead_beef,
    0xffff_0000,
    0xffff_fffe,
    u32::MAX,
];

fn any_word(random: &mut ChaCha8Rng) -> u32 {
    match random.random_range(0..4) {
        0 => random.random(),
        1 => random.random::<u32>() >> random.random_range(0..32),
        _ => *WORDS.choose(random).unwrap(),
    }
}

/// A thread anywhere in a grid.
fn position(random: &mut ChaCha8Rng) -> Position {
    Position {
        thread: std::array::from_fn(|_| random.random_range(0..64)),
        block: std::array::from_fn(|_| random.random_range(0..1000)),
        threads: std::array::from_fn(|_| random.random_range(64..100)),
        blocks: std::array::from_fn(|_| random.random_range(1000..5000)),
        lane: random.random_range(0..32),
    }
}

/// What was found of instructions.
#[derive(Default)]
struct Findings {
    /// The names of which something is lifted, and whether a value was known.
    names: BTreeMap<String, bool>,
    opcodes: BTreeSet<String>,
    lifted: u64,
    /// The first fault of each opcode.
    faults: BTreeMap<String, String>,
}

impl Findings {
    fn note(&mut self, one: &Instruction<'_>, fault: Option<String>) {
        if let Some(fault) = fault {
            let text = || format!("{one}: {fault}");
            self.faults.entry(one.opcode().to_string()).or_insert_with(text);
        }
    }

    fn note_lifted(&mut self, name: &str, opcode: &str, is_known: bool) {
        self.lifted += 1;
        self.opcodes.insert(opcode.to_owned());
        *self.names.entry(name.to_owned()).or_default() |= is_known;
    }

    /// Something is lifted of these names and of no others, and of all but the last ones values are known.
    fn are_of(&self, names: &[&str], unknown: &[&str]) {
        let names: BTreeSet<&str> = names.iter().copied().collect();
        let lifted: BTreeSet<&str> = self.names.keys().map(String::as_str).collect();
        assert_eq!(lifted, names, "what is lifted, and what the interpreter is said to know");
        let without = self.names.iter().filter(|(_, known)| !**known);
        assert_eq!(
            without.map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            unknown,
            "no values are known"
        );
    }

    fn end(self) {
        println!("{} instructions lifted, of {} opcodes with modifiers", self.lifted, self.opcodes.len());
        let faults: Vec<String> = self.faults.into_values().collect();
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    }
}
