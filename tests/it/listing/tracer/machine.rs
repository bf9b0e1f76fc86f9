//! The kernel of `tests/data/trace`, executed by the interpreter of its text, with a memory that is a function of addresses.

use std::collections::{BTreeMap, HashMap};

use crate::interpreter::memory::Access;
use crate::interpreter::text::Code;
use crate::interpreter::thread::{Position, Thread};
use crate::interpreter::warp::{Watch, run};

/// What lanes of a warp did together.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) pc: u64,
    pub(super) mask: u32,
    /// All lanes that were there, which no tracer writes.
    pub(super) there: u32,
    pub(super) opcode: String,
    /// The lanes' addresses, of an access of memory.
    pub(super) addresses: Option<BTreeMap<usize, u64>>,
}

/// A launch.
pub(super) struct Launch {
    pub(super) blocks: u64,
    pub(super) threads: u64,
    /// How many elements there are.
    pub(super) count: u32,
    /// What makes its input another one.
    pub(super) seed: u64,
}

pub(super) const INPUT: u64 = 0x7f00_0000_0000;
pub(super) const TABLE: u64 = 0x7f00_1000_0040;
pub(super) const OUTPUT: u64 = 0x7f00_2000_0000;

/// Where what a warp does goes, and the memory that the block shares.
struct Recorded<'r> {
    code: &'r Code<'r>,
    events: Vec<Event>,
    shared: &'r mut HashMap<u64, u32>,
    seed: u64,
}

impl Watch for Recorded<'_> {
    fn step(&mut self, at: usize, here: &[usize], active: &[usize]) {
        let [there, mask] = [here, active].map(|lanes| lanes.iter().fold(0, |all, lane| all | 1 << lane));
        let opcode = self.code.instructions[at].opcode.to_owned();
        self.events.push(Event { pc: 16 * at as u64, mask, there, opcode, addresses: None });
    }

    fn access(&mut self, access: &Access) {
        let all = access.addresses.iter().enumerate().filter_map(|(lane, at)| Some((lane, (*at)?)));
        self.events.last_mut().unwrap().addresses = Some(all.collect());
    }

    fn held(&mut self, address: u64, shared: bool) -> u64 {
        match shared {
            true => self.shared.get(&address).copied().unwrap_or(0).into(),
            false => (address ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40,
        }
    }

    fn store(&mut self, address: u64, word: u32) {
        self.shared.insert(address, word);
    }
}

impl Launch {
    /// What each warp of each block did, in order.
    pub(super) fn run(&self, listing: &str) -> Vec<Vec<Vec<Event>>> {
        let code = Code::read(listing);
        let of_block = |block| {
            let mut shared = HashMap::new();
            let warps = 0..self.threads.div_ceil(32);
            warps.map(|warp| self.warp(&code, block, warp, &mut shared)).collect()
        };
        (0..self.blocks).map(of_block).collect()
    }

    fn warp(&self, code: &Code<'_>, block: u64, warp: u64, shared: &mut HashMap<u64, u32>) -> Vec<Event> {
        let word = |number: u64| u32::try_from(number & 0xffff_ffff).unwrap();
        let arrays = [INPUT, TABLE, OUTPUT].into_iter().flat_map(|array| [word(array), word(array >> 32)]);
        let given: Vec<u32> = arrays.chain([self.count]).collect();
        let thread = |(number, lane)| {
            let mut thread = Thread::new(Position {
                thread: [word(number), 0, 0],
                block: [word(block), 0, 0],
                threads: [word(self.threads), 1, 1],
                blocks: [word(self.blocks), 1, 1],
                lane,
            });
            thread.give(0x0, &thread.place.threads.clone());
            thread.give(0x160, &given);
            thread
        };
        let mut threads: Vec<Thread> =
            (32 * warp..self.threads.min(32 * warp + 32)).zip(0..).map(thread).collect();
        let mut recorded = Recorded { code, events: vec![], shared, seed: self.seed };
        assert!(run(code, &mut threads, 1_000_000, &mut recorded), "the kernel ends");
        recorded.events
    }
}
