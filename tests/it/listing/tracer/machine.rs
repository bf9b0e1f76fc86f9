//! The kernel of `tests/data/trace`, executed thread by thread: some opcodes of SASS, a memory that is a function of addresses, and the
//! lowest PC first. Nothing here is shared with warpspan.

use std::collections::{BTreeMap, HashMap};

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

#[derive(Debug, Clone)]
struct Instruction {
    guard: Option<usize>,
    opcode: String,
    operands: Vec<String>,
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

fn read(listing: &str) -> BTreeMap<u64, Instruction> {
    let mut code = BTreeMap::new();
    for line in listing.lines() {
        let Some((address, rest)) = line.trim().strip_prefix("/*").and_then(|line| line.split_once("*/"))
        else {
            continue;
        };
        let text = rest.trim().trim_end_matches(';').trim();
        let (guard, text) = match text.strip_prefix("@P") {
            Some(rest) => (Some(rest[..1].parse().unwrap()), rest[1..].trim()),
            None => (None, text),
        };
        let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
        let operands = operands.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty());
        let one = Instruction { guard, opcode: opcode.to_owned(), operands: operands.collect() };
        code.insert(u64::from_str_radix(address, 16).unwrap(), one);
    }
    code
}

/// A thread.
#[derive(Clone)]
struct Thread {
    pc: u64,
    registers: [u32; 64],
    predicates: [bool; 8],
    index: u64,
}

impl Launch {
    /// What each warp of each block did, in order.
    pub(super) fn run(&self, listing: &str) -> Vec<Vec<Vec<Event>>> {
        let code = read(listing);
        (0..self.blocks)
            .map(|block| {
                let mut shared = HashMap::new();
                let warps = 0..self.threads.div_ceil(32);
                warps.map(|warp| self.warp(&code, block, warp, &mut shared)).collect()
            })
            .collect()
    }

    fn load(&self, address: u64) -> u32 {
        let mixed = (address ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        u32::try_from(mixed >> 40).unwrap()
    }

    fn warp(
        &self,
        code: &BTreeMap<u64, Instruction>,
        block: u64,
        warp: u64,
        shared: &mut HashMap<u64, u32>,
    ) -> Vec<Event> {
        let lanes = (self.threads - 32 * warp).min(32);
        let thread =
            |lane| Thread { pc: 0, registers: [0; 64], predicates: [false; 8], index: 32 * warp + lane };
        let mut threads: Vec<Option<Thread>> = (0..lanes).map(|lane| Some(thread(lane))).collect();
        let mut events = Vec::new();
        while let Some(pc) = threads.iter().flatten().map(|thread| thread.pc).min() {
            let one = &code[&pc];
            let mut event = Event { pc, mask: 0, there: 0, opcode: one.opcode.clone(), addresses: None };
            for (lane, slot) in threads.iter_mut().enumerate() {
                let Some(thread) = slot.as_mut().filter(|thread| thread.pc == pc) else { continue };
                event.there |= 1 << lane;
                thread.pc += 16;
                if one.guard.is_some_and(|guard| !thread.predicates[guard]) {
                    continue;
                }
                event.mask |= 1 << lane;
                if let Some(address) = self.execute(one, thread, block, shared) {
                    event.addresses.get_or_insert_default().insert(lane, address);
                }
                if one.opcode == "EXIT" {
                    *slot = None;
                }
            }
            if one.opcode.starts_with("LD") || one.opcode.starts_with("ST") {
                event.addresses.get_or_insert_default();
            }
            events.push(event);
        }
        events
    }

    /// Executes an instruction in a thread; the address that it accesses.
    fn execute(
        &self,
        one: &Instruction,
        thread: &mut Thread,
        block: u64,
        shared: &mut HashMap<u64, u32>,
    ) -> Option<u64> {
        let register = |text: &str| text.strip_prefix('R').and_then(|text| text.parse::<usize>().ok());
        let value = |thread: &Thread, text: &str| -> u64 {
            match text {
                "RZ" => 0,
                "SR_TID.X" => thread.index,
                "SR_CTAID.X" => block,
                "c[0x0][0x0]" => self.threads,
                "c[0x0][0x28]" => 0xff_ff00,
                "c[0x0][0x160]" => INPUT,
                "c[0x0][0x168]" => TABLE,
                "c[0x0][0x170]" => OUTPUT,
                "c[0x0][0x178]" => self.count.into(),
                _ => match register(text) {
                    Some(number) => thread.registers[number].into(),
                    None => u64::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap(),
                },
            }
        };
        let low = |value: u64| u32::try_from(value & 0xffff_ffff).unwrap();
        let address = |thread: &Thread, text: &str| -> u64 {
            let inside = text.trim_matches(['[', ']']);
            let (base, offset) = inside.split_once('+').unwrap_or((inside, "0x0"));
            let number = register(base).unwrap();
            let base = if one.opcode.contains(".E") {
                u64::from(thread.registers[number]) | u64::from(thread.registers[number + 1]) << 32
            } else {
                thread.registers[number].into()
            };
            base + value(thread, offset)
        };
        let operands: Vec<&str> = one.operands.iter().map(String::as_str).collect();
        let target = operands.first().and_then(|text| register(text));
        let name = one.opcode.split('.').next().unwrap();
        match name {
            "MOV" | "S2R" => thread.registers[target.unwrap()] = low(value(thread, operands[1])),
            "IMAD" => {
                let [a, b, c] = [1, 2, 3].map(|at| value(thread, operands[at]));
                let wide = a.wrapping_mul(b).wrapping_add(c);
                thread.registers[target.unwrap()] = low(wide);
                if one.opcode.contains("WIDE") {
                    thread.registers[target.unwrap() + 1] = low(wide >> 32);
                }
            }
            "IADD3" => {
                let sum = [1, 2, 3].map(|at| value(thread, operands[at])).into_iter().sum::<u64>();
                thread.registers[target.unwrap()] = low(sum);
            }
            "LOP3" => {
                thread.registers[target.unwrap()] =
                    low(value(thread, operands[1]) & value(thread, operands[2]));
            }
            "ISETP" => {
                let [a, b] = [2, 3].map(|at| value(thread, operands[at]));
                let holds = match one.opcode.split('.').nth(1).unwrap() {
                    "GE" => a >= b,
                    "GT" => a > b,
                    "LE" => a <= b,
                    "EQ" => a == b,
                    other => panic!("{other}"),
                };
                thread.predicates[operands[0][1..].parse::<usize>().unwrap()] = holds;
            }
            "LDG" | "LDS" => {
                let at = address(thread, operands[1]);
                let found = if name == "LDS" { shared.get(&at).copied().unwrap_or(0) } else { self.load(at) };
                thread.registers[target.unwrap()] = found;
                return Some(at);
            }
            "STG" | "STS" => {
                let at = address(thread, operands[0]);
                shared.insert(at, low(value(thread, operands[1])));
                return Some(at);
            }
            "BRA" => thread.pc = u64::from_str_radix(operands[0].strip_prefix("0x").unwrap(), 16).unwrap(),
            "EXIT" | "BSSY" | "BSYNC" => {}
            other => panic!("{other}"),
        }
        None
    }
}
